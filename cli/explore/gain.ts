/**
 * What a variant is expected to add to those that were built. One objective: the expected improvement (Jones, Schonlau
 * and Welch, Efficient Global Optimization of Expensive Black-Box Functions, 1998). Two: the expected improvement of the
 * hypervolume, exact by strips between neighbours of the front (Emmerich, Yang, Deutz, Wang and Fonseca, A Multicriteria
 * Generalization of Bayesian Global Optimization, 2016, for objectives that are independent of each other). Of more
 * objectives the space is cut along the last one into slabs, in each of which the same points count. All are linear in each
 * distribution, so that they are exact for mixtures, too.
 */
import { firstOf, itemAt } from "../../core/checked/access.ts";
import { type Distribution, expectedBelow } from "./distribution.ts";

/** A value for each objective; smaller is better. */
type Point = readonly number[];

/** By how much a candidate is expected to improve on known points, as a share of what they improve on the corner. */
type Gain = (expected: readonly Distribution[]) => number;

export function gainOver(known: readonly Point[], corner: Point): Gain {
  if (corner.length === 1) {
    // With a single objective, values are logarithms whose difference is the relative gain already.
    const [limit = 0] = firstOf([...known, corner].sort(([a = 0], [b = 0]) => a - b));
    return ([only = []]) => expectedBelow(only, limit);
  }
  const whole = dominatedVolume(known, corner);
  const growth = growthOver(known, corner);
  return (expected) => growth(expected) / (whole > 0 ? whole : 1);
}

/** As `expectedGrowth`, for any number of objectives above one. */
function growthOver(points: readonly Point[], corner: Point): Gain {
  if (corner.length <= 2) {
    const front = frontOf(points);
    return (expected) => expectedGrowth(front, corner, expected);
  }
  const slabs = slabsOf(points, corner).map(({ below, ...bounds }) => ({
    ...bounds,
    growth: growthOver(below, corner.slice(0, -1)),
  }));
  return (expected) => {
    const last = expected.at(-1) ?? [];
    const others = expected.slice(0, -1);
    return slabs.reduce((sum, { from, to, growth }) => {
      const share = expectedBelow(last, to) - (from === undefined ? 0 : expectedBelow(last, from));
      return share > 0 ? sum + share * growth(others) : sum;
    }, 0);
  };
}

/** What points dominate, up to a corner worse than all: the hypervolume. */
export function dominatedVolume(points: readonly Point[], corner: Point): number {
  if (corner.length <= 2) return dominatedArea(points, corner);
  return slabsOf(points, corner).reduce(
    (sum, { from, to, below }) =>
      from === undefined ? sum : sum + (to - from) * dominatedVolume(below, corner.slice(0, -1)),
    0,
  );
}

/** Between neighbours along the last coordinate, with the other coordinates of the points that reach up to there. */
interface Slab {
  /** Undefined: without an end. */
  readonly from?: number;
  readonly to: number;
  readonly below: readonly Point[];
}

function slabsOf(points: readonly Point[], corner: Point): readonly Slab[] {
  const end = itemAt(corner, corner.length - 1);
  const lastOf = (point: Point): number => itemAt(point, corner.length - 1);
  const bounds = [...new Set(points.map(lastOf))].filter((at) => at < end).sort((a, b) => a - b);
  return [undefined, ...bounds].map((from, i) => ({
    ...(from !== undefined && { from }),
    to: bounds[i] ?? end,
    below:
      from === undefined
        ? []
        : points.filter((point) => lastOf(point) <= from).map((point) => point.slice(0, -1)),
  }));
}

/** Area dominated by points, up to a corner worse than all: the hypervolume in two dimensions. */
export function dominatedArea(points: readonly Point[], [right = 0, top = 0]: Point): number {
  let area = 0;
  let low = top;
  for (const [x = 0, y = 0] of frontOf(points)) {
    if (y >= low || x >= right) continue;
    area += (right - x) * (low - y);
    low = y;
  }
  return area;
}

/** By how much the dominated area is expected to grow by a point whose coordinates are distributed like this. */
export function expectedGrowth(
  front: readonly Point[],
  [right = 0, top = 0]: Point,
  [first = [], second = []]: readonly Distribution[],
): number {
  // A strip lies between the first coordinates of two neighbours, below the second coordinate of the one on its left.
  let [sum, before, height] = [0, 0, top];
  for (const [x = 0, y = 0] of [...front, [right, Number.NEGATIVE_INFINITY]]) {
    const upTo = expectedBelow(first, Math.min(x, right));
    sum += (upTo - before) * expectedBelow(second, height);
    before = upTo;
    height = Math.min(height, y);
  }
  return sum;
}

/** The points that no other dominates, by their first coordinate. */
function frontOf(points: readonly Point[]): readonly Point[] {
  const front: Point[] = [];
  for (const point of [...points].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)) {
    const last = front.at(-1);
    if (last === undefined || itemAt(point, 1) < itemAt(last, 1)) front.push(point);
  }
  return front;
}
