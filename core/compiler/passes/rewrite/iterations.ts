/** Compares whether two loop nests count over the same values in the same order. */

import { tripCount } from "../../../../targets/shared/loops/trips.ts";
import { itemAt } from "../../../checked/access.ts";
import { usesOf } from "../../../ir/analysis/access.ts";
import type { Loop } from "../../../ir/model/ir.ts";
import { evaluateInteger, printExpr } from "../../../lang/index.ts";
import type { Expr, Loc } from "../../../lang/tree/ast.ts";

/** Where they differ; undefined: they have the same iterations. */
export function differentIterations(
  a: Loop,
  b: Loop,
): { readonly why: string; readonly loc: Loc } | undefined {
  if (a.headers.length !== b.headers.length)
    return {
      why: `one is a nest of ${a.headers.length} loops and the other of ${b.headers.length}`,
      loc: b.site.loc,
    };
  for (const [k, h] of a.headers.entries()) {
    const other = itemAt(b.headers, k);
    const [n, m] = [tripCount(h), tripCount(other)].map((e) => evaluateInteger(e));
    const known = n !== undefined && m !== undefined;
    const equal = known
      ? n === m &&
        evaluateInteger(h.lower) === evaluateInteger(other.lower) &&
        evaluateInteger(h.step) === evaluateInteger(other.step)
      : h.relation === other.relation &&
        sameText(h.lower, other.lower) &&
        sameText(h.bound, other.bound) &&
        sameText(h.step, other.step);
    if (equal) continue;
    const why =
      known && n !== m
        ? `one takes ${n} iterations over '${h.var.name}' and the other ${m} over '${other.var.name}'`
        : `the loops over '${h.var.name}' and '${other.var.name}' do not run alike`;
    return { why, loc: other.span.start };
  }
  return undefined;
}

/** Whether both have the same text and variables, none of which is a loaded element. */
function sameText(a: Expr, b: Expr): boolean {
  if (printExpr(a) !== printExpr(b)) return false;
  const [x, y] = [usesOf(a).of, usesOf(b).of];
  return [...x.keys()].every((sym) => y.has(sym) && !x.get(sym)?.elementsRead);
}
