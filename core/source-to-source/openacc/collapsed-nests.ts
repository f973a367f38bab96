/** What OpenACC's `collapse` takes: rectangular nests, of which each loop holds the next and nothing else. */
import type { Clause } from "../../ir/directives/directive.ts";
import { evaluateInteger, walkExpr } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripBlocks } from "../../lang/tree/build.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";

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
    const used = [...bounds, ...(test ? [test] : [])].flatMap((e) => [...namesIn(e)]);
    const dependent = used.find((sym) => counters.has(sym));
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

function namesIn(e: Expr): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkExpr(e, {
    expr(inner) {
      if (inner.kind === "ident") found.add(inner.sym);
      return true;
    },
  });
  return found;
}
