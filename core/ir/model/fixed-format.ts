/** The names of formats of fixed-point numbers. */
import type { FixedPoint } from "./ir.ts";

/** Whole and places together. */
export const MOST_BITS = 64;

/** `q16.16`; undefined for what is no such format. */
export function fixedPoint(name: unknown): FixedPoint | undefined {
  const found = typeof name === "string" ? /^q(\d+)\.(\d+)$/.exec(name) : null;
  return found ? { whole: Number(found[1]), places: Number(found[2]) } : undefined;
}
