/** Arrays whose inner extents are known only at run time become flat: kernel languages have no such types. */

import { bare } from "../../core/ir/counted.ts";
import type { CType, Expr, Stmt, Symbol } from "../../core/lang/ast.ts";
import { binary, cast, ident, index, intLit } from "../../core/lang/build.ts";
import { canonical, LONG, mapStmt } from "../../core/lang/index.ts";

/** `extents`: for each such variable, the parameter that holds the extent of each dimension (from 1). */
export function flattenExtents(body: Stmt, extents: ReadonlyMap<Symbol, ReadonlyMap<number, Symbol>>): Stmt {
  if (extents.size === 0) return body;
  return mapStmt(body, {
    expr: (e) => {
      const chain = subscripts(e);
      if (!chain || chain.indices.length === 0 || canonical(e.type).kind === "array") return e;
      const known = extents.get(chain.root);
      if (!known) return e;
      let flat: Expr = cast(LONG, chain.indices[0] as Expr);
      let type = inner(chain.root.type);
      for (let dim = 1; dim < chain.indices.length; dim++) {
        const array = canonical(type) as CType & { kind: "array" };
        const size = known.get(dim);
        const extent = size ? ident(size) : intLit(Number(array.size ?? 0), LONG);
        flat = binary("+", binary("*", flat, extent), chain.indices[dim] as Expr);
        type = array.of;
      }
      return { ...index(ident(chain.root), flat), type: e.type } as Expr;
    },
  });
}

function inner(type: CType): CType {
  const c = canonical(type);
  return c.kind === "pointer" ? c.to : c.kind === "array" ? c.of : c;
}

function subscripts(e: Expr): { root: Symbol; indices: Expr[] } | undefined {
  const b = bare(e);
  if (b.kind === "ident") return { root: b.sym, indices: [] };
  if (b.kind === "unary" && b.op === "*") {
    const from = subscripts(b.arg);
    return from && { root: from.root, indices: [...from.indices, intLit(0)] };
  }
  if (b.kind !== "index") return undefined;
  const from = subscripts(b.base);
  return from && { root: from.root, indices: [...from.indices, b.index] };
}
