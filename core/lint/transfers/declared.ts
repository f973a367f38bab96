/** Variables that belong to a statement. */
import { walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";

/** Those declared in it. */
export function declaredIn(stmt: Stmt): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(stmt, {
    stmt(s) {
      if (s.kind === "decl") for (const d of s.decls) found.add(d.sym);
    },
    expr: () => false,
  });
  return found;
}
