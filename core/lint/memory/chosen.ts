/** Subscripts by what they are computed from: a table or a call, which nobody can follow, or a thread's number alone. */
import { walkExpr } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import type { Access, Around, MemoryLocation, Term } from "./access.ts";
import { type Facts, onlyValue } from "./facts.ts";

const deepest = 4;

/** Whether an expression, or one that a variable of it was set to, passes a test. */
function holds(e: Expr, facts: Facts, test: (e: Expr) => boolean, depth = 0): boolean {
  let found = false;
  walkExpr(e, {
    expr(part) {
      found ||= test(part);
      if (found || part.kind !== "ident" || depth > deepest) return;
      const value = onlyValue(facts, part.sym);
      if (value) found = holds(value, facts, test, depth + 1);
    },
  });
  return found;
}

const ofTable = (e: Expr): boolean =>
  e.kind === "index" || e.kind === "call" || (e.kind === "unary" && e.op === "*");

const termsOf = ({ steps }: MemoryLocation): readonly Term[] =>
  steps.flatMap((s) => (s.is === "index" ? s.terms : []));

/** `a[at[i]]`, `a[hash(i)]`: two iterations may choose one element. */
export const isChosen = (location: MemoryLocation, facts: Facts): boolean =>
  termsOf(location).some(({ expr, frame }) => {
    const given = expr.kind === "ident" ? frame.arguments.get(expr.sym)?.expr : undefined;
    return holds(given ?? expr, facts, ofTable);
  });

/** `part[omp_get_thread_num() / 2]`: each thread has one element for all its iterations. */
export function isOfThread(
  { location }: Pick<Access, "location">,
  loops: readonly Around[],
  facts: Facts,
): boolean {
  if (!facts.asksForThread) return false;
  // It is asked for each sample.
  const known = ofThread.get(location);
  if (known?.loops === loops) return known.holds;
  const counters = new Set<Symbol>(loops.flatMap(({ header }) => header?.var ?? []));
  const asks = (e: Expr): boolean => e.kind === "ident" && e.sym.name === "omp_get_thread_num";
  const counts = (e: Expr): boolean => e.kind === "ident" && counters.has(e.sym);
  const terms = termsOf(location);
  const made =
    terms.some(({ expr }) => holds(expr, facts, asks)) &&
    !terms.some(({ expr }) => holds(expr, facts, counts));
  ofThread.set(location, { loops, holds: made });
  return made;
}

const ofThread = new WeakMap<
  MemoryLocation,
  { readonly loops: readonly Around[]; readonly holds: boolean }
>();
