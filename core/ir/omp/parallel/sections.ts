/**
 * `sections`: a loop over their numbers; each iteration runs one section.
 *
 *     sections                 for (int k = 0; k < 2; k++) {
 *     { A                        if (k == 0) A
 *       section B }      =>      if (k == 1) B
 *                              }
 */
import { LONG } from "../../../lang/index.ts";
import type { Stmt } from "../../../lang/tree/ast.ts";
import { binary, compound, freshSymbol, ident, ifStmt, intLit } from "../../../lang/tree/build.ts";
import { type Directive, site } from "../../directives/directive.ts";
import type { Around } from "../../directives/read-state.ts";
import type { Reductions } from "../../directives/reductions.ts";
import type { Loop } from "../../model/ir.ts";
import { node } from "../../model/node-shapes.ts";
import { withCombined } from "../own/reductions.ts";
import { withCopies } from "./copies.ts";

/**
 * `isSection`: whether a statement of the block belongs to a `section` directive. `together`: a statement that one
 * thread at a time runs.
 */
export function sectionsLoop(
  reductions: Reductions,
  around: Around,
  d: Directive,
  body: Stmt,
  source: Stmt,
  isSection: (s: Stmt) => boolean,
  together: (combine: Stmt) => Stmt | undefined,
): Loop {
  const parts: Stmt[][] = [[]];
  for (const s of body.kind === "compound" ? body.body : [body]) {
    if (isSection(s) && parts.at(-1)?.length !== 0) parts.push([]);
    parts.at(-1)?.push(s);
  }
  const { span } = body;
  const number = freshSymbol("arc_section", LONG);
  const chosen = parts.map((list, k) =>
    ifStmt(binary("==", ident(number), intLit(k, LONG)), compound(list, span)),
  );
  const shared = !around.omp?.routine && (around.omp?.threads === true || d.name.startsWith("parallel"));
  const reduced = reductions.of(d, withCombined(d, compound(chosen, span), together), source, {
    inOrder: !shared,
  });
  const loop = node<Loop>({
    kind: "loop",
    headers: [
      {
        var: number,
        declares: true,
        lower: intLit(0, LONG),
        relation: "<",
        bound: intLit(parts.length, LONG),
        step: intLit(1, LONG),
        span,
      },
    ],
    parallel: shared
      ? { levels: ["vector"], independence: "independent" }
      : { levels: [], independence: "seq" },
    privates: d.clauses.filter((c) => c.name === "private").flatMap((c) => c.vars.map((v) => v.sym)),
    reductions: reduced.reductions,
    body: reduced.body,
    site: site(d, source),
  });
  return withCopies(d, loop);
}
