/** 64-bit index arithmetic and conditions with constant folding; an undefined condition always holds. */

import { long } from "../../../../targets/shared/loops/trips.ts";
import { evaluateInteger, INT, LONG } from "../../../lang/index.ts";
import type { Expr } from "../../../lang/tree/ast.ts";
import { binary, intLit, unary } from "../../../lang/tree/build.ts";

export { long };

/** A constant in the shortest type that holds it: the other operand decides the width. */
export function constant(value: bigint): Expr {
  return intLit(value, value >= -0x7fffffffn && value <= 0x7fffffffn ? INT : LONG);
}

/** Constants are collected at the right: (x + 2) + 3 becomes x + 5. */
export function add(a: Expr, b: Expr): Expr {
  const [x, y] = [evaluateInteger(a), evaluateInteger(b)];
  if (x !== undefined && y !== undefined) return constant(x + y);
  if (x !== undefined) return add(b, a);
  if (y === undefined) return binary("+", a, b);
  if (y === 0n) return a;
  const inner = a.kind === "binary" && (a.op === "+" || a.op === "-") ? evaluateInteger(a.right) : undefined;
  if (a.kind === "binary" && inner !== undefined)
    return add(a.left, constant((a.op === "+" ? inner : -inner) + y));
  return y < 0n ? binary("-", a, constant(-y)) : binary("+", a, constant(y));
}

export function times(e: Expr, by: bigint): Expr {
  const value = evaluateInteger(e);
  if (value !== undefined) return constant(value * by);
  if (by === 0n || by === 1n) return by === 0n ? constant(0n) : e;
  return by === -1n ? unary("-", long(e)) : binary("*", long(e), constant(by));
}

function compared(op: "<" | ">=", a: Expr, b: Expr): Expr | undefined {
  const [x, y] = [evaluateInteger(a), evaluateInteger(b)];
  if (x !== undefined && y !== undefined) return (op === "<" ? x < y : x >= y) ? undefined : intLit(0);
  return binary(op, a, b);
}

export const less = (a: Expr, b: Expr): Expr | undefined => compared("<", a, b);
export const atLeast = (a: Expr, b: Expr): Expr | undefined => compared(">=", a, b);

export function conj(conditions: readonly (Expr | undefined)[]): Expr | undefined {
  const real = conditions.filter((c): c is Expr => c !== undefined);
  return real.length ? real.reduce((a, b) => binary("&&", a, b)) : undefined;
}
