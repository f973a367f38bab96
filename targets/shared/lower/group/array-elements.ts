/** Elements of arrays by one number. */
import { canonical, LONG, unqualified } from "../../../../core/lang/index.ts";
import type { CType, Expr } from "../../../../core/lang/tree/ast.ts";
import { binary, index, intLit } from "../../../../core/lang/tree/build.ts";

/** Numbers of elements, of the outer dimension first. */
export function dimensions(type: CType): number[] {
  const c = canonical(type);
  return c.kind === "array" ? [Number(c.size), ...dimensions(c.of)] : [];
}

/** The type with elements that can be set. */
export function unqualifiedArray(type: CType): CType {
  const c = canonical(type);
  return c.kind === "array" ? { ...c, of: unqualifiedArray(c.of) } : unqualified(c);
}

/** Element `t`, counted over all dimensions. */
export function subscripted(base: Expr, dims: readonly number[], t: Expr): Expr {
  let below = dims.reduce((a, b) => a * b, 1);
  return dims.reduce((at, n, k) => {
    below /= n;
    const quotient = below === 1 ? t : binary("/", t, intLit(below, LONG));
    return index(at, k === 0 ? quotient : binary("%", quotient, intLit(n, LONG)));
  }, base);
}
