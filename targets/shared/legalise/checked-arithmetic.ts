/**
 * gcc's builtins that compute and say whether the result fits its type, in plain C:
 *
 *     __builtin_add_overflow(a, b, &r)   =>   ({ const long arc_exact = (long)a + (long)b;
 *                                                r = (int)arc_exact;
 *                                                (long)(int)arc_exact != arc_exact; })
 *
 * Where 64 bits do not hold every exact result, its upper 64 bits are computed, too.
 */

import {
  build,
  canonical,
  intKind,
  intType,
  isSigned,
  mapStmt,
  unqualified,
} from "../../../core/lang/index.ts";
import type { CType, Expr, IntKind, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { calledFunction } from "../device/math.ts";
import { statementExpression } from "./single-evaluation.ts";

type Operation = "add" | "sub" | "mul";

const { assign, binary, cast, declare, deref, exprStmt, freshSymbol, ident, intLit } = build;

const LONG = intType("long");
const ULONG = intType("ulong");
const OPERATORS = { add: "+", sub: "-", mul: "*" } as const;
const BITS: Partial<Record<IntKind, number>> = {
  bool: 8,
  char: 8,
  schar: 8,
  uchar: 8,
  short: 16,
  ushort: 16,
  int: 32,
  uint: 32,
  long: 64,
  ulong: 64,
  llong: 64,
  ullong: 64,
};

/** The region without these builtins; those of wider integers remain. */
export const withoutChecks = (region: LoweredRegion): LoweredRegion =>
  mapBodies(region, (s) => mapStmt(s, { expr: (e) => (e.kind === "call" ? (inPlainC(e) ?? e) : e) }));

function inPlainC(e: Expr & { readonly kind: "call" }): Expr | undefined {
  const name = calledFunction(e) ?? "";
  const found = /^([su]?)(add|sub|mul)(l{0,2})_overflow(_p)?$/.exec(name);
  const [first, second, third] = e.args;
  if (!found || !first || !second || !third) return undefined;
  const [, sign = "", operation, length = "", tests] = found;
  // The functions with types in their names convert their arguments to these.
  const own = sign ? intType(kindOf(sign, length)) : undefined;
  const operand = (arg: Expr): Expr => (own ? cast(own, arg) : stripImplicit(arg));
  const a = operand(first);
  const b = operand(second);
  const onlyTests = tests !== undefined;
  const to = onlyTests ? stripImplicit(third).type : pointee(third);
  if (!to || [a.type, b.type, to].some((type) => widthOf(type) === undefined)) return undefined;
  return checked(
    operation as Operation,
    a,
    b,
    unqualified(to),
    onlyTests ? undefined : pointedAt(stripImplicit(third)),
  );
}

const pointedAt = (pointer: Expr): Expr =>
  pointer.kind === "unary" && pointer.op === "&" ? pointer.arg : deref(pointer);

const kindOf = (sign: string, length: string): IntKind => {
  const kind = length === "" ? "int" : length === "l" ? "long" : "llong";
  return sign === "u" ? (`u${kind}` as IntKind) : kind;
};

function pointee(e: Expr): CType | undefined {
  const c = canonical(stripImplicit(e).type);
  return c.kind === "pointer" ? c.to : undefined;
}

/** Bits of an integer type of at most 64. */
function widthOf(type: CType): number | undefined {
  const kind = intKind(type);
  return kind && BITS[kind];
}

/** Bits of a signed type that holds all values of this one. */
const asSigned = (type: CType): number => (widthOf(type) ?? 64) + (isSigned(type) ? 0 : 1);

function checked(op: Operation, a: Expr, b: Expr, to: CType, result: Expr | undefined): Expr {
  const [wa, wb] = [asSigned(a.type), asSigned(b.type)];
  const needed = op === "mul" ? wa + wb : Math.max(wa, wb) + 1;
  return needed <= 64 && asSigned(to) <= 64
    ? inOneWord(op, a, b, to, result)
    : inTwoWords(op, a, b, to, result);
}

function inOneWord(op: Operation, a: Expr, b: Expr, to: CType, result: Expr | undefined): Expr {
  const exact = variable("arc_exact", LONG, binary(OPERATORS[op], cast(LONG, a), cast(LONG, b)));
  const kept = cast(to, exact.value);
  return statementExpression(
    [exact.made, ...stored(result, kept)],
    binary("!=", cast(LONG, kept), exact.value),
  );
}

/** The exact result as 128 bits: 64 lower and 64 upper ones, in two's complement. */
function inTwoWords(op: Operation, a: Expr, b: Expr, to: CType, result: Expr | undefined): Expr {
  const x = variable("arc_a", unqualified(a.type), a);
  const y = variable("arc_b", unqualified(b.type), b);
  const [ux, uy] = [cast(ULONG, x.value), cast(ULONG, y.value)];
  // All ones where the operand is negative: its own upper half.
  const [hx, hy] = [upperOf(x.value), upperOf(y.value)];
  const low = variable("arc_low", ULONG, binary(OPERATORS[op], ux, uy));
  const { before, value } =
    op === "mul"
      ? upperOfProduct(ux, uy, hx, hy)
      : {
          before: [],
          value:
            op === "add"
              ? sum("+", sum("+", hx, hy), cast(ULONG, binary("<", low.value, ux)))
              : sum("-", sum("-", hx, hy), cast(ULONG, binary("<", ux, uy))),
        };
  const high = variable("arc_high", ULONG, value);
  const kept = cast(to, low.value);
  const differs = binary(
    "||",
    binary("!=", cast(ULONG, kept), low.value),
    binary("!=", upperOf(kept), high.value),
  );
  const flag = variable("arc_differs", intType("int"), differs);
  return statementExpression(
    [x.made, y.made, low.made, ...before, high.made, flag.made, ...stored(result, kept)],
    flag.value,
  );
}

/** Of the upper 64 bits of the product of two numbers of 128 bits. */
function upperOfProduct(x: Expr, y: Expr, hx: Expr, hy: Expr) {
  const half = (e: Expr): Expr => binary("&", e, intLit(0xffffffffn, ULONG));
  const top = (e: Expr): Expr => binary(">>", e, intLit(32));
  const low = variable("arc_ll", ULONG, binary("*", half(x), half(y)));
  const one = variable("arc_lh", ULONG, binary("*", half(x), top(y)));
  const other = variable("arc_hl", ULONG, binary("*", top(x), half(y)));
  const middle = variable(
    "arc_mid",
    ULONG,
    sum("+", sum("+", top(low.value), half(one.value)), half(other.value)),
  );
  const unsigned = sum(
    "+",
    sum("+", binary("*", top(x), top(y)), top(one.value)),
    sum("+", top(other.value), top(middle.value)),
  );
  const value = sum("-", sum("-", unsigned, binary("&", hx, y)), binary("&", hy, x));
  return { before: [low.made, one.made, other.made, middle.made], value };
}

/** All ones of a negative number, and else zero. */
const upperOf = (e: Expr): Expr =>
  isSigned(e.type)
    ? binary("-", intLit(0n, ULONG), cast(ULONG, binary("<", e, intLit(0, e.type))))
    : intLit(0n, ULONG);

const sum = (op: "+" | "-", a: Expr, b: Expr): Expr => binary(op, a, b);

const stored = (to: Expr | undefined, value: Expr) => (to ? [exprStmt(assign(to, value))] : []);

function variable(name: string, type: CType, value: Expr) {
  const sym: Symbol = freshSymbol(name, type);
  return { made: declare(sym, value), value: ident(sym) };
}
