/** Names of fixed-point formats. */
import type { FixedPoint } from "./ir.ts";

/** Integer and fraction bits together. */
export const MOST_BITS = 64;

/** `q16.16`; undefined if the name is not a format. */
export function fixedPoint(name: unknown): FixedPoint | undefined {
  const found = typeof name === "string" ? /^q(\d+)\.(\d+)$/.exec(name) : null;
  return found ? { whole: Number(found[1]), fractionBits: Number(found[2]) } : undefined;
}
