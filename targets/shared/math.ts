/** C's math functions by type, for languages that overload one name: casts keep the type that C computes in. */

import { isPureMath } from "../../core/ir/purity.ts";
import type { Expr } from "../../core/lang/ast.ts";

export interface MathCall {
  /** Without the suffix of its type: `sqrt` for `sqrtf`. */
  readonly name: string;
  readonly type: "float" | "double";
}

/** The C function a call names, builtin spellings included. */
export function calledFunction(e: Expr & { readonly kind: "call" }): string | undefined {
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  return callee.kind === "ident"
    ? (builtinNames[callee.sym.name] ?? callee.sym.name.replace(/^__builtin_/, ""))
    : undefined;
}

/** gcc's headers turn the type-generic macros of <math.h> into these. */
const builtinNames: Readonly<Record<string, string>> = { __builtin_isinf_sign: "isinf" };

const classification = /^(isnan|isinf|isfinite|signbit)$/;

export function mathCall(e: Expr & { readonly kind: "call" }): MathCall | undefined {
  const name = calledFunction(e);
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  if (!name || callee.kind !== "ident" || !isPureMath({ ...callee.sym, name }) || /^l*abs$/.test(name))
    return undefined;
  if (classification.test(name)) {
    const type = (e.args[0] as Expr).type;
    return { name, type: type.kind === "float" && type.name === "float" ? "float" : "double" };
  }
  const single = /f$/.test(name) && name !== "erf";
  return { name: single ? name.slice(0, -1) : name, type: single ? "float" : "double" };
}
