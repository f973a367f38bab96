/**
 * Loops of which OpenMP says that parts run in the order of the iterations: `ordered`, `scan`,
 * `linear`, and `lastprivate` that is conditional or beside `firstprivate`; and loops with a reduction of the program's
 * own. One thread has all of their iterations, which is one of the executions that are allowed;
 * what they name is then an ordinary variable of the code around.
 */
import { findStatement } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { type Clause, clause, type Directive, type VarRef } from "../directives/directive.ts";
import type { Reading } from "../directives/read-state.ts";
import { combinedVariables } from "./own/reductions.ts";
import { isOmp, ruleOf } from "./parse.ts";

const orders = (c: Clause): boolean => c.modifiers.includes("inscan") || c.modifiers.includes("conditional");

/** `source`: the loop as written. */
export function runsInOrder(d: Directive, source: Stmt): boolean {
  const { leaves } = ruleOf(d);
  if (!leaves.includes("for") && !leaves.includes("simd")) return false;
  return (
    clause(d, "ordered") !== undefined ||
    (leaves.includes("for") && clause(d, "linear") !== undefined) ||
    firstAndLast(d) ||
    d.clauses.some(orders) ||
    holdsOrdered(source)
  );
}

/** The last iteration would leave its value where others still read theirs from before the loop. */
function firstAndLast({ clauses }: Directive): boolean {
  const named = (name: string) => clauses.flatMap((c) => (c.name === name ? c.vars.map((v) => v.sym) : []));
  const first = named("firstprivate");
  return named("lastprivate").some((sym) => first.includes(sym));
}

/** `ordered simd` stands in loops that have no clause for it. */
const holdsOrdered = (source: Stmt): boolean =>
  findStatement(source, (s) => (s.pragmas ?? []).some((p) => isOmp(p) && p.tokens[1]?.text === "ordered")) !==
  undefined;

/** The directive without what one thread alone has no need of, and the variables that are left as they are. */
export function inOrder(reading: Reading, d: Directive): { d: Directive; kept: readonly VarRef[] } {
  const kept = d.clauses.filter(orders);
  reading.diagnostics.push({
    severity: "note",
    code: "in-order",
    loc: d.loc,
    message:
      combinedVariables(d).length > 0
        ? "one thread runs this loop, since its reduction is one of the program's own"
        : "one thread runs this loop, since parts of it are to run in the order of its iterations",
  });
  return {
    d: { ...d, clauses: d.clauses.filter((c) => !kept.includes(c)) },
    kept: kept.flatMap((c) => c.vars),
  };
}
