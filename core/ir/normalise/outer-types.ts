/**
 * Array types whose size was computed before a region (C11 6.7.8p3): the region has access to variables, but not to
 * such types.
 */

import { isVariablyModified, sizeOf, walkStmt } from "../../lang/index.ts";
import type { CType, Diagnostic, Expr, Loc, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { rootOf, usesOf } from "../analysis/access.ts";
import { asNode, type Spmd } from "../model/ir.ts";

/** One diagnostic for each such type that the region mentions. */
export function sizesFromOutside({ body, privates }: Spmd): Diagnostic[] {
  const own = new Set<Symbol>();
  const found = new Map<Symbol, Diagnostic>();
  const visit = (type: CType, loc: Loc): void => {
    if (type.kind === "pointer") visit(type.to, loc);
    if (type.kind === "array") visit(type.of, loc);
    if (type.kind !== "typedef") return;
    if (!isVariablyModified(type) || own.has(type.sym)) visit(type.sym.type, loc);
    else if (!found.has(type.sym)) found.set(type.sym, diagnostic(type.sym, loc));
  };
  const used = usesOf(body).of;
  for (const { type, span } of privates) visit(type, span.start);
  walkStmt(body, {
    stmt(s) {
      for (const { type } of asNode(s, "loop")?.privates ?? []) visit(type, s.span.start);
      if (s.kind !== "decl") return;
      for (const { sym, span } of s.decls) {
        visit(sym.type, span.start);
        own.add(sym);
      }
    },
    expr(e) {
      const type = named(e);
      if (type) visit(type, e.span.start);
      const array = measured(e, used);
      if (array && !own.has(array) && !found.has(array)) found.set(array, diagnostic(array, e.span.start));
    },
  });
  return [...found.values()];
}

/** The type that an expression spells. */
function named(e: Expr): CType | undefined {
  if (e.kind === "cast") return e.implicit ? undefined : e.to;
  return e.kind === "compound" || e.kind === "sizeof" || e.kind === "alignof" ? e.of : undefined;
}

/** The array whose size `sizeof` needs at run time; the size of its rows is available if the region uses it. */
function measured(e: Expr, used: { has(sym: Symbol): boolean }): Symbol | undefined {
  const arg = e.kind === "sizeof" && e.arg ? stripImplicit(e.arg) : undefined;
  const root = arg && sizeOf(arg.type) === undefined ? rootOf(arg) : undefined;
  return root && (root === arg || !used.has(root.sym)) ? root.sym : undefined;
}

const diagnostic = ({ name }: Symbol, loc: Loc): Diagnostic => ({
  severity: "error",
  code: "size-from-outside",
  loc,
  message: `the size of '${name}' was computed where it is declared, outside of this region`,
  why: "a region is given the values of variables, not the sizes that types had when they were declared",
  remedy: `declare '${name}' in the region, or compute the size from variables`,
});
