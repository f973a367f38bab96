/**
 * What a variant is expected to add to those that were built. One objective: the expected improvement (Jones, Schonlau
 * and Welch, Efficient Global Optimization of Expensive Black-Box Functions, 1998). Two: the expected improvement of the
 * hypervolume, exact by strips between neighbours of the front (Emmerich, Yang, Deutz, Wang and Fonseca, A Multicriteria
 * Generalization of Bayesian Global Optimization, 2016, for objectives that are independent of each other). Both are
 * linear in each distribution, so that they are exact for mixtures, too.
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
  const front = frontOf(known);
  const whole = dominatedArea(front, corner);
  return (expected) => expectedGrowth(front, corner, expected) / (whole > 0 ? whole : 1);
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
