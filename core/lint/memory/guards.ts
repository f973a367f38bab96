/** Conditions around an access: whether they hold at a point of a run. */
import { walkExpr } from "../../lang/index.ts";
import type { Expr } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Context } from "./access.ts";
import { type Point, prepare, type World } from "./evaluate.ts";

/** What is unknown of the conditions that were looked at. */
export interface Unknowns {
  uncertain: boolean;
  selected: boolean;
  byThread: boolean;
}

/** Whether the conditions admit an access; records unknown ones. */
export function guarded(
  { guards, loops }: Pick<Context, "guards" | "loops">,
  world: World,
  seen: Unknowns,
): (point: Point) => boolean {
  const tests = guards.map((guard) => ({
    ...guard,
    value: guard.opaque ? undefined : prepare(guard.test, guard.frame, loops, world),
    recorded: false,
  }));
  return (point) => {
    for (const guard of tests) {
      const value = guard.value?.at(point);
      if (value !== undefined && (value !== 0) !== guard.holds) return false;
      if (value !== undefined || !guard.inside || guard.recorded) continue;
      guard.recorded = true;
      seen.uncertain = true;
      if (guard.opaque || selects(guard.test, guard.holds)) seen.selected = true;
      if (asksForThread(guard.test, world)) seen.byThread = true;
    }
    return true;
  };
}

function asksForThread(test: Expr, { facts }: World): boolean {
  let found = false;
  walkExpr(test, {
    expr(e) {
      if (e.kind !== "ident") return;
      if (e.sym.name === "omp_get_thread_num") found = true;
      for (const { value } of facts.settings.get(e.sym) ?? []) {
        const call = value && stripImplicit(value);
        const callee = call?.kind === "call" ? stripImplicit(call.callee) : undefined;
        if (callee?.kind === "ident" && callee.sym.name === "omp_get_thread_num") found = true;
      }
    },
  });
  return found;
}

/** An equation, or a value used as a condition: it may hold for a single iteration only. */
function selects(test: Expr, holds: boolean): boolean {
  const e = stripImplicit(test);
  if (e.kind === "unary" && e.op === "!") return selects(e.arg, !holds);
  if (e.kind !== "binary") return holds;
  if (e.op === "&&" || e.op === "||") return selects(e.left, holds) || selects(e.right, holds);
  if (e.op === "==" || e.op === "!=") return (e.op === "==") === holds;
  return !["<", ">", "<=", ">="].includes(e.op);
}
