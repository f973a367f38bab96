/** Measures how long a variant keeps its device busy, in as few runs as possible. */
import { type Bench, WrongRun } from "./bench.ts";
import { type Summary, summarise } from "./statistics.ts";

interface TuningLimits {
  /** Number of runs with device profiling. */
  readonly repetitions: number;
  /** Number of warm-up runs. */
  readonly warmUp: number;
  /** Milliseconds since the epoch: no run starts after this, except a variant's first. */
  readonly end: number;
  /** Seconds of the best variant so far. */
  readonly best?: number | undefined;
}

/** A variant whose fastest run takes this many times the best one's median is not run again. */
const HOPELESS = 1.2;

/** Seconds in launches, including measurements of earlier calls. Throws WrongRun. */
export async function deviceSeconds(
  bench: Bench,
  { repetitions, warmUp, end, best }: TuningLimits,
): Promise<Summary> {
  const known = () => bench.measurements().flatMap(({ launches }) => launches ?? []);
  const isOver = () => best !== undefined && Math.min(...known()) > HOPELESS * best;
  for (let i = known().length > 0 ? warmUp : 0; i < warmUp; i++) await bench.once(false);
  while (known().length < repetitions && (known().length === 0 || (Date.now() < end && !isOver()))) {
    const ran = await bench.once(true);
    if (ran.device === undefined || ran.device.launches === 0)
      throw new WrongRun(`${bench.address} launches no kernels in this run: there is nothing to measure`);
    bench.keep(ran);
  }
  return summarise(known()) as Summary;
}
