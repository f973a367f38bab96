/** Monotonic time in ms. (Loading `performance` would cost the start of a build 1 ms.) */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
