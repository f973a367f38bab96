/** Measures how long a variant keeps its device busy, and what it consumes, in as few runs as possible. */
import { type Bench, WrongRun } from "./bench.ts";
import type { Differing } from "./compared-results.ts";
import { type Energy, type EnergySource, energyOf, isCounted, type NoEnergy } from "./device-energy.ts";
import type { Measurement } from "./measurements.ts";
import { type Summary, summarise } from "./statistics.ts";

interface Limits {
  /** Number of runs with device profiling. */
  readonly repetitions: number;
  /** Number of warm-up runs. */
  readonly warmUp: number;
  /** Milliseconds since the epoch: no run starts after this, except a variant's first. */
  readonly end: number;
  /** Whether runs count only with their energy. */
  readonly needsEnergy: boolean;
  /** Whether these measurements leave no hope that the variant is among the best. */
  readonly isHopeless: (soFar: DeviceRuns) => boolean;
}

export interface DeviceRuns {
  /** In launches. */
  readonly seconds: Summary;
  /** Of the device, or why it is not known. */
  readonly energy: Energy | NoEnergy;
  /** Present if they are not to be trusted, as runs left different results. */
  readonly differing?: Differing;
}

/** Includes measurements of earlier calls. Throws WrongRun. */
export async function measureRuns(
  bench: Bench,
  { repetitions, warmUp, end, needsEnergy, isHopeless }: Limits,
): Promise<DeviceRuns> {
  const known = () => bench.measurements().filter(({ launches }) => launches !== undefined);
  const isEnough = (one: Measurement): boolean => !needsEnergy || isCounted(one, bench.source);
  const before = known();
  for (let i = before.length > 0 ? warmUp : 0; i < warmUp; i++) bench.keep(await bench.once(false), false);
  for (let left = repetitions - before.filter(isEnough).length; left > 0; left--) {
    const soFar = known().some(isEnough) ? runsOf(known(), bench.source) : undefined;
    if (soFar && (Date.now() >= end || isHopeless(soFar))) break;
    const ran = await bench.once(true);
    if (ran.device === undefined || ran.device.launches === 0)
      throw new WrongRun(`${bench.address} launches no kernels in this run: there is nothing to measure`);
    bench.keep(ran);
    // What was not counted once will not be the next time.
    if (!known().slice(-1).every(isEnough)) break;
    // It will not be chosen, however often it is measured.
    if (bench.differing() !== undefined) break;
  }
  const differing = bench.differing();
  return { ...(runsOf(known(), bench.source) as DeviceRuns), ...(differing && { differing }) };
}

/** Undefined if none of the measurements is of launches. */
export function runsOf(measured: readonly Measurement[], source: EnergySource): DeviceRuns | undefined {
  const launched = measured.filter(({ launches }) => launches !== undefined);
  const seconds = summarise(launched.flatMap(({ launches }) => launches ?? []));
  if (seconds === undefined) return undefined;
  return { seconds, energy: energyOf(launched, source) };
}
