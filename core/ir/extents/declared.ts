/**
 * Parameters that are declared as arrays (`double a[n][m]`) are pointers to C; a clause that names one whole means as
 * much as is declared. Where the pointer or a variable of the size changes in the function, nothing says how much.
 */

import { walkExpr } from "../../lang/index.ts";
import type { ArrayType, Expr, FunctionDef, Symbol } from "../../lang/tree/ast.ts";
import { intLit } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";

/** Elements in the first dimension, of the parameters for which it is known. */
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

/** What is not may change wherever a function is called. */
const isLocal = ({ kind, scope, type }: Symbol): boolean =>
  kind === "param" || scope === "block" || (kind === "var" && type.quals?.const === true);
