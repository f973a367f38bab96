/**
 * Piecewise polynomials for tables: the interval from 0 to 1 is divided into 2^k segments; on each the function is
 * interpolated at Chebyshev nodes, which is within a small factor of the best polynomial. Coefficients are exact
 * fractions rounded once.
 */
import { itemAt } from "../../../checked/access.ts";
import { over, pi, sine, times, toFractionBits } from "./real.ts";

/** z in 0..1 and the result with `places` places. */
type RealFunction = (z: bigint, fractionBits: number) => bigint;

export interface Piecewise {
  /** The number of segments is 2^segmentBits. */
  readonly segmentBits: number;
  /** Places of all coefficients. */
  readonly fractionBits: number;
  /** By power, then by segment; the argument runs from 0 to 1 in each segment. */
  readonly coefficients: readonly (readonly bigint[])[];
}

/** More places than any coefficient has, plus what differences of nodes lose. */
const GUARD = 96;

/**
 * Accurate to about `degree` units of the last of `places`. Segments beyond `end` (in 0..1) are 0, and there are at
 * least 2^least of them: the function may have a corner where segments meet.
 */
export function fitted(f: RealFunction, fractionBits: number, end = 1, least = 0): Piecewise {
  let best: { degree: number; segmentBits: number; cost: number } | undefined;
  for (let degree = 1; degree <= 9 || (!best && degree <= 16); degree++) {
    const segmentBits = segmentsFor(f, fractionBits, degree, end, least);
    if (segmentBits === undefined) continue;
    const cost = costOf(fractionBits, degree, segmentBits);
    if (!best || cost < best.cost) best = { degree, segmentBits, cost };
  }
  if (!best) throw new Error(`no polynomials for ${fractionBits} places`);
  const { degree, segmentBits } = best;
  const wide = fractionBits + GUARD;
  const segments = Array.from({ length: Math.ceil(end * 2 ** segmentBits) }, (_, at) =>
    monomials(interpolated(f, at, segmentBits, degree + 1, wide), wide).map((c) =>
      toFractionBits(c, wide, fractionBits),
    ),
  );
  return {
    segmentBits,
    fractionBits,
    coefficients: Array.from({ length: degree + 1 }, (_, power) =>
      segments.map((coefficients) => itemAt(coefficients, power)),
    ),
  };
}

/**
 * The fewest segments that suffice: estimated by the first term that polynomials of this degree omit, at both ends and
 * in the middle.
 */
function segmentsFor(
  f: RealFunction,
  fractionBits: number,
  degree: number,
  end: number,
  least: number,
): number | undefined {
  const wide = fractionBits + GUARD;
  for (let segmentBits = least; segmentBits <= 7; segmentBits++) {
    const count = Math.ceil(end * 2 ** segmentBits);
    const looked = new Set([0, 1, 2].map((part) => Math.floor(((count - 1) * part) / 2)));
    const isAccurate = [...looked].every((at) => {
      const { differences } = interpolated(f, at, segmentBits, degree + 2, wide);
      const term = itemAt(differences, degree + 1);
      // The product of distances from n nodes is at most 2 / 4^n.
      return Math.abs(Number(term >> BigInt(GUARD - 1))) * 2 * 4 ** -(degree + 1) < 1;
    });
    if (isAccurate) return segmentBits;
  }
  return undefined;
}

/** Cost in lookup tables of four inputs: for the coefficients, and for the rows of the products. */
function costOf(fractionBits: number, degree: number, segmentBits: number): number {
  const perBit = segmentBits <= 4 ? 1 : 1.4 * 2 ** (segmentBits - 4);
  let cost = 0;
  for (let power = 0; power <= degree; power++) {
    const bits = Math.max(2, fractionBits - power * segmentBits);
    cost += bits * perBit + (power === 0 ? 0 : (bits * bits) / 2 + fractionBits);
  }
  return cost;
}

interface Interpolated {
  readonly nodes: readonly bigint[];
  /** Newton's divided differences. */
  readonly differences: readonly bigint[];
}

function interpolated(
  f: RealFunction,
  at: number,
  segmentBits: number,
  count: number,
  fractionBits: number,
): Interpolated {
  const nodes = chebyshev(count, fractionBits);
  const shift = BigInt(segmentBits);
  const differences = nodes.map((u) => f(((BigInt(at) << BigInt(fractionBits)) + u) >> shift, fractionBits));
  for (let order = 1; order < count; order++)
    for (let k = count - 1; k >= order; k--)
      differences[k] = over(
        itemAt(differences, k) - itemAt(differences, k - 1),
        itemAt(nodes, k) - itemAt(nodes, k - order),
        fractionBits,
      );
  return { nodes, differences };
}

const known = new Map<string, readonly bigint[]>();

/** (1 - cos((2k + 1) pi / 2n)) / 2 = sin^2((2k + 1) pi / 4n) */
function chebyshev(count: number, fractionBits: number): readonly bigint[] {
  const key = `${count} ${fractionBits}`;
  const cached = known.get(key);
  if (cached) return cached;
  const polynomials = Array.from({ length: count }, (_, k) => {
    const root = sine((pi(fractionBits) * BigInt(2 * k + 1)) / BigInt(4 * count), fractionBits);
    return times(root, root, fractionBits);
  });
  known.set(key, polynomials);
  return polynomials;
}

/** Expands Newton's form. */
function monomials({ nodes, differences }: Interpolated, fractionBits: number): readonly bigint[] {
  let result: bigint[] = [];
  for (let k = differences.length - 1; k >= 0; k--) {
    const node = itemAt(nodes, k);
    const next = [itemAt(differences, k), ...result];
    result.forEach((c, power) => {
      next[power] = itemAt(next, power) - times(c, node, fractionBits);
    });
    result = next;
  }
  return result;
}
