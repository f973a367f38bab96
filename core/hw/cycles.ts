/** Operations that take cycles of their own: all others are logic between two registers. */
import { isFloatOp } from "./float/lowering.ts";
import type { Value } from "./graph.ts";

export const takesCycles = ({ op }: Value): boolean =>
  isFloatOp(op) || op === "mul" || op === "div" || op === "rem" || op === "fetch";
