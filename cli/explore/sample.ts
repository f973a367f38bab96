/**
 * Chooses the variants to consider in a space too large to be translated completely: first a seeded sample, then
 * variants that differ from the best so far in one axis (local search guided by a model: Hutter, Hoos and Leyton-Brown,
 * Sequential Model-Based Optimization for General Algorithm Configuration, 2011).
 */
import { itemAt } from "../../core/checked/access.ts";
import type { Variant } from "../../schema/contract/variants.ts";
import { randomFrom } from "./random.ts";

/** Spaces up to this size are considered completely. Larger ones are sampled: a translation takes about a second. */
const WHOLE = 256;
const SAMPLE = 64;
/** Neighbours added in each round. */
const MORE = 16;

/** The first variant, those with names of their own, and others chosen by the seed. */
export function sampleOf(
  variants: readonly Variant[],
  seed: number,
  size = variants.length <= WHOLE ? WHOLE : SAMPLE,
): readonly Variant[] {
  if (variants.length <= size) return variants;
  const chosen = new Set(variants.filter(({ called }, i) => i === 0 || called !== undefined).slice(0, size));
  const random = randomFrom(seed);
  while (chosen.size < size) chosen.add(itemAt(variants, Math.floor(random() * variants.length)));
  return variants.filter((variant) => chosen.has(variant));
}

/** Variants that differ from one of the best in one axis of one kernel, the neighbours of the best first. */
export function neighbours(
  variants: readonly Variant[],
  best: readonly Variant[],
  known: (variant: Variant) => boolean,
  most = MORE,
): readonly Variant[] {
  const found = new Set<Variant>();
  for (const one of best)
    for (const variant of variants) {
      if (found.size >= most) return [...found];
      if (!known(variant) && differing(one, variant) === 1) found.add(variant);
    }
  return [...found];
}

/** Number of differing choices; a value that applies to all kernels counts once. */
function differing(a: Variant, b: Variant): number {
  const kernels = Object.keys(a.kernels);
  const parts =
    kernels.length === 0 ? [[a.all, b.all]] : kernels.map((name) => [a.kernels[name], b.kernels[name]]);
  let count = 0;
  for (const [one = {}, other = {}] of parts)
    for (const key of Object.keys(one)) if (one[key] !== other[key]) count += 1;
  return count;
}
