/** The values that pointer variables receive: by initialisation, assignment or as call arguments. */

import { isPointer, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";

/**
 * Calls `flow` for every value that a pointer variable named in the code receives. `parametersOf`: the parameters of a
 * function whose code is known.
 */
export function pointerFlows(
  code: Iterable<Stmt>,
  parametersOf: (callee: Symbol) => readonly Symbol[] | undefined,
  flow: (to: Symbol, from: Expr) => void,
): void {
  const toPointer = (to: Symbol | undefined, from: Expr | undefined) => {
    if (to && from && isPointer(to.type)) flow(to, from);
  };
  for (const s of code)
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "decl")
          for (const { sym, init } of child.decls) if (init?.kind === "expr") toPointer(sym, init.expr);
      },
      expr(e) {
        if (e.kind === "assign" && e.left.kind === "ident") toPointer(e.left.sym, e.right);
        const callee = e.kind === "call" ? calleeOf(e) : undefined;
        if (e.kind !== "call" || !callee) return;
        parametersOf(callee)?.forEach((p, i) => {
          toPointer(p, e.args[i]);
        });
      },
    });
}

/** The function that a call names; undefined for calls through pointers. */
export function calleeOf(e: Expr & { readonly kind: "call" }): Symbol | undefined {
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  return callee.kind === "ident" ? callee.sym : undefined;
}
