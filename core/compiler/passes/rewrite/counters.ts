/**
 * Loop variables of a nest that runs as one loop. In a single work-item they are counters that advance like an
 * odometer, which costs an adder and a comparison each; division and remainder would cost dividers.
 */

import { tripCount } from "../../../../targets/shared/loops/trips.ts";
import { firstOf, itemAt } from "../../../checked/access.ts";
import type { LoopHeader } from "../../../ir/model/ir.ts";
import { evaluateInteger, LONG } from "../../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  incdec,
  intLit,
} from "../../../lang/tree/build.ts";

interface Counters {
  /** Declarations with initial values. */
  readonly before: readonly Stmt[];
  /** Advances all counters to the next iteration. */
  readonly advance: readonly Stmt[];
}

/** `end(header)`: tests whether a counter has passed its last value, if the loop's own condition cannot be used. */
export function counters(
  headers: readonly LoopHeader[],
  end?: (h: LoopHeader) => Expr | undefined,
): Counters {
  const atEnd = (h: LoopHeader) => end?.(h) ?? passed(h);
  const before = headers.map((h) => declare(h.var, h.lower));
  const steps = headers.map((h): Stmt => exprStmt(stepped(h)));
  return { before, advance: nested(headers, steps, atEnd, headers.length - 1) };
}

/** From counter `k` outwards: advance it; at its end reset it and continue with the next outer one. */
function nested(
  headers: readonly LoopHeader[],
  steps: readonly Stmt[],
  atEnd: (h: LoopHeader) => Expr,
  k: number,
): Stmt[] {
  const h = itemAt(headers, k);
  const step = itemAt(steps, k);
  if (k === 0) return [step];
  const reset = exprStmt(assign(ident(h.var), h.lower));
  return [step, ifStmt(atEnd(h), compound([reset, ...nested(headers, steps, atEnd, k - 1)]))];
}

function stepped(h: LoopHeader): Expr {
  const step = evaluateInteger(h.step);
  if (step === 1n) return incdec("++", false, ident(h.var));
  if (step === -1n) return incdec("--", false, ident(h.var));
  return assign(ident(h.var), h.step, "+=");
}

const opposite = { "<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "==" } as const;

function passed(h: LoopHeader): Expr {
  return binary(opposite[h.relation], ident(h.var), h.bound);
}

/** Iterations of a nest in 64 bits, 0 if any loop has none; `before` has the necessary declarations. */
export function nestTrips(headers: readonly LoopHeader[]): { before: readonly Stmt[]; total: Expr } {
  const counts = headers.map((h) => tripCount(h));
  const values = counts.map((n) => evaluateInteger(n));
  if (values.every((v) => v !== undefined)) {
    const total = values.some((v) => v <= 0n) ? 0n : values.reduce((a, b) => a * b, 1n);
    return { before: [], total: intLit(total, LONG) };
  }
  if (headers.length === 1) return { before: [], total: firstOf(counts) };
  const named = headers.map((h): Symbol => freshSymbol(`arc_n_${h.var.name}`, LONG));
  const before = named.map((sym, k) => declare(sym, itemAt(counts, k)));
  const product = named.map((n): Expr => ident(n)).reduce((a, b) => binary("*", a, b));
  const positive = named
    .map((n): Expr => binary(">", ident(n), intLit(0)))
    .reduce((a, b) => binary("&&", a, b));
  return { before, total: cond(positive, product, intLit(0, LONG)) };
}
