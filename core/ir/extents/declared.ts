/**
 * Parameters declared as arrays (`double a[n][m]`) are pointers in C; a clause that names one without a section means
 * the declared extent. If the function changes the pointer or a variable of the size, the extent is unknown.
 */

import { walkExpr } from "../../lang/index.ts";
import type { ArrayType, Expr, FunctionDef, Symbol } from "../../lang/tree/ast.ts";
import { intLit } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";

/** Number of elements in the first dimension, for the parameters where it is known. */
export function declaredExtents(def: FunctionDef): ReadonlyMap<Symbol, Expr> {
  const extents = new Map<Symbol, Expr>();
  if (!def.params.some((p) => p.asArray)) return extents;
  const uses = usesOf(def.body).of;
  const stays = (sym: Symbol) => {
    const use = uses.get(sym);
    return !use?.written && !use?.addressTaken;
  };
  for (const sym of def.params) {
    const extent = sym.asArray && stays(sym) ? extentOf(sym.asArray) : undefined;
    if (extent && variablesOf(extent).every((v) => v.kind === "enumerator" || (isLocal(v) && stays(v))))
      extents.set(sym, extent);
  }
  return extents;
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

/** Variables that are not local may change in any call. */
const isLocal = ({ kind, scope, type }: Symbol): boolean =>
  kind === "param" || scope === "block" || (kind === "var" && type.quals?.const === true);
