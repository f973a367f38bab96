/** Pointers that hold addresses of the device's memory alone: OpenMP takes them as they are, OpenACC by `deviceptr`. */
import { canonical, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, External, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";

const gives = new Set(["omp_target_alloc", "omp_get_mapped_ptr"]);

/** Variables of which all values come from the device's allocation, through casts and arithmetic. */
export function deviceAddresses(externals: readonly External[]): ReadonlySet<Symbol> {
  const values = new Map<Symbol, Expr[]>();
  const lost = new Set<Symbol>();
  const give = (sym: Symbol, value: Expr): void => {
    values.set(sym, [...(values.get(sym) ?? []), value]);
  };
  const visitor = {
    expr(e: Expr) {
      if (e.kind === "unary" && e.op === "&" && e.arg.kind === "ident") lost.add(e.arg.sym);
      if (e.kind === "incdec" && e.arg.kind === "ident") lost.add(e.arg.sym);
      if (e.kind !== "assign" || e.left.kind !== "ident") return;
      if (e.op === "=") give(e.left.sym, e.right);
      else lost.add(e.left.sym);
    },
  };
  for (const external of externals) {
    if (external.kind !== "function") continue;
    for (const param of external.params) lost.add(param);
    walkStmt(external.body, {
      ...visitor,
      stmt(s) {
        if (s.kind !== "decl") return;
        for (const { sym, init } of s.decls)
          if (init?.kind === "expr" && canonical(sym.type).kind === "pointer") give(sym, init.expr);
      },
    });
  }
  for (const external of externals)
    if (external.kind === "decl")
      for (const { sym, init } of external.decls) {
        // Other files may set what they see.
        if (sym.kind === "var" && external.kind === "decl") lost.add(sym);
        if (init?.kind === "expr") walkExpr(init.expr, visitor);
      }
  const found = new Set<Symbol>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [sym, list] of values)
      if (!lost.has(sym) && list.every((value) => isAddress(value, found))) found.add(sym);
  }
  return found;
}

function isAddress(value: Expr, known: ReadonlySet<Symbol>): boolean {
  const e = stripImplicit(value);
  if (e.kind === "cast") return isAddress(e.arg, known);
  if (e.kind === "ident") return known.has(e.sym);
  if (e.kind === "call") return e.callee.kind === "ident" && gives.has(e.callee.sym.name);
  if (e.kind !== "binary" || canonical(e.type).kind !== "pointer") return false;
  return (e.op === "+" || e.op === "-") && (isAddress(e.left, known) || isAddress(e.right, known));
}
