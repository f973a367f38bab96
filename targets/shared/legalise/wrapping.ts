/**
 * Signed integers that wrap, for compilers that take it that none overflows (-fwrapv):
 *
 *     a + b     =>   (int)((unsigned)a + (unsigned)b)
 *     a += b    =>   a = (int)((unsigned)a + (unsigned)b)
 */

import {
  build,
  canonical,
  intKind,
  intType,
  isInteger,
  isSigned,
  promote,
  sizeOf,
  unqualified,
  unsignedOf,
  usualArithmetic,
} from "../../../core/lang/index.ts";
import type { BinaryOp, CType, Expr } from "../../../core/lang/tree/ast.ts";
import { bitWidth, stripImplicit } from "../../../core/lang/tree/build.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { oncePlace, type Valued, withChanges } from "./single-evaluation.ts";

const { assign, binary, cast, intLit } = build;

export const withWrapping = (region: LoweredRegion): LoweredRegion =>
  mapBodies(region, (s) => withChanges(s, wrapping));

const OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*", "<<"]);

function wrapping(e: Expr, valued: Valued): Expr {
  switch (e.kind) {
    case "binary":
      return overflows(e.op, e.type) && !(isConstant(e.left) && isConstant(e.right))
        ? computed(e.op, e.left, e.right, e.type)
        : e;
    case "unary":
      return e.op === "-" && overflows("-", e.type) && !isConstant(e.arg)
        ? computed("-", intLit(0, e.type), e.arg, e.type)
        : e;
    case "assign":
      return compound(e);
    case "incdec":
      return step(e, valued);
    default:
      return e;
  }
}

const isConstant = (e: Expr): boolean => {
  const inner = stripImplicit(e);
  return inner.kind === "int" || inner.kind === "char";
};

/** Whether results of this type may be too large: those of smaller types are computed as int. */
const overflows = (op: string, type: CType): boolean =>
  OPERATORS.has(op) && isInteger(type) && isSigned(type) && (sizeOf(type) ?? 0) >= 4;

function computed(op: BinaryOp, left: Expr, right: Expr, type: CType): Expr {
  const kind = intKind(type) ?? "int";
  const unsigned = intType(unsignedOf(kind));
  const second = op === "<<" ? right : cast(unsigned, right);
  return cast(unqualified(type), binary(op, cast(unsigned, left), second));
}

/** The type in which a compound assignment computes, unless the result always fits. */
function computedType(op: string, left: Expr, right: Expr): CType | undefined {
  if (!isInteger(left.type) || !isInteger(right.type) || bitWidth(left) !== undefined) return undefined;
  const type = op === "<<" ? promote(left.type) : usualArithmetic(promote(left.type), promote(right.type));
  return type && overflows(op, type) ? canonical(type) : undefined;
}

function compound(e: Expr & { readonly kind: "assign" }): Expr {
  const op = e.op.slice(0, -1) as BinaryOp;
  const type = e.op === "=" ? undefined : computedType(op, e.left, e.right);
  return type ? changed(e.left, op, e.right, type) : e;
}

/** `left = left op right`, where `left` is evaluated once. */
const changed = (left: Expr, op: BinaryOp, right: Expr, type: CType): Expr =>
  oncePlace(left, (place) => assign(place, computed(op, place, right, type)));

/** The value before a step is computed from the one behind it, as both wrap. */
function step(e: Expr & { readonly kind: "incdec" }, valued: Valued): Expr {
  const type = unqualified(e.arg.type);
  if (!overflows("+", type) || bitWidth(e.arg) !== undefined) return e;
  const [by, back] = e.op === "++" ? (["+", "-"] as const) : (["-", "+"] as const);
  const change = changed(e.arg, by, intLit(1, type), type);
  return e.prefix ? change : valued(change, computed(back, change, intLit(1, type), type));
}
