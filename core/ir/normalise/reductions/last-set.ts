/**
 * Variables that each iteration of a loop sets before it reads them, and that are read behind the loop, too. Lanes work
 * with their own, and store in the variable that all have what they set:
 *
 *     loop vector                             loop vector
 *       if (j == k) {                 =>        if (j == k) {
 *         last = a[j];                            last = own = a[j];
 *         b[j] = last + 1;                        b[j] = own + 1;
 *       }                                       }
 *     q[i] = last;                            q[i] = last;
 */
import { mapStmt, substitute, unqualified, walkStmt } from "../../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { assign, compound, declare, freshSymbol, ident, stripImplicit } from "../../../lang/tree/build.ts";
import { nodesIn } from "../../model/nodes.ts";

/** The loop's body. Undefined: it changes the variable other than by assignments, or reduces it. */
export function storingLast(body: Stmt, sym: Symbol): Stmt | undefined {
  for (const { reductions } of nodesIn(body, "loop"))
    if (reductions.some((r) => r.sym === sym)) return undefined;
  const own = freshSymbol(sym.name, unqualified(sym.type));
  const isOwn = (e: Expr): boolean => {
    const inner = stripImplicit(e);
    return inner.kind === "ident" && inner.sym === own;
  };
  const renamed = substitute(body, new Map([[sym, ident(own)]]));
  let onlyAssigned = true;
  walkStmt(renamed, {
    expr: (e) => {
      if (e.kind === "incdec" && isOwn(e.arg)) onlyAssigned = false;
    },
  });
  if (!onlyAssigned) return undefined;
  const stored = mapStmt(renamed, {
    expr: (e) => (e.kind === "assign" && isOwn(e.left) ? assign(ident(sym), e) : e),
  });
  return compound([declare(own), stored], body.span);
}
