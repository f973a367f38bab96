/** Expressions without pointers for operations on pointers whose objects are known. */

import { firstOf, itemAt, lastOf } from "../../../checked/access.ts";
import { canonical, elementType, evaluateInteger, INT, PTRDIFF, pointerTo } from "../../../lang/index.ts";
import type { CType, Expr, Span } from "../../../lang/tree/ast.ts";
import {
  addressOf,
  binary,
  cast,
  convert,
  deref,
  ident,
  index,
  intLit,
  member,
  unary,
} from "../../../lang/tree/build.ts";
import { elementsIn } from "../scope/extents.ts";
import { unsupportedExpression } from "../scope/refusals.ts";
import { pure } from "../scope/syntax.ts";
import type { Leaf, Pointer } from "./points-to.ts";

/** Without C's implicit conversions, as the alternatives may be lvalues. */
export const choice = (test: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: "cond",
  test,
  then,
  else: otherwise,
  type: then.type,
  span: then.span,
});

export const after = (left: Expr, right: Expr): Expr => ({
  kind: "comma",
  left,
  right,
  type: right.type,
  span: right.span,
});

/** Evaluates effects one after the other; undefined if there are none. */
export function sequence(effects: readonly (Expr | undefined)[]): Expr | undefined {
  const [first, ...rest] = effects.filter((e) => e !== undefined);
  return first && rest.reduce<Expr>(after, first);
}

export function valueAfter(effects: readonly (Expr | undefined)[], value: Expr): Expr {
  const all = sequence(effects);
  return all ? after(all, value) : value;
}

/** The lvalue `e` at this place: a choice of several if it is not certain which. */
export function lvalues(place: Pointer, e: Expr): Expr {
  switch (place.kind) {
    case "choice":
      if (leadsNowhere(place.then)) return known(place.test, lvalues(place.otherwise, e));
      if (leadsNowhere(place.otherwise)) return known(place.test, lvalues(place.then, e));
      return choice(place.test, lvalues(place.then, e), lvalues(place.otherwise, e));
    case "after":
      return after(place.effect, lvalues(place.then, e));
    case "local":
      if (!leadsNowhere(place)) return lvalueAt(place, e.span);
      throw unsupportedExpression("what lies beside a variable that is no array", e.span.start);
    case "null":
      return deref(cast(pointerTo(e.type), intLit(0)), e.span);
    case "other":
      return place.e.kind === "unary" && place.e.op === "&" ? place.e.arg : deref(place.e, e.span);
  }
}

/** The innermost existing element. */
export function lvalueAt({ to, at }: Leaf & { readonly kind: "local" }, span: Span): Expr {
  return to.path.reduce<Expr>(
    (of, step, k) => {
      const place = itemAt(at, k + 1);
      if ("as" in step) return index(cast(pointerTo(step.as), addressOf(of)), place, span);
      return elementAt(member(of, step.member, false, span) as Expr, place, span);
    },
    elementAt(ident(to.sym, span), firstOf(at), span),
  );
}

/** Innermost elements of an array of arrays are contiguous. */
export function elementAt(of: Expr, place: Expr, span: Span): Expr {
  const inner = elementType(of.type);
  if (canonical(of.type).kind === "array" && inner) {
    const last = canonical(inner).kind !== "array";
    return last ? index(of, place, span) : elementAt(index(of, intLit(0), span), place, span);
  }
  return of;
}

/** Whether the pointer cannot be dereferenced: a null pointer, or one beside a variable that is not an array. */
function leadsNowhere(p: Pointer): boolean {
  if (p.kind === "choice") return leadsNowhere(p.then) && leadsNowhere(p.otherwise);
  if (p.kind === "after") return leadsNowhere(p.then);
  if (p.kind !== "local") return p.kind === "null";
  const place = evaluateInteger(lastOf(p.at)) ?? 0n;
  return place !== 0n && canonical(p.to.type).kind !== "array" && !p.to.path.some((step) => "as" in step);
}

/** Whether the pointer is not null. */
export function truthOf(p: Pointer): Expr {
  switch (p.kind) {
    case "choice":
      return either(p.test, truthOf(p.then), truthOf(p.otherwise));
    case "after":
      return after(p.effect, truthOf(p.then));
    case "other":
      return binary("!=", p.e, convert(intLit(0), p.e.type));
    default:
      return intLit(p.kind === "local" ? 1 : 0);
  }
}

/** A comparison or a difference, depending on `e`. */
export function compared(a: Pointer, b: Pointer, e: Expr & { readonly kind: "binary" }): Expr {
  if (a.kind === "choice") return either(a.test, compared(a.then, b, e), compared(a.otherwise, b, e));
  if (b.kind === "choice") return either(b.test, compared(a, b.then, e), compared(a, b.otherwise, e));
  if (a.kind === "after") return after(a.effect, compared(a.then, b, e));
  if (b.kind === "after") return after(b.effect, compared(a, b.then, e));
  const { op } = e;
  const equality = op === "==" || op === "!=";
  if (a.kind === "local" && b.kind === "local" && a.to.key === b.to.key) {
    const [x, y] = [lastOf(a.at), lastOf(b.at)];
    const stride = elementsIn(elementType(e.left.type) as CType);
    if (op === "-") {
      const apart = binary("-", x, y);
      return convert(stride === 1 ? apart : binary("/", apart, intLit(stride)), PTRDIFF);
    }
    if (!equality) return binary(op, x, y);
    const same = a.at.map((place, k) => binary("==", place, itemAt(b.at, k)));
    const all = same.reduce((first, next) => binary("&&", first, next));
    return op === "==" ? all : unary("!", all);
  }
  if (a.kind !== "other" || b.kind !== "other") {
    const bothNull = a.kind === "null" && b.kind === "null";
    if (bothNull || a.kind === "local" || b.kind === "local")
      return intLit((op === "==" && bothNull) || (op === "!=" && !bothNull) ? 1 : 0, e.type);
  }
  const value = (p: Leaf, type: CType) => (p.kind === "other" ? p.e : convert(intLit(0), type));
  return binary(op, value(a, e.left.type), value(b, e.right.type), e.span);
}

/** A choice of numbers; for 1 and 0 the test itself. */
function either(test: Expr, then: Expr, otherwise: Expr): Expr {
  const [x, y] = [evaluateInteger(then), evaluateInteger(otherwise)];
  if (x !== undefined && x === y) return known(test, then);
  if (x === 1n && y === 0n && canonical(test.type) === canonical(INT)) return test;
  return choice(test, then, otherwise);
}

/** The value if it does not depend on a test, whose side effects are kept. */
const known = (test: Expr, value: Expr): Expr => (pure(test) ? value : after(test, value));
