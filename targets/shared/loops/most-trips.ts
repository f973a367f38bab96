/**
 * Loops inside one that the launch repeats, whose trip counts depend on its iteration: the most that any iteration has.
 * The launch starts groups for so many, the same number each time.
 *
 *     for (k = 0; k < n; k++)
 *       for (j = k + 1; j < m; j++)        =>    m - (0 + 1)
 *
 * Only the number of groups follows from it, so a count that is too small would be slow but right.
 */
import { affine } from "../../../core/ir/analysis/loops/affine.ts";
import type { LoopHeader, Spmd } from "../../../core/ir/model/ir.ts";
import { evaluateInteger, LONG, substituteExpr } from "../../../core/lang/index.ts";
import type { Expr } from "../../../core/lang/tree/ast.ts";
import { binary, intLit } from "../../../core/lang/tree/build.ts";
import { repeatedLoops } from "../mapping/stages/stages.ts";
import { countsDown, knownToLaunch, tripCount, valueAt } from "./trips.ts";

/** `exact`: the trip counts that the launch knows. */
export function mostTrips(spmd: Spmd, exact: ReadonlyMap<LoopHeader, Expr>): ReadonlyMap<LoopHeader, Expr> {
  const isKnown = knownToLaunch(spmd);
  const found = new Map<LoopHeader, Expr>();
  for (const { header, around } of repeatedLoops(spmd)) {
    if (exact.has(header)) continue;
    const most = around.reduceRight<LoopHeader | undefined>(
      (h, c) => h && longest(h, c, exact.get(c)),
      header,
    );
    const count = most && tripCount(most);
    if (count && isKnown(count)) found.set(header, count);
  }
  return found;
}

/** The loop as it is in the iteration of `around` in which it is longest; `trips`: of the loop around. */
function longest(h: LoopHeader, around: LoopHeader, trips: Expr | undefined): LoopHeader | undefined {
  const [from, to] = [affine(h.lower), affine(h.bound)];
  if (!from || !to || !trips || evaluateInteger(h.step) === undefined) return undefined;
  const counter = around.var;
  const upward = (to.terms.get(counter) ?? 0n) - (from.terms.get(counter) ?? 0n);
  const grows = countsDown(h) ? upward < 0n : upward > 0n;
  const isLast = grows === (evaluateInteger(around.step) ?? 1n) > 0n;
  const at = valueAt(around, isLast ? binary("-", trips, intLit(1, LONG)) : intLit(0, LONG));
  const names = new Map([[counter, at]]);
  return { ...h, lower: substituteExpr(h.lower, names), bound: substituteExpr(h.bound, names) };
}
