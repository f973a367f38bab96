/** Evaluates expressions in which some variables are known; averages of loop variables may be fractions. */

import { canonical, evaluate } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { binaryOperation } from "../../lang/tree/number-operations.ts";

/** A number, or a command-line argument. */
export type Value = number | string;

export interface Known {
  value(sym: Symbol): Value | undefined;
  /** The result of a call, if the caller can follow it. */
  call?(e: Expr & { readonly kind: "call" }): Value | undefined;
}

export function valueOf(e: Expr, known: Known): Value | undefined {
  const constant = evaluate(e);
  if (constant !== undefined) return Number(constant);
  switch (e.kind) {
    case "ident":
      return known.value(e.sym);
    case "index": {
      const [base, at] = [valueOf(e.base, known), valueOf(e.index, known)];
      return typeof base === "string" && base.startsWith(words) ? wordAt(base, at) : undefined;
    }
    case "cast":
      return converted(valueOf(e.arg, known), e.type);
    case "unary": {
      const arg = numberOf(e.arg, known);
      if (arg === undefined) return undefined;
      return e.op === "-" ? -arg : e.op === "+" ? arg : e.op === "!" ? Number(arg === 0) : undefined;
    }
    case "binary": {
      const integer = canonical(e.type).kind === "int";
      return binaryOperation(e.op, numberOf(e.left, known), () => numberOf(e.right, known), integer);
    }
    case "cond": {
      const test = numberOf(e.test, known);
      if (test === undefined) return undefined;
      return test !== 0 ? (e.then ? valueOf(e.then, known) : test) : valueOf(e.else, known);
    }
    case "call": {
      const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
      const name = callee.kind === "ident" ? callee.sym.name : "";
      const first = e.args[0] && valueOf(e.args[0], known);
      if (/^(ato(i|l|ll|f)|strto(l|ul|ll|ull|d|f))$/.test(name) && typeof first === "string")
        return parsed(first, /f$|d$/.test(name));
      return known.call?.(e);
    }
    default:
      return undefined;
  }
}

export function numberOf(e: Expr, known: Known): number | undefined {
  const value = valueOf(e, known);
  return typeof value === "number" ? value : undefined;
}

/** Represents the array of command-line arguments as one value. */
const words = "\0";
export const commandLine = (list: readonly string[]): Value => words + list.join(words);

function wordAt(list: string, at: Value | undefined): Value | undefined {
  return typeof at === "number" ? list.slice(1).split(words)[at] : undefined;
}

function parsed(word: string, real: boolean): number {
  const value = real ? Number.parseFloat(word) : Number.parseInt(word, 10);
  return Number.isNaN(value) ? 0 : value;
}

export function converted(value: Value | undefined, to: Expr["type"]): Value | undefined {
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return canonical(to).kind === "int" ? Math.trunc(value) : value;
}
