/** Results that take long and hang on their arguments alone, which words and numbers tell apart. */
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
