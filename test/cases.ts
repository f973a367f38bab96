/**
 * How many cases properties are tried with. `ARC_PROPERTIES=TIMES` takes so many times as many, `ARC_PROPERTIES=TIMES:SEED`
 * begins with another seed than the test's own.
 */
const [times = 1, otherSeed] = (process.env.ARC_PROPERTIES ?? "").split(":").filter(Boolean).map(Number);

/** Parameters of a property: without a seed every run of the tests takes a new one, which a failure names. */
export function cases(
  numRuns: number,
  ownSeed?: number,
): { readonly numRuns: number; readonly seed?: number } {
  const seed = otherSeed ?? ownSeed;
  return { numRuns: Math.ceil(numRuns * times), ...(seed !== undefined && { seed }) };
}
