/** How a loop nest traverses flat arrays: one element of each per position. */

import { tripCount } from "../../../../targets/shared/loops/trips.ts";
import { firstOf, itemAt, lastOf } from "../../../checked/access.ts";
import type { ElementAccess, Neighbourhood } from "../../../ir/analysis/loops/neighbourhood.ts";
import type { Loop, LoopHeader } from "../../../ir/model/ir.ts";
import { evaluateInteger, LONG, printExpr } from "../../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { binary, cond, declare, freshSymbol, ident } from "../../../lang/tree/build.ts";
import { counters } from "./counters.ts";
import { add, conj, constant, less, long, times } from "./folding.ts";

/** An array that is read through a window, and how its window is refused. */
export interface Walked {
  readonly input: Symbol;
  readonly n: Neighbourhood;
  readonly refuse: (message: string, loc: Loc) => never;
}

export interface Walk {
  /** Declarations for the rest. */
  readonly before: readonly Stmt[];
  /** One past the last position. */
  readonly end: Expr;
  /** The conditions for a position to be an iteration. */
  readonly inside: readonly Expr[];
  /** Advances the loop variables to the next position. */
  readonly advance: readonly Stmt[];
  /** Positions per step of each loop. */
  readonly strides: readonly bigint[];
}

/** The element of the first iteration at offset 0, and whether positions ascend or descend in the array. */
export interface Course {
  readonly base: Expr;
  readonly direction: bigint;
}

/** A walk that suits all `arrays`, and the course of each; refuses arrays for which there is none. */
export function walkThrough(
  { headers }: Loop,
  arrays: readonly Walked[],
): { readonly walk: Walk; readonly courses: readonly Course[] } {
  const [first] = arrays as readonly [Walked];
  const directions = arrays.map((a) => directionOf(a, headers));
  const strides = stridesOf(first, headers, firstOf(directions));
  arrays.forEach((a, k) => {
    const own = stridesOf(a, headers, itemAt(directions, k));
    const other = own.findIndex((s, m) => s !== strides[m]);
    if (other >= 0)
      a.refuse(
        `rows of '${a.input.name}' lie ${own[other]} elements apart and those of '${first.input.name}' ${strides[other]}`,
        firstAccess(a).expr.span.start,
      );
  });
  const rows = rowsOf(first, headers, strides);
  const before: Stmt[] = [];
  const named = (name: string, e: Expr): Expr => {
    if (evaluateInteger(e) !== undefined) return e;
    const sym = freshSymbol(name, LONG);
    before.push(declare(sym, e));
    return ident(sym);
  };
  const courses = arrays.map(
    (a, k): Course => ({
      base: named(`arc_${a.input.name}_first`, firstElement(a.n, headers)),
      direction: itemAt(directions, k),
    }),
  );
  // Positions up to the last iteration.
  const trips = headers.map((h) => named(`arc_n_${h.var.name}`, tripCount(h)));
  let last: Expr = constant(1n);
  trips.forEach((t, k) => {
    last = add(last, times(add(t, constant(-1n)), itemAt(strides, k)));
  });
  const some = conj(trips.map((t) => less(constant(0n), t)));
  const constantNo = trips.some((t) => (evaluateInteger(t) ?? 1n) <= 0n);
  const end = constantNo ? constant(0n) : some ? named("arc_end", cond(some, last, constant(0n))) : last;

  const inside: Expr[] = [];
  const walkEnd = new Map<LoopHeader, Expr>();
  headers.forEach((h, k) => {
    const row = rows[k];
    if (k === 0 || row === undefined) return;
    if (evaluateInteger(itemAt(trips, k)) === row) return;
    // The walk covers whole rows; iterations are the positions within the loop's own bounds.
    inside.push(binary(h.relation, ident(h.var), h.bound));
    walkEnd.set(h, binary("==", ident(h.var), add(long(h.lower), times(h.step, row))));
  });
  const count = counters(headers, (h) => walkEnd.get(h));
  return {
    walk: { before: [...before, ...count.before], end, inside, advance: count.advance, strides },
    courses,
  };
}

/** The index of the first iteration's element at offset 0. */
export function firstElement({ base }: Neighbourhood, headers: readonly LoopHeader[]): Expr {
  let start: Expr = constant(0n);
  for (const h of headers) start = add(start, times(long(h.lower), base.loop.get(h.var) ?? 0n));
  for (const [sym, c] of base.invariant) start = add(start, times(long(ident(sym)), c));
  return start;
}

const firstAccess = ({ n }: Walked): ElementAccess => firstOf(n.accesses);

/** Elements of the array per step of a loop. */
function elements({ n, refuse }: Walked, h: LoopHeader): bigint {
  const step = evaluateInteger(h.step);
  if (step === undefined || step === 0n)
    return refuse(`the step of '${h.var.name}' is not constant`, h.span.start);
  return (n.base.loop.get(h.var) ?? 0n) * step;
}

function directionOf(array: Walked, headers: readonly LoopHeader[]): bigint {
  const last = lastOf(headers);
  const innermost = elements(array, last);
  const { expr } = firstAccess(array);
  if (innermost !== 1n && innermost !== -1n)
    array.refuse(
      innermost === 0n
        ? `'${printExpr(expr)}' does not move with '${last.var.name}'`
        : `'${printExpr(expr)}' moves by ${innermost} elements per iteration of '${last.var.name}', not by 1 or -1`,
      expr.span.start,
    );
  return innermost;
}

const stridesOf = (array: Walked, headers: readonly LoopHeader[], direction: bigint): readonly bigint[] =>
  headers.map((h) => elements(array, h) * direction);

/** Steps of each inner loop in its row; every loop must fit into its row. */
function rowsOf(
  array: Walked,
  headers: readonly LoopHeader[],
  strides: readonly bigint[],
): readonly (bigint | undefined)[] {
  const { expr } = firstAccess(array);
  return headers.map((h, k) => {
    if (k === 0) return undefined;
    const [outer, inner] = [itemAt(strides, k - 1), itemAt(strides, k)];
    if (outer <= 0n || outer % inner !== 0n)
      array.refuse(
        `'${printExpr(expr)}' does not walk through memory in the order of the loops`,
        expr.span.start,
      );
    const row = outer / inner;
    const trips = evaluateInteger(tripCount(h));
    if (trips === undefined)
      array.refuse(
        `the trip count of '${h.var.name}' is not constant, so a row may be longer than ${row} elements`,
        h.span.start,
      );
    if (trips > row)
      array.refuse(
        `'${h.var.name}' takes ${trips} values and a row has ${row} elements: rows overlap`,
        h.span.start,
      );
    return row;
  });
}
