/** Expressions with side effects on variables. */

import { elementType, isPointer, sizeOf } from "../../../lang/index.ts";
import type { CType, Expr } from "../../../lang/tree/ast.ts";
import type { Value } from "../../dfg/value.ts";
import { stripped } from "../scope/syntax.ts";
import { cast, converted, isReal, realCode } from "./conversions.ts";
import { settledLvalue } from "./lvalues.ts";
import { offsetAddress } from "./memory.ts";
import { arithmetic, negated, promotedShape, shift } from "./operators.ts";
import type { Path } from "./path.ts";
import { assign, assignTo, loadedFrom, storedIn } from "./variables.ts";

/** Evaluates an expression for its side effects; `unconditional`: even if control has left. */
export function effect(path: Path, e: Expr, base: Value, unconditional = false): void {
  if (unconditional) {
    path.ignoringExits = true;
    effect(path, e, base);
    path.ignoringExits = false;
    return;
  }
  const guard = path.effective(base);
  if (e.kind === "comma") {
    effect(path, e.left, base);
    effect(path, e.right, base);
  } else if (e.kind === "assign") assignment(path, e, guard);
  else if (e.kind === "incdec") increment(path, e, guard);
  else path.value(e, guard, true);
}

export function assignment(path: Path, e: Expr & { readonly kind: "assign" }, guard: Value): Value {
  const left = stripped(e.left);
  if (e.op === "=") {
    const value = converted(path, e.right, e.left.type, guard);
    return assign(path, left, value, guard);
  }
  const lvalue = settledLvalue(path, left, guard);
  const old = loadedFrom(path, lvalue, left, guard);
  const op = e.op.slice(0, -1);
  const at = e.span.start;
  let result: Value;
  if (isPointer(left.type)) {
    const by = path.value(e.right, guard);
    const signedBy = op === "-" ? negated(path.graph, by) : by;
    result = offsetAddress(path, old, signedBy, sizeOf(elementType(left.type) as CType), at);
  } else if (op === "<<" || op === ">>") {
    const promoted = promotedShape(old.shape);
    result = shift(path.graph, op, path.graph.resize(old, promoted), path.value(e.right, guard));
  } else {
    const right = path.value(e.right, guard);
    const common = path.scope.shapeOf(e.right.type, at);
    result = arithmetic(path.graph, op, cast(path.graph, old, common, at), right, common, at);
  }
  const value = cast(path.graph, result, path.scope.shapeOf(left.type, at), at);
  assignTo(path, lvalue, left, value, guard);
  return storedIn(path, lvalue, value);
}

export function increment(path: Path, e: Expr & { readonly kind: "incdec" }, guard: Value): Value {
  const arg = stripped(e.arg);
  const lvalue = settledLvalue(path, arg, guard);
  const old = loadedFrom(path, lvalue, arg, guard);
  const at = e.span.start;
  let next: Value;
  if (isPointer(e.type)) {
    const by = path.graph.constant(e.op === "++" ? 1 : -1, { bits: path.scope.addressBits, signed: true });
    next = offsetAddress(path, old, by, sizeOf(elementType(e.type) as CType), at);
  } else if (isReal(old.shape)) {
    const one = path.graph.constant(realCode(1, old.shape), old.shape);
    next = arithmetic(path.graph, e.op === "++" ? "+" : "-", old, one, old.shape, at);
  } else if (old.shape.bits === 1) {
    // The sum is converted to _Bool, which is not arithmetic modulo 2 (C11 6.3.1.2).
    next = e.op === "++" ? path.yes : path.graph.not(old);
  } else {
    next = path.graph.make("add", old.shape, [old, path.graph.constant(e.op === "++" ? 1 : -1, old.shape)]);
  }
  assignTo(path, lvalue, arg, next, guard);
  return e.prefix ? storedIn(path, lvalue, next) : old;
}
