/** How often a loop's body is copied: according to the variant, else to the source. */

import type { Assignment } from "../../../../schema/document/axis.ts";
import type { Loop } from "../../../ir/model/ir.ts";

/** Iterations per step of a loop's window; 0: it has none. */
export function windowFactor(loop: Loop, choice: Assignment): number {
  if (!loop.hints?.windows) return 0;
  const asked = choice.window ?? "auto";
  if (asked !== "auto") return Number(asked);
  return loop.hints.unroll || 1;
}

/** Iterations per step of a loop's reduction. */
export function reductionFactor(loop: Loop, choice: Assignment): number {
  const window = windowFactor(loop, choice);
  if (window > 0) return window;
  const asked = choice.reduction ?? "auto";
  return typeof asked === "number" && asked > 0 ? asked : loop.hints?.unroll || 1;
}
