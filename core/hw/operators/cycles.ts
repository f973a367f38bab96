/** Operations that take whole cycles; all others are logic between two registers. */

import type { Value } from "../dfg/value.ts";
import { isFloatOp } from "./lowering.ts";

export const takesCycles = ({ op }: Value): boolean =>
  isFloatOp(op) || op === "mul" || op === "div" || op === "rem" || op === "fetch";
