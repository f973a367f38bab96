/** C's math functions by type, for languages that overload one name: casts select the type that C computes in. */

import { firstOf } from "../../../core/checked/access.ts";
import { isComplexMath, isPureMath, leavesResult } from "../../../core/ir/analysis/purity.ts";
import { isVoid, sizeOf } from "../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";

interface MathCall {
  /** Without the type's suffix: `sqrt` for `sqrtf`. */
  readonly name: string;
  readonly type: "float" | "double";
}

/** The C function that a call names, also if spelled as a builtin. */
export function calledFunction(e: Expr & { readonly kind: "call" }): string | undefined {
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  return callee.kind === "ident"
    ? (builtinNames[callee.sym.name] ?? callee.sym.name.replace(/^__builtin_/, ""))
    : undefined;
}

/** The call, if the statement is a call whose value is unused. */
export function statementCall(s: Stmt): (Expr & { readonly kind: "call" }) | undefined {
  let e = s.kind === "expr" ? s.expr : undefined;
  while (e?.kind === "cast" && (e.implicit || isVoid(e.to))) e = e.arg;
  return e?.kind === "call" ? e : undefined;
}

/** The builtins that gcc's headers use for the type-generic macros of <math.h>. */
const builtinNames: Readonly<Record<string, string>> = { __builtin_isinf_sign: "isinf" };

const classification = /^(isnan|isinf|isfinite|signbit)$/;

/** Functions with an exponent, which is an integer of its own type. */
const withExponent = /^(ldexp|scalbl?n)$/;

/**
 * Casts arguments to the type that C converts them to, so that an overloaded name selects the function that C calls.
 */
export function mathArguments(
  e: Expr & { readonly kind: "call" },
  { name, type }: MathCall,
  print: (e: Expr) => string,
): string {
  return e.args
    .map((a, i) => (i > 0 && withExponent.test(name) ? print(a) : `(${type})(${print(a)})`))
    .join(", ");
}

export function mathCall(e: Expr & { readonly kind: "call" }): MathCall | undefined {
  const name = calledFunction(e);
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  if (!name || callee.kind !== "ident" || !isPureMath({ ...callee.sym, name }) || /^l*abs$/.test(name))
    return undefined;
  if (complexCall(e)) return undefined;
  if (classification.test(name)) {
    const type = firstOf(e.args).type;
    return { name, type: type.kind === "float" && type.name === "float" ? "float" : "double" };
  }
  const single = /f$/.test(name) && name !== "erf";
  return { name: single ? name.slice(0, -1) : name, type: single ? "float" : "double" };
}

/** A call of a function of <complex.h>: `cexp` for `cexpf`; `complex` is what the macro CMPLX calls. */
export function complexCall(e: Expr & { readonly kind: "call" }): MathCall | undefined {
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  if (callee.kind !== "ident" || callee.sym.definition) return undefined;
  const called = callee.sym.name.replace(/^__builtin_(?!complex)/, "");
  if (!isComplexMath({ name: called })) return undefined;
  const single = called.endsWith("f");
  const name = called === "__builtin_complex" ? "complex" : single ? called.slice(0, -1) : called;
  return { name: name === "conj" ? "cconj" : name, type: single ? "float" : "double" };
}

/** The operand of the root in `1 / sqrtf(x)`, computed in `float`: GPUs have a single instruction for it. */
export function reciprocalRoot(e: Expr): Expr | undefined {
  if (e.kind !== "binary" || e.op !== "/" || sizeOf(e.type) !== 4) return undefined;
  const [one, root] = [stripImplicit(e.left), stripImplicit(e.right)];
  const isOne = (one.kind === "int" && one.value === 1n) || (one.kind === "float" && one.value === 1);
  const math = root.kind === "call" ? mathCall(root) : undefined;
  return isOne && root.kind === "call" && math?.name === "sqrt" && math.type === "float"
    ? root.args[0]
    : undefined;
}

/** A call that stores a result through its last argument: frexp, modf, remquo, sincos. */
export function resultCall(e: Expr & { readonly kind: "call" }): MathCall | undefined {
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  const called = calledFunction(e);
  if (!called || callee.kind !== "ident" || !leavesResult(callee.sym)) return undefined;
  const name = /^(frexp|modf|remquo|sincos)/.exec(called)?.[0] as string;
  return { name, type: called === name ? "double" : "float" };
}
