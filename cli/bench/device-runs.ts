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
  /** Absent where nothing counts it. */
  readonly joules?: Summary;
}

/** Which counter of energy is that of the kernels' device. */
export type EnergyOf = "device" | "device or machine";

/** Includes measurements of earlier calls. Throws WrongRun. */
export async function measureRuns(
  bench: Bench,
  of: EnergyOf,
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
  return runsOf(known(), of) as DeviceRuns;
}

/** Undefined if none of the measurements is of launches. */
export function runsOf(measured: readonly Measurement[], of: EnergyOf): DeviceRuns | undefined {
  const seconds = summarise(measured.flatMap(({ launches }) => launches ?? []));
  if (seconds === undefined) return undefined;
  const joules = summarise(measured.flatMap((one) => joulesOf(one, of) ?? []));
  return { seconds, ...(joules && { joules }) };
}

/** Only of runs in which launches were measured. */
const joulesOf = ({ launches, device, joules }: Measurement, of: EnergyOf): number | undefined =>
  launches === undefined ? undefined : (device?.joules ?? (of === "device" ? undefined : joules));
