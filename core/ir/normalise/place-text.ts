/** Different spellings of one place: `p->x`, `(*p).x`, `p[0].x` and `(&p[0])->x`; `*(p + k)` and `p[k]`. */
import { mapExpr, printExpr } from "../../lang/index.ts";
import type { Expr, Span } from "../../lang/tree/ast.ts";
import { index, intLit, stripImplicit } from "../../lang/tree/build.ts";

/** The same text for all spellings of a place. */
export const placeText = (place: Expr): string => printExpr(mapExpr(place, { expr: asSubscript }));

function asSubscript(e: Expr): Expr {
  if (e.kind === "member" && e.arrow) return { ...e, base: target(e.base, e.span), arrow: false };
  if (e.kind === "unary" && e.op === "&") {
    const object = stripImplicit(e.arg);
    return object.kind === "index" && isZero(object.index) ? object.base : e;
  }
  if (e.kind !== "unary" || e.op !== "*") return e;
  const pointer = stripImplicit(e.arg);
  return pointer.kind === "binary" && pointer.op === "+"
    ? index(pointer.left, pointer.right, e.span)
    : target(e.arg, e.span);
}

/** What a pointer leads to. */
function target(pointer: Expr, span: Span): Expr {
  const place = stripImplicit(pointer);
  return place.kind === "unary" && place.op === "&" ? place.arg : index(pointer, intLit(0), span);
}

const isZero = (e: Expr): boolean => e.kind === "int" && e.value === 0n;
