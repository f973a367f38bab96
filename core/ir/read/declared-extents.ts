/**
 * Parameters that are declared as arrays (`double a[n][m]`) are pointers to C; a clause that names one whole means as
 * much as is declared. Where the pointer or a variable of the size changes in the function, nothing says how much.
 */

import { mapStmt, walkExpr } from "../../lang/index.ts";
import type { ArrayType, Expr, FunctionDef, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { intLit } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";
import type { DataItem, IrNode, Mapping } from "../model/ir.ts";

/** What moves data or makes room for it. */
const sized: ReadonlySet<Mapping> = new Set([
  "to",
  "from",
  "tofrom",
  "allocate",
  "update-self",
  "update-device",
]);

/** `body`: that of the function once its directives are read. */
export function withDeclaredExtents(def: FunctionDef, body: Stmt): Stmt {
  if (body === def.body || !def.params.some((p) => p.asArray)) return body;
  const uses = usesOf(def.body).of;
  const stays = (sym: Symbol) => {
    const use = uses.get(sym);
    return !use?.written && !use?.addressTaken;
  };
  const extents = new Map<Symbol, Expr>();
  for (const sym of def.params) {
    const extent = sym.asArray && stays(sym) ? extentOf(sym.asArray) : undefined;
    if (extent && variablesOf(extent).every((v) => v.kind === "enumerator" || (isLocal(v) && stays(v))))
      extents.set(sym, extent);
  }
  const item = (i: DataItem): DataItem => {
    const length = i.object.kind === "ident" ? extents.get(i.sym) : undefined;
    return length && i.section.length === 0 && sized.has(i.mapping.is) ? { ...i, section: [{ length }] } : i;
  };
  return mapStmt(body, {
    stmt(s) {
      const n = s.kind === "ext" ? (s.ext as IrNode) : undefined;
      return n && "items" in n && s.kind === "ext"
        ? { ...s, ext: { ...n, items: n.items.map(item) } as IrNode }
        : s;
    },
  });
}

function extentOf({ size }: ArrayType): Expr | undefined {
  if (typeof size === "number") return intLit(size);
  return size === "*" ? undefined : size;
}

function variablesOf(e: Expr): Symbol[] {
  const found: Symbol[] = [];
  walkExpr(e, { expr: (part) => void (part.kind === "ident" && found.push(part.sym)) });
  return found;
}

/** What is not may change wherever a function is called. */
const isLocal = ({ kind, scope, type }: Symbol): boolean =>
  kind === "param" || scope === "block" || (kind === "var" && type.quals?.const === true);
