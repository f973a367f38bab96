/**
 * V8 flags for less optimisation. Thousands of small actions each pass through the same few functions once, so much of
 * the optimised code is not worth the time, and compiling it takes a processor that actions could use. Not for
 * processes that translate C: the compiler depends on optimised code.
 */
import { setFlagsFromString } from "node:v8";

export function optimiseLittle(): void {
  // Optimise only functions that were called four times as often as V8 requires by default.
  setFlagsFromString("--interrupt-budget=270336");
  // A quarter of V8's default for inlining.
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=250");
}
