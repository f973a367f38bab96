/** Monotonic time in ms. (Loading `performance` would cost the start of a build 1 ms.) */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** A moment by both clocks, in ms: the wall clock, by which files get their times, may be set meanwhile. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function thisMoment(): Moment {
  return { wall: Date.now(), monotonic: monotonicMs() };
}

/** The wall time of a past moment, by the wall clock as it goes now. */
export function wallTimeOf({ monotonic }: Moment): number {
  return Date.now() - (monotonicMs() - monotonic);
}
