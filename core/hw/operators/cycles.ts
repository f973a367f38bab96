/** Operations that take whole cycles; all others are logic between two registers. */

import type { Value } from "../dfg/value.ts";
import { isFloatOperation } from "./lowering.ts";

export const takesCycles = (value: Value): boolean =>
  isFloatOperation(value) || ["mul", "div", "rem", "fetch"].includes(value.op);
