/** Caches results of slow pure functions by their arguments, which must be words or numbers. */
export function memoized<Arguments extends readonly (string | number)[], Result>(
  compute: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = args.join(" ");
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(...args);
    results.set(key, result);
    return result;
  };
}
