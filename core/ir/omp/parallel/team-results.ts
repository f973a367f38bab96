/**
 * Results of `teams` that the threads of a team change: its copy is a variable of the team, which its threads share.
 *
 *     teams reduction(+: s)      =>      spmd reduction(+: s) { T s_own = 0;
 *     { parallel BODY }                    threads BODY with s_own
 *                                          s = s + s_own; }
 */

import { entryOf } from "../../../checked/access.ts";
import type { Stmt } from "../../../lang/tree/ast.ts";
import { assign, compound, declare, exprStmt, ident } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { ownCopies } from "../../analysis/own-copies.ts";
import { combine } from "../../model/combine.ts";
import { identity } from "../../model/identity.ts";
import type { Reduction } from "../../model/ir.ts";
import { nodesIn } from "../../model/nodes.ts";

export function withTeamResults(body: Stmt, reductions: readonly Reduction[]): Stmt {
  const used = new Set([...nodesIn(body, "threads")].flatMap((block) => [...usesOf(block.body).of.keys()]));
  const changed = reductions.filter(({ sym }) => used.has(sym));
  if (changed.length === 0) return body;
  const { own, body: inner } = ownCopies(
    changed.map(({ sym }) => sym),
    body,
  );
  return compound(
    [
      ...changed.map(({ op, sym }) => declare(entryOf(own, sym), identity(op, sym.type))),
      inner,
      ...changed.map(({ op, sym }) =>
        exprStmt(assign(ident(sym), combine(op, ident(sym), ident(entryOf(own, sym))))),
      ),
    ],
    body.span,
  );
}
