/** Assignments of complete objects: arrays element by element, initialiser lists through an initialised object. */

import { canonical, isArray, LONG, unqualified } from "../../../core/lang/index.ts";
import type { CType, Expr, Init, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { assign, exprStmt, freshSymbol, ident, index, intLit } from "../../../core/lang/tree/build.ts";
import { counted } from "../device/counted-loop.ts";

/** Statements that assign the value of `init` to a variable of `type`, ignoring qualifiers. */
export function assignedInitialiser(sym: Symbol, init: Init, type: CType = sym.type): Stmt[] {
  if (init.kind === "expr" && !isArray(type)) return [exprStmt(assign(ident(sym), init.expr))];
  const copy = freshSymbol(`${sym.name}_initial`, type);
  const { span } = sym;
  return [
    { kind: "decl", decls: [{ sym: copy, init, span }], defines: [], span },
    copied(ident(sym), ident(copy)),
  ];
}

function copied(to: Expr, from: Expr): Stmt {
  const type = canonical(to.type);
  if (type.kind !== "array" || typeof type.size !== "number") return exprStmt(assign(to, from));
  const k = freshSymbol("arc_k", LONG);
  const element = copied(index(to, ident(k)), index(from, ident(k)));
  return counted(k, intLit(0, LONG), intLit(type.size, LONG), intLit(1, LONG), element);
}

/** Without `const` and other qualifiers, including those of elements. */
export function writable(type: CType): CType {
  const c = canonical(type);
  return c.kind === "array" ? { ...c, of: writable(c.of) } : c.quals ? unqualified(type) : type;
}
