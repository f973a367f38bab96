/** One step of a reduction. */

import type { ReductionOp } from "../../core/ir/ir.ts";
import type { Expr } from "../../core/lang/ast.ts";
import { binary, cond } from "../../core/lang/build.ts";

export function combine(op: ReductionOp, a: Expr, b: Expr): Expr {
  if (op === "max") return cond(binary(">", a, b), a, b);
  if (op === "min") return cond(binary("<", a, b), a, b);
  return binary(op, a, b);
}
