/** Atomic operations on halves, and of halves on other numbers. The helpers of `print/atomics.ts` convert what they change. */
import type { Atomic } from "../../../core/ir/model/ir.ts";
import { build, unqualified } from "../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import { halfValue, isHalf, storedHalf } from "./conversions.ts";

const { assign, compound, declare, exprStmt, freshSymbol, ident } = build;

interface Conversions {
  readonly value: (e: Expr) => Expr;
  readonly stored: (e: Expr) => Expr;
}

export function atomicOfHalf(s: Stmt & { readonly kind: "ext" }, n: Atomic, by: Conversions): Stmt {
  const { target, what } = n;
  const stored = (e: Expr): Expr => {
    const own = by.stored(e);
    return isHalf(own.type) ? own : storedHalf(own);
  };
  const operand = what === "write" && isHalf(target.type) ? stored : by.value;
  const own: Atomic = {
    ...n,
    ...(n.value && { value: operand(n.value) }),
    ...(n.expected && { expected: by.value(n.expected) }),
  };
  const { captured } = n;
  if (!captured || isHalf(captured.type) === isHalf(target.type)) return { ...s, ext: own };
  // Helpers return what the object holds.
  const old = freshSymbol("arc_value", unqualified(target.type));
  const capturing: Atomic = { ...own, captured: ident(old) };
  const value = isHalf(target.type) ? halfValue(ident(old)) : storedHalf(ident(old));
  return compound([declare(old), { ...s, ext: capturing }, exprStmt(assign(captured, value))], s.span);
}
