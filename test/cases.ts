/**
 * How many cases properties are tried with, and which: every run takes half of what a test names, the same each time,
 * `ARC_SLOW_TESTS=1` all, `ARC_PROPERTIES=TIMES` that many times what it names, and `ARC_PROPERTIES=TIMES:SEED` those of
 * another seed.
 */
import { slow } from "./sampled.ts";

const [times = slow ? 1 : 0.5, seed = 1] = (process.env.ARC_PROPERTIES ?? "")
  .split(":")
  .filter(Boolean)
  .map(Number);

/** Seeds of as many batches of random programs. */
export const seedsOf = (batches: number): readonly number[] =>
  Array.from({ length: Math.ceil(batches * times) }, (_, k) => seed * 1000 + k);

/** Parameters of a property, or of a sample. */
export function cases(numRuns: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.ceil(numRuns * times), seed };
}
