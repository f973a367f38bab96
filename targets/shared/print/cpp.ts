/** Shared by kernel languages that are based on C++. */

import {
  BOOL,
  build,
  canonical,
  codeUnits,
  compatibleUnqualified,
  elementType,
  evaluateInteger,
  isPointer,
  isVoid,
  mapStmt,
  qualify,
  type RecordBody,
  unqualified,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Init, RecordDecl, Stmt } from "../../../core/lang/tree/ast.ts";
import { bitWidth, promoted, stripImplicit } from "../../../core/lang/tree/build.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { calledFunction } from "../device/math.ts";
import { withoutChecks } from "../legalise/checked-arithmetic.ts";
import { withNumbers, withoutFunctionPointers } from "../legalise/function-pointers.ts";
import { item, orderedInitialisers } from "../legalise/initialisers.ts";
import { initialisedLater } from "../legalise/jumps.ts";
import { namedLiterals } from "../legalise/literal-objects.ts";
import { portableRecord } from "../legalise/record-layout.ts";
import { resolved } from "../legalise/resolved.ts";
import { statementExpression, type Valued, withChanges } from "../legalise/single-evaluation.ts";

/** Words that are reserved in C++ but not in C. */
export const cppWords: readonly string[] = (
  "alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class compl concept consteval constexpr " +
  "constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export false friend mutable namespace " +
  "new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert static_cast " +
  "template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq"
).split(" ");

/** The region without C constructs that C++ does not accept. */
export function inCpp(region: LoweredRegion): LoweredRegion {
  return mapBodies(namedLiterals(withoutChecks(resolved(withoutFunctionPointers(region, "ends")))), (s) =>
    initialisedLater(mapStmt(orderedInitialisers(withChanges(s, cppExpr)), { stmt: withWholeStrings })),
  );
}

/** Members without const: C++ requires an initialiser for objects with const members, and does not copy them. */
export function withWritableMembers(decl: RecordDecl): RecordBody | undefined {
  const body = withNumbers(portableRecord(decl));
  const fields = body?.fields?.map((f) => ({ ...f, type: withoutConst(f.type) }));
  return body && fields && { ...body, fields };
}

function withoutConst(type: CType): CType {
  const c = canonical(type);
  if (c.kind === "array") {
    const of = withoutConst(c.of);
    return of === c.of ? type : { ...c, of };
  }
  const { const: constant, ...quals } = c.quals ?? {};
  return constant ? qualify(unqualified(type), quals) : type;
}

/** `char s[2] = "ab"`, which C++ rejects because the terminating zero does not fit, becomes a list. */
function withWholeStrings(s: Stmt): Stmt {
  if (s.kind !== "decl") return s;
  return { ...s, decls: s.decls.map((d) => ({ ...d, ...(d.init && { init: listed(d.init, d.sym.type) }) })) };
}

function listed(init: Init, type: CType): Init {
  const value = init.kind === "expr" ? stripImplicit(init.expr) : undefined;
  const array = canonical(type);
  if (value?.kind !== "string" || array.kind !== "array") return init;
  const { units } = codeUnits(value.pieces);
  if (array.size !== units.length) return init;
  const items = units.map((unit) => item({ kind: "expr", expr: build.intLit(unit, array.of) }));
  return { kind: "list", items, span: value.span };
}

function cppExpr(e: Expr, valued: Valued): Expr {
  if (e.kind === "call") return ofOneType(e);
  if (e.kind === "cast") return promotedField(e);
  if (e.kind === "cond") return withPromotedFields(e);
  return e.kind === "incdec" && canonical(e.arg.type) === BOOL ? boolStep(e, valued) : e;
}

/** In C++ `abs` is overloaded for every numeric type: its argument is converted to C's type. */
function ofOneType(e: Expr & { readonly kind: "call" }): Expr {
  if (!/^l{0,2}abs$/.test(calledFunction(e) ?? "")) return e;
  return { ...e, args: e.args.map(asWritten) };
}

/**
 * Bit-fields compute as int in C. In C++ the value of `? :` between two of them, or of one before `++`, has their declared
 * type.
 */
const promotedField = (e: Expr & { readonly kind: "cast" }): Expr =>
  e.implicit && e.arg.kind !== "member" && bitWidth(e.arg) !== undefined ? asWritten(e) : e;

const withPromotedFields = (e: Expr & { readonly kind: "cond" }): Expr => {
  const arm = (of: Expr): Expr => (of.kind === "cast" && bitWidth(of.arg) !== undefined ? asWritten(of) : of);
  if (e.then) return { ...e, then: arm(e.then), else: arm(e.else) };
  // The test is the first of the two.
  return { ...e, test: arm(promoted(e.test)), else: arm(e.else) };
};

/** Makes an implicit conversion of C explicit. */
function asWritten(e: Expr): Expr {
  if (e.kind !== "cast" || !e.implicit) return e;
  const { implicit: _, ...written } = e;
  return written;
}

/** C++ has no `++` and `--` for bool. */
function boolStep(e: Expr & { readonly kind: "incdec" }, valued: Valued): Expr {
  const change = build.assign(e.arg, build.intLit(1), e.op === "++" ? "+=" : "-=", e.span);
  if (e.prefix) return change;
  const old = build.freshSymbol("arc_value", BOOL);
  const before = [build.declare(old, e.arg), build.exprStmt(change)];
  return valued(change, statementExpression(before, build.ident(old)));
}

/** A pointer conversion that is implicit in C but needs a cast in C++. Undefined for other expressions. */
export function pointerConversion(e: Expr, print: (e: Expr) => string): string | undefined {
  if (e.kind !== "cast" || !e.implicit || !isPointer(e.to) || convertsInCpp(e)) return undefined;
  return `(${print(asWritten(e))})`;
}

function convertsInCpp(e: Expr & { readonly kind: "cast" }): boolean {
  const from = elementType(e.arg.type);
  const to = elementType(e.to);
  if (!from || !to) return evaluateInteger(e.arg) === 0n || canonical(e.arg.type).kind === "function";
  const [fromQuals, toQuals] = [canonical(from).quals, canonical(to).quals];
  const keeps = (!fromQuals?.const || toQuals?.const) && (!fromQuals?.volatile || toQuals?.volatile);
  if (e.arg.kind === "string") return true;
  return Boolean(keeps) && (isVoid(to) || compatibleUnqualified(unqualified(from), unqualified(to)));
}
