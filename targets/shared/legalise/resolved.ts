/**
 * Resolves what C decides at compile time and kernel languages spell differently or lack: `_Generic`, constants of
 * types, gcc's builtins about constants and classes of numbers, types defined in blocks.
 */

import {
  build,
  CHAR,
  calleeType,
  canonical,
  codeUnits,
  evaluate,
  floatType,
  isArray,
  isVariablyModified,
  mapStmt,
  tgmathFunction,
  unqualified,
  VOID,
} from "../../../core/lang/index.ts";
import type { Declarator, Expr, InitItem, Stmt } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { calledFunction } from "../device/math.ts";
import { classified } from "./float-class.ts";
import { gnuAlignment } from "./record-layout.ts";

export function resolved(region: LoweredRegion): LoweredRegion {
  return mapBodies(region, (s) => mapStmt(s, { expr: resolvedExpr, stmt: resolvedStmt }));
}

function resolvedExpr(e: Expr): Expr {
  const { defines, ...rest } = e;
  const own = defines ? rest : e;
  switch (own.kind) {
    case "generic":
      return own.assocs[own.chosen]?.value ?? own;
    case "char":
      // Kernel languages have no wide string and character literals.
      return own.text.startsWith("'") ? own : build.intLit(own.value, own.type, own.span);
    case "string":
      return wideString(own) ?? own;
    case "alignof":
      return constant(own) ?? own;
    case "builtin":
      return chosen(own) ?? constant(own) ?? own;
    case "cast":
      return shortened(own) ?? own;
    case "call":
      return resolvedCall(own);
    default:
      return own;
  }
}

/** A string's code units as an array. */
function wideString(e: Expr & { readonly kind: "string" }): Expr | undefined {
  const { units, type } = codeUnits(e.pieces);
  if (canonical(type) === CHAR) {
    if (!e.pieces.some((piece) => piece.startsWith("u8"))) return undefined;
    return { ...e, pieces: e.pieces.map((piece) => piece.replace(/^u8/, "")) };
  }
  const items = [...units, 0].map((unit): InitItem => {
    const expr = build.intLit(unit, type);
    return { designators: [], init: { kind: "expr", expr } };
  });
  return {
    kind: "compound",
    of: e.type,
    type: e.type,
    init: { kind: "list", items, span: e.span },
    span: e.span,
  };
}

function constant(e: Expr): Expr | undefined {
  const value = evaluate(e);
  return typeof value === "bigint" ? build.intLit(value, e.type, e.span) : undefined;
}

/** `(double)1.0L`, as in DBL_MAX and others of <float.h>, becomes a constant of the type itself. */
function shortened(e: Expr & { readonly kind: "cast" }): Expr | undefined {
  const to = canonical(e.to);
  const from = canonical(e.arg.type);
  if (to.kind !== "float" || from.kind !== "float" || from.name !== "ldouble") return undefined;
  const value = evaluate(e);
  return typeof value === "number" ? build.floatLit(value, unqualified(e.to), e.span) : undefined;
}

function chosen(e: Expr & { readonly kind: "builtin" }): Expr | undefined {
  const [test, ...values] = e.args as readonly Expr[];
  const value = e.name === "__builtin_choose_expr" && test ? evaluate(test) : undefined;
  return value === undefined ? undefined : values[value ? 0 : 1];
}

function resolvedCall(e: Expr & { readonly kind: "call" }): Expr {
  const callee = stripImplicit(e.callee);
  if (callee.kind !== "ident" || !callee.sym.name.startsWith("__builtin_")) return e;
  const name = calledFunction(e) ?? "";
  if (name === "tgmath") return genericCall(e);
  const [first] = e.args;
  const special = /^(inf|huge_val|nan)(f16|[fl]?)$/.exec(name);
  if (special) {
    const kinds = { "": "double", f: "float", f16: "float16", l: "ldouble" } as const;
    const type = floatType(kinds[special[2] as keyof typeof kinds]);
    return special[1] === "nan"
      ? { kind: "float", value: Number.NaN, text: "NAN", type, span: e.span }
      : build.floatLit(Infinity, type, e.span);
  }
  if (!first) return e;
  switch (name) {
    case "constant_p":
      return constant(e) ?? e;
    case "assume_aligned":
      return build.cast(e.type, first, e.span);
    case "prefetch":
      return build.cast(VOID, first, e.span);
    default:
      return classified(name, e) ?? e;
  }
}

/** The <tgmath.h> function selected by the arguments. */
function genericCall(e: Expr & { readonly kind: "call" }): Expr {
  const args = e.args.map(stripImplicit);
  const values = args.filter((arg) => !calleeType(arg.type));
  const callee = args[tgmathFunction(args.map((arg) => arg.type))];
  return callee ? build.call(callee, values, e.span) : e;
}

/** Types are hoisted above the functions, except for variable-length ones; assertions known to hold are dropped. */
function resolvedStmt(s: Stmt): Stmt {
  if (s.kind === "static-assert") return { kind: "expr", span: s.span };
  if (s.kind !== "decl") return s;
  const decls = s.decls.filter(({ sym }) => sym.kind !== "typedef" || isVariablyModified(sym.type));
  if (decls.length === 0) return { kind: "expr", span: s.span };
  const { bare: _, ...rest } = s;
  return { ...rest, decls: decls.map(plainDeclarator), defines: [] };
}

function plainDeclarator(d: Declarator): Declarator {
  const value = d.init?.kind === "expr" && stripImplicit(d.init.expr);
  // Such initialisers come from wide strings only.
  if (value && value.kind === "compound" && isArray(d.sym.type))
    return plainDeclarator({ ...d, init: value.init });
  const declaredSymbol = d.declared ?? d.sym;
  const attrs = declaredSymbol.attrs && gnuAlignment(declaredSymbol.attrs);
  if (!attrs || attrs === declaredSymbol.attrs) return d;
  const { type, storage } = declaredSymbol;
  return { ...d, declared: { ...d.declared, type, storage, attrs } };
}
