/**
 * How many cases properties are tried with, and which: the same in every run, unless `ARC_PROPERTIES=TIMES` takes so many
 * times as many, or `ARC_PROPERTIES=TIMES:SEED` those of another seed.
 */
const [times = 1, seed = 1] = (process.env.ARC_PROPERTIES ?? "").split(":").filter(Boolean).map(Number);

/** Seeds of as many batches of random programs. */
export const seedsOf = (batches: number): readonly number[] =>
  Array.from({ length: Math.ceil(batches * times) }, (_, k) => seed * 1000 + k);

/** Parameters of a property, or of a sample. */
export function cases(numRuns: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.ceil(numRuns * times), seed };
}
