/** Different spellings of one place: `p->x`, `(*p).x` and `p[0].x`; `*(p + k)` and `p[k]`. */
import { mapExpr, printExpr } from "../../lang/index.ts";
import type { Expr } from "../../lang/tree/ast.ts";
import { index, intLit, stripImplicit } from "../../lang/tree/build.ts";

/** The same text for all spellings of a place. */
export const placeText = (place: Expr): string => printExpr(mapExpr(place, { expr: asSubscript }));

function asSubscript(e: Expr): Expr {
  if (e.kind === "member" && e.arrow) return { ...e, base: index(e.base, intLit(0), e.span), arrow: false };
  if (e.kind !== "unary" || e.op !== "*") return e;
  const pointer = stripImplicit(e.arg);
  return pointer.kind === "binary" && pointer.op === "+"
    ? index(pointer.left, pointer.right, e.span)
    : index(e.arg, intLit(0), e.span);
}
