/** Whether an access reaches the same elements in every run, whatever numbers are read at run time. */
import { evaluateInteger, walkExpr } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import type { Access } from "./access.ts";

export function isConstantPlace({ location, context }: Access): boolean {
  const counters = new Set<Symbol>();
  for (const { header } of context.loops) {
    if (!header || ![header.lower, header.bound, header.step].every((e) => dependsOn(e, counters)))
      return false;
    counters.add(header.var);
  }
  return location.steps.every(
    (step) => step.is !== "index" || step.terms.every(({ expr }) => dependsOn(expr, counters)),
  );
}

/** Whether an expression has no other variables than these. */
function dependsOn(e: Expr, counters: ReadonlySet<Symbol>): boolean {
  if (evaluateInteger(e) !== undefined) return true;
  let only = true;
  walkExpr(e, {
    expr(part) {
      if (part.kind === "ident" && !counters.has(part.sym)) only = false;
      if (part.kind === "call" || part.kind === "member") only = false;
    },
  });
  return only;
}
