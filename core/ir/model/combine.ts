/** One step of a reduction. */

import type { Expr } from "../../lang/tree/ast.ts";
import { binary, cond } from "../../lang/tree/build.ts";
import type { ReductionOp } from "./ir.ts";

export function combine(op: ReductionOp, a: Expr, b: Expr): Expr {
  if (op === "max") return cond(binary(">", a, b), a, b);
  if (op === "min") return cond(binary("<", a, b), a, b);
  return binary(op, a, b);
}
