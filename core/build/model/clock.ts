/** Milliseconds on a clock that nobody sets. (Loading what `performance` belongs to costs a build's start 1 ms.) */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
