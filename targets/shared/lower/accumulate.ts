/**
 * Reductions into kernel parameters: the loop accumulates in a local variable, which is
 * combined with the parameter afterwards.
 */

import { entryOf } from "../../../core/checked/access.ts";
import { combine } from "../../../core/ir/model/combine.ts";
import { identity } from "../../../core/ir/model/identity.ts";
import { asNode, type Loop, type Reduction } from "../../../core/ir/model/ir.ts";
import { mapChildren, substitute } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";
import { assign, compound, declare, exprStmt, freshSymbol, ident } from "../../../core/lang/tree/build.ts";

export function accumulateApart(s: Stmt, applies: (loop: Loop, reduction: Reduction) => boolean): Stmt {
  const loop = asNode(s, "loop");
  const apart = loop?.reductions.filter((r) => applies(loop, r)) ?? [];
  if (!loop || s.kind !== "ext" || apart.length === 0)
    return mapChildren(s, (child) => accumulateApart(child, applies));
  const own = new Map(apart.map((r) => [r.sym, freshSymbol(`${r.sym.name}_part`, r.sym.type)]));
  const names = new Map([...own].map(([from, to]) => [from, ident(to)]));
  const part = (r: Reduction) => entryOf(own, r.sym);
  const ext: Loop = {
    ...loop,
    reductions: loop.reductions.map((r) => ({ ...r, sym: own.get(r.sym) ?? r.sym })),
    body: substitute(accumulateApart(loop.body, applies), names),
  };
  return compound(
    [
      ...apart.map((r) => declare(part(r), identity(r.op, r.sym.type))),
      { ...s, ext },
      ...apart.map((r) => exprStmt(assign(ident(r.sym), combine(r.op, ident(r.sym), ident(part(r)))))),
    ],
    s.span,
  );
}
