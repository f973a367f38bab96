/** Gives every loop variable and private its own symbol, so that rewriting one never touches another. */

import { asNode, type Loop } from "../../../core/ir/model/ir.ts";
import { mapChildren, substitute } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { freshSymbol, ident } from "../../../core/lang/tree/build.ts";

export function isolate(s: Stmt): Stmt {
  const loop = asNode(s, "loop");
  if (!loop || s.kind !== "ext") return mapChildren(s, isolate);
  const own = new Map<Symbol, Symbol>();
  for (const sym of [...loop.headers.map((h) => h.var), ...loop.privates])
    if (!own.has(sym)) own.set(sym, freshSymbol(sym.name, sym.type));
  const rename = new Map([...own].map(([from, to]) => [from, ident(to)]));
  const body = isolate(substitute(loop.body, rename));
  const to = (sym: Symbol) => own.get(sym) ?? sym;
  const renamed: Loop = {
    ...loop,
    headers: loop.headers.map((h) => ({ ...h, var: to(h.var) })),
    privates: loop.privates.map(to),
    body,
  };
  return { ...s, ext: renamed };
}
