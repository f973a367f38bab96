/** Which variables decide what a function accesses, and how often. */
import { walkExpr } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import type { Facts } from "../memory/facts.ts";
import type { Walked } from "../races/log.ts";

/** Whether a variable is one of them; they are gathered when somebody asks first. */
export function deciding(walked: Walked, facts: Facts): (sym: Symbol) => boolean {
  let all: ReadonlySet<Symbol> | undefined;
  return (sym) => {
    all ??= deciders(walked, facts);
    return all.has(sym);
  };
}

/** Those in subscripts, in the bounds of loops, in conditions, and in what variables are set to. */
function deciders({ accesses, loops }: Walked, { settings }: Facts): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  const seen = new Set<unknown>();
  const add = (e: Expr): void => {
    if (seen.has(e)) return;
    seen.add(e);
    walkExpr(e, {
      expr(part) {
        if (part.kind === "ident") found.add(part.sym);
      },
    });
  };
  for (const { location, context } of accesses) {
    for (const step of location.steps) if (step.is === "index") for (const { expr } of step.terms) add(expr);
    if (seen.has(context)) continue;
    seen.add(context);
    for (const { test, ofLoop } of context.guards) if (!ofLoop) add(test);
    for (const { expr } of context.frame.arguments.values()) add(expr);
  }
  for (const { header } of loops)
    if (header) for (const e of [header.lower, header.bound, header.step]) add(e);
  for (const all of settings.values()) for (const { value } of all) if (value) add(value);
  return found;
}
