/**
 * V8 flags for less optimisation.
 */
import { setFlagsFromString } from "node:v8";

/**
 * Thousands of small actions each pass through the same few functions once, so much of
 * the optimised code is not worth the time, and compiling it takes a processor that actions could use. Not for
 * processes that translate C: the compiler depends on optimised code.
 */
export function optimiseLittle(): void {
  // Optimise only functions that were called four times as often as V8 requires by default.
  setFlagsFromString("--interrupt-budget=270336");
  // A quarter of V8's default for inlining.
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=250");
}

/**
 * Reading some files calls most functions a few times, and some often. What a function meets is noted from its second
 * kilobyte of bytecode on, not from its first call as where one file is read, and only the busiest are optimised.
 */
export function optimiseBusiest(): void {
  setFlagsFromString("--lazy-feedback-allocation");
  // Eight times V8's default, as for a compilation (scripts/startup-snapshot.mjs).
  setFlagsFromString("--interrupt-budget=540672");
}
