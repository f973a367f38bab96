/** How often a loop's body is copied: according to the variant, else to the source. */

import type { Assignment } from "../../../../schema/document/axis.ts";
import type { Loop } from "../../../ir/model/ir.ts";

/** Iterations per step of a loop's window; 0: it has none. */
export function windowFactor(loop: Loop, choice: Assignment): number {
  if (!loop.hints?.windows) return 0;
  const requested = choice.window ?? "auto";
  if (requested !== "auto") return Number(requested);
  return loop.hints.unroll || 1;
}

/** Iterations per step of a loop's reduction. */
export function reductionFactor(loop: Loop, choice: Assignment): number {
  const window = windowFactor(loop, choice);
  if (window > 0) return window;
  const requested = choice.reduction;
  return typeof requested === "number" ? requested : loop.hints?.unroll || 1;
}
