/** Counting loops in emitted code. */

import { evaluateInteger } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { assign, binary, declare, forStmt, ident, incdec } from "../../../core/lang/tree/build.ts";

/** `for (long t = start; t < end; t += stride) body` */
export function counted(t: Symbol, start: Expr, end: Expr, stride: Expr, body: Stmt): Stmt {
  const one = evaluateInteger(stride) === 1n;
  return forStmt(
    declare(t, start),
    binary("<", ident(t), end),
    one ? incdec("++", false, ident(t)) : assign(ident(t), stride, "+="),
    body,
  );
}
