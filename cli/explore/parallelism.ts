/**
 * What too few work-items cost. A device hides what its memory and its operations wait for by having other items to work
 * on: below a number of them that the device decides, the time is inversely proportional to the items (Little's law;
 * Volkov, Understanding Latency Hiding on GPUs, 2016). Energy grows less, since a device that waits takes less power.
 */
import { fit, type Known, type Scales } from "./gaussian-process.ts";
import type { Launch } from "./launches.ts";

export interface Parallelism {
  /** Items for which the device has work. */
  readonly room: number;
  /** The part of what a design takes that grows as the time does: all of it for time itself. */
  readonly share: number;
}

/** As long as nothing is measured: a GPU of 64 multiprocessors with 2048 items each. */
const USUAL: Parallelism = { room: 2 ** 17, share: 0.5 };
/** Standard deviation of the logarithm of the room. */
const DOUBT = Math.log(8);
/** From a processor of a few cores to several of the largest GPUs. */
const ROOMS = Array.from({ length: 25 }, (_, i) => 2 ** (4 + 0.75 * i));
const SHARES = [0, 0.125, 0.25, 0.5, 0.75, 1];
/** Smaller differences of evidence are those of rounding. */
const CLEARLY = 1e-6;

/** Logarithm of how much more a design takes than one with items for all of the device. */
export function slowdown(launches: readonly Launch[], { room, share }: Parallelism): number {
  if (launches.length === 0) return 0;
  const times = launches.map(({ items }) => Math.max(1, room / items));
  return Math.log(1 - share + (share * times.reduce((a, b) => a + b, 0)) / times.length);
}

interface Observed extends Known {
  readonly launches: readonly Launch[];
}

/** The most probable one. `error` of each: the logarithm of what it takes beyond what else is expected of it. */
export function parallelismOf(observed: readonly Observed[], scales: Scales): Parallelism {
  if (observed.length < 2) return USUAL;
  const scoreOf = (parallelism: Parallelism): number =>
    fit(withoutSlowdown(observed, parallelism), scales).evidence -
    (Math.log(parallelism.room / USUAL.room) / DOUBT) ** 2 / 2;
  // What observations leave open stays as usual: of designs that all have items enough, none tells the share.
  let best = { parallelism: USUAL, score: scoreOf(USUAL) };
  for (const room of ROOMS)
    for (const share of SHARES) {
      const parallelism = { room, share };
      const score = scoreOf(parallelism);
      if (score > best.score + CLEARLY) best = { parallelism, score };
    }
  return best.parallelism;
}

export const withoutSlowdown = <T extends Observed>(
  observed: readonly T[],
  parallelism: Parallelism,
): readonly T[] =>
  observed.map((one) => ({ ...one, error: one.error - slowdown(one.launches, parallelism) }));
