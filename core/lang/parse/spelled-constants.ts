/** How integer constants of declarations are kept: as the user wrote them, where that means the same in a kernel. */
import type { Expr } from "../tree/ast.ts";
import { intLit } from "../tree/build.ts";
import { evaluateInteger } from "../tree/constant-evaluation.ts";
import { walkExpr } from "../tree/walk.ts";

/** A kernel may have a pointer in place of an array that the constant is computed from: `sizeof a / sizeof *a`. */
export function namesVariable(expr: Expr): boolean {
  let found = false;
  walkExpr(expr, {
    expr(e) {
      found ||= e.kind === "ident" && e.sym.kind !== "enumerator";
      return !found;
    },
  });
  return found;
}

/** The constant as written, or its value where the text names a variable. */
export function spelledConstant(expr: Expr): Expr {
  const value = namesVariable(expr) ? evaluateInteger(expr) : undefined;
  return value === undefined ? expr : intLit(value, expr.type, expr.span);
}
