/** Nests that one loop directive is for. OpenACC's are rectangular, and each loop holds the next and nothing else. */
import { mentions } from "../../ir/analysis/access.ts";
import type { Clause } from "../../ir/directives/directive.ts";
import { evaluateInteger, mapChildren } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripBlocks } from "../../lang/tree/build.ts";
import type { Facts } from "../sites/facts.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { ToOpenAcc } from "./context.ts";

/** Throws `CannotSay`. */
export function refuseOtherNests({ stmt }: Site, { loc, exprs: [depth] }: Clause): void {
  const counters = new Set<Symbol>();
  let loop: Stmt | undefined = stmt;
  for (let left = depth && depth !== "*" ? Number(evaluateInteger(depth) ?? 1n) : 1; left > 0; left--) {
    if (loop?.kind !== "for")
      throw new CannotSay(
        loc,
        "OpenACC collapses loops of which each holds the next and nothing else",
        "move what stands between the loops into the innermost one, or leave 'collapse' out",
      );
    const { init, test } = loop;
    const bounds = init?.kind === "decl" ? init.decls.flatMap((d) => initialOf(d.init)) : init ? [init] : [];
    const range = [...bounds, ...(test ? [test] : [])];
    const dependent = [...counters].find((sym) => range.some((e) => mentions(e, sym)));
    if (dependent)
      throw new CannotSay(
        loc,
        `OpenACC collapses rectangular nests, and a loop's range depends on '${dependent.name}'`,
        "leave 'collapse' out, or give the loop the whole range and test for the part inside",
      );
    for (const sym of countersOf(init)) counters.add(sym);
    loop = stripBlocks(loop.body);
  }
}

type Init = (Stmt & { readonly kind: "for" })["init"];

const initialOf = (init: { readonly kind: string } | undefined): readonly Expr[] =>
  init?.kind === "expr" ? [(init as { readonly kind: string; readonly expr: Expr }).expr] : [];

function countersOf(init: Init): readonly Symbol[] {
  if (init?.kind === "decl") return init.decls.map(({ sym }) => sym);
  return init?.kind === "assign" && init.left.kind === "ident" ? [init.left.sym] : [];
}

/** Copies that loops have which are collapsed into another, and so lose their directives. */
export function privatesOfCollapsed(
  stmt: Stmt | undefined,
  depth: number,
  named: ReadonlySet<Symbol>,
  { sites }: ToOpenAcc,
): readonly NewClause[] {
  const found = new Map<Symbol, string>();
  let loop = stmt;
  for (let left = depth; left > 1 && loop?.kind === "for"; left--) {
    loop = stripBlocks(loop.body);
    const { span } = loop;
    for (const { directive: d } of sites.filter((s) => s.stmt?.span === span))
      for (const { vars } of d.clauses.filter((c) => c.name === "private"))
        for (const { sym, written } of vars) if (!named.has(sym)) found.set(sym, written);
  }
  return found.size > 0 ? [put(`private(${[...found.values()].join(", ")})`)] : [];
}

export const variablesOf = ({ directive: d }: Site): ReadonlySet<Symbol> =>
  new Set(d.clauses.flatMap((c) => (c.name === "map" ? [] : c.vars.map((v) => v.sym))));

/** Whether an enclosing loop is collapsed with this one. */
export function isCollapsed({ stmt: outer }: Site, stmt: Stmt, { collapse }: Facts): boolean {
  const inNest = (s: Stmt, left: number): boolean => {
    if (s.kind === "for") {
      if (left > 0 && s.span === stmt.span) return true;
      return inNest(s.body, left > 0 ? left - 1 : Math.max(0, (collapse?.(s) ?? 1) - 1));
    }
    let found = false;
    mapChildren(s, (child) => {
      found ||= inNest(child, left);
      return child;
    });
    return found;
  };
  return outer !== undefined && inNest(outer, 0);
}
