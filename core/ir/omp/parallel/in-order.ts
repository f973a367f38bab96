/**
 * Loops in which OpenMP requires parts to run in iteration order: `ordered`, `scan`, `linear`, and `lastprivate` that
 * is conditional or combined with `firstprivate`; also loops with a user-defined reduction. One thread runs all of
 * their iterations, which is a permitted execution. Variables in those clauses are then ordinary variables of the
 * enclosing code. Lowering may run loops that have only `scan` in another way
 * (targets/shared/mapping/scans.ts).
 */
import { findStatement } from "../../../lang/index.ts";
import type { Stmt } from "../../../lang/tree/ast.ts";
import { type Clause, clause, type Directive, type VarRef } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import { isOmp, ruleOf } from "../directive/parse.ts";
import { combinedVariables } from "../own/reductions.ts";

const orders = (c: Clause): boolean => c.modifiers.includes("inscan") || c.modifiers.includes("conditional");

/** `source`: the loop as written. */
export function runsInOrder(d: Directive, source: Stmt): boolean {
  const { leaves } = ruleOf(d);
  if (!leaves.includes("for") && !leaves.includes("simd")) return false;
  return d.clauses.some(orders) || needsOrder(d, source);
}

/** Whether `scan` is the only reason for iteration order, so that partial results may be combined. */
export function handsOnScans(d: Directive, source: Stmt): boolean {
  const ordering = d.clauses.filter(orders);
  return (
    ordering.length > 0 && ordering.every((c) => c.modifiers.includes("inscan")) && !needsOrder(d, source)
  );
}

const needsOrder = (d: Directive, source: Stmt): boolean =>
  clause(d, "ordered") !== undefined ||
  (ruleOf(d).leaves.includes("for") && clause(d, "linear") !== undefined) ||
  firstAndLast(d) ||
  holdsOrdered(source);

/** The last iteration would store its value while others still read the value from before the loop. */
function firstAndLast({ clauses }: Directive): boolean {
  const named = (name: string) => clauses.flatMap((c) => (c.name === name ? c.vars.map((v) => v.sym) : []));
  const first = named("firstprivate");
  return named("lastprivate").some((sym) => first.includes(sym));
}

/** `ordered simd` appears in loops without an `ordered` clause. */
const holdsOrdered = (source: Stmt): boolean =>
  findStatement(source, (s) => (s.pragmas ?? []).some((p) => isOmp(p) && p.tokens[1]?.text === "ordered")) !==
  undefined;

/** The directive without clauses that a single thread does not need, and the variables that therefore stay shared. */
export function inOrder(
  reading: Reading,
  d: Directive,
  source: Stmt,
): { d: Directive; ordering: readonly VarRef[] } {
  const ordering = d.clauses.filter(orders);
  reading.diagnostics.push({
    severity: "note",
    code: "in-order",
    loc: d.loc,
    message:
      combinedVariables(d).length > 0
        ? "one thread runs this loop, since its reduction is one of the program's own"
        : handsOnScans(d, source)
          ? "the iterations of this loop hand on scans: a GPU makes them of partial results, elsewhere one thread runs it"
          : "one thread runs this loop, since parts of it are to run in the order of its iterations",
  });
  return {
    d: { ...d, clauses: d.clauses.filter((c) => !ordering.includes(c)) },
    ordering: ordering.flatMap((c) => c.vars),
  };
}
