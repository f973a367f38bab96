/**
 * Estimates, and what in them is smooth along the axes. An estimate errs in two ways: alike for similar variants, which
 * measurements of others tell, and at random, which its neighbours' estimates tell before anything is measured (Kennedy
 * and O'Hagan, Predicting the output from a complex computer code when fast approximations are available, 2000).
 */
import { itemAt } from "../../core/checked/access.ts";
import { expectAt, scalesOf } from "./gaussian-process.ts";
import { learn } from "./learn.ts";
import type { Coordinate } from "./points.ts";

export interface Estimate {
  /** Logarithm. */
  readonly value: number;
  /** The part of it that its neighbours do not share, and that is believed as far as measurements bear it out. */
  readonly own: number;
}

/** Of fewer, kinks and errors cannot be told apart: their estimates are believed as they are. */
const ENOUGH = 64;
/** A part that neighbours do not share is half believed at first. */
const BELIEVED = 0.5;
const DOUBT = { all: 1, axis: 0.5, curve: 0.2, pairs: 0.2, rest: 0.2, reach: 1, noise: 0.1 };

/** For each candidate, in order; undefined unless all have an estimate. */
export function estimatesOf(
  points: readonly (readonly Coordinate[])[],
  predicted: readonly (number | undefined)[],
): readonly Estimate[] | undefined {
  const logs = predicted.flatMap((one) => (one === undefined || one <= 0 ? [] : [Math.log(one)]));
  if (logs.length < predicted.length) return undefined;
  if (logs.length < ENOUGH) return logs.map((value) => ({ value, own: 0 }));
  const middle = logs.reduce((a, b) => a + b, 0) / logs.length;
  const known = logs.map((value, i) => ({ point: itemAt(points, i), error: value - middle }));
  const shared = learn(known, scalesOf(DOUBT, points[0]?.length ?? 0), {
    loose: 1.5,
    rounds: 5,
    noise: true,
  });
  return known.map((one) => {
    const { mean } = expectAt(shared, one);
    const own = BELIEVED * (one.error - mean);
    return { value: middle + mean + own, own };
  });
}
