/** Measures how long a variant keeps its device busy, and what it consumes, in as few runs as possible. */
import { type Bench, WrongRun } from "./bench.ts";
import type { Measurement } from "./measurements.ts";
import { type Summary, summarise } from "./statistics.ts";

interface Limits {
  /** Number of runs with device profiling. */
  readonly repetitions: number;
  /** Number of warm-up runs. */
  readonly warmUp: number;
  /** Milliseconds since the epoch: no run starts after this, except a variant's first. */
  readonly end: number;
  /** Whether these measurements leave no hope that the variant is among the best. */
  readonly isHopeless: (measured: readonly Measurement[]) => boolean;
}

export interface DeviceRuns {
  /** In launches. */
  readonly seconds: Summary;
  /** Of this machine's processors and memory; absent where nothing counts it. */
  readonly joules?: Summary;
}

/** Includes measurements of earlier calls. Throws WrongRun. */
export async function measureRuns(
  bench: Bench,
  { repetitions, warmUp, end, isHopeless }: Limits,
): Promise<DeviceRuns> {
  const known = () => bench.measurements().filter(({ launches }) => launches !== undefined);
  for (let i = known().length > 0 ? warmUp : 0; i < warmUp; i++) await bench.once(false);
  while (
    known().length < repetitions &&
    (known().length === 0 || (Date.now() < end && !isHopeless(known())))
  ) {
    const ran = await bench.once(true);
    if (ran.device === undefined || ran.device.launches === 0)
      throw new WrongRun(`${bench.address} launches no kernels in this run: there is nothing to measure`);
    bench.keep(ran);
  }
  return runsOf(known()) as DeviceRuns;
}

/** Undefined if none of the measurements is of launches. */
export function runsOf(measured: readonly Measurement[]): DeviceRuns | undefined {
  const launched = measured.filter(({ launches }) => launches !== undefined);
  const seconds = summarise(launched.flatMap(({ launches }) => launches ?? []));
  if (seconds === undefined) return undefined;
  const joules = summarise(launched.flatMap((one) => one.joules ?? []));
  return { seconds, ...(joules && { joules }) };
}
