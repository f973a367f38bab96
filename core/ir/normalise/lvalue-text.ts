/**
 * Different spellings of one lvalue: `p->x`, `(*p).x`, `p[0].x` and `(&*p)->x`; `*(p + k)` and `p[k]`; `(&v)->x` and
 * `v.x`.
 */
import { canonical, evaluateInteger, mapExpr, printExpr } from "../../lang/index.ts";
import type { Expr, Span } from "../../lang/tree/ast.ts";
import { index, intLit, stripImplicit } from "../../lang/tree/build.ts";

/** The same text for all spellings of an lvalue. */
export const lvalueText = (lvalue: Expr): string => printExpr(mapExpr(lvalue, { expr: asSubscript }));

/** Of an expression whose parts are in this form already. */
function asSubscript(e: Expr): Expr {
  if (e.kind === "member" && e.arrow) return { ...e, base: element(e.base, e.span), arrow: false };
  if (e.kind === "index") return isZero(e.index) ? element(e.base, e.span) : e;
  if (e.kind !== "unary") return e;
  if (e.op === "*") return element(e.arg, e.span);
  const target = stripImplicit(e.arg);
  const isFirst = e.op === "&" && target.kind === "index" && isZero(target.index);
  return isFirst && canonical(stripImplicit(target.base).type).kind === "pointer" ? target.base : e;
}

/** What a pointer leads to. */
function element(pointer: Expr, span: Span): Expr {
  const e = stripImplicit(pointer);
  if (e.kind === "unary" && e.op === "&") return e.arg;
  if (e.kind !== "binary" || e.op !== "+") return index(pointer, intLit(0), span);
  const [base, at] = isAddress(e.right) ? [e.right, e.left] : [e.left, e.right];
  return index(base, at, span);
}

const isAddress = (e: Expr): boolean => ["pointer", "array"].includes(canonical(stripImplicit(e).type).kind);

const isZero = (e: Expr): boolean => evaluateInteger(e) === 0n;
