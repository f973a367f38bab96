/**
 * `char` without a sign (-funsigned-char), for languages where it has one: wherever a value is converted from `char`, it
 * is `unsigned char` first.
 */

import { build, CHAR, canonical, mapStmt, promote, UCHAR } from "../../../core/lang/index.ts";
import type { BinaryOp, Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { oncePlace } from "./single-evaluation.ts";

const { assign, binary, cast, intLit } = build;

export const withUnsignedChar = (region: LoweredRegion): LoweredRegion =>
  mapBodies(region, (s) => mapStmt(s, { expr: unsignedExpr, stmt: unsignedTest }));

const isChar = (e: Expr): boolean => canonical(e.type) === CHAR;

const unsigned = (e: Expr): Expr => (isChar(e) ? cast(UCHAR, e) : e);

function unsignedExpr(e: Expr): Expr {
  switch (e.kind) {
    case "char":
      // A constant such as '\xff'.
      return e.value < 0n && e.value >= -128n ? intLit(e.value + 256n, e.type, e.span) : e;
    case "cast":
      return isChar(e.arg) && canonical(e.to) !== CHAR ? { ...e, arg: unsigned(e.arg) } : e;
    case "index":
      return { ...e, index: unsigned(e.index) };
    case "binary":
      return { ...e, left: unsigned(e.left), right: unsigned(e.right) };
    case "assign":
      return divided(e);
    default:
      return e;
  }
}

/** Of the operations that a compound assignment does, these see the sign. */
const SEES_SIGN: ReadonlySet<string> = new Set(["/=", "%=", ">>="]);

function divided(e: Expr & { readonly kind: "assign" }): Expr {
  if (e.op === "=" || !isChar(e.left) || (isIntegral(e.right) && !SEES_SIGN.has(e.op))) return e;
  const op = e.op.slice(0, -1) as BinaryOp;
  return oncePlace(e.left, (place) => assign(place, binary(op, unsigned(place), e.right)));
}

const isIntegral = (e: Expr): boolean => canonical(promote(e.type)).kind === "int";

const unsignedTest = (s: Stmt): Stmt =>
  s.kind === "switch" && isChar(s.test) ? { ...s, test: unsigned(s.test) } : s;
