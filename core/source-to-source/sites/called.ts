/** Functions that run on the device. */
import { usesOf } from "../../ir/analysis/access.ts";
import type { External, FunctionDef, Symbol } from "../../lang/tree/ast.ts";
import type { Facts } from "./facts.ts";
import type { Site } from "./site.ts";

/** What regions call, directly or not, and the unit defines. */
export function called(
  externals: readonly External[],
  sites: readonly Site[],
  facts: Facts,
): ReadonlySet<FunctionDef> {
  const bodies = new Map<Symbol, FunctionDef>();
  for (const e of externals) if (e.kind === "function") bodies.set(e.sym, e);
  const regions = sites.flatMap((site) => facts.tasks(site.directive.pragma));
  const open = regions.flatMap((task) => [...usesOf(task.body).calls.keys()]);
  const found = new Set<FunctionDef>();
  for (let sym = open.pop(); sym; sym = open.pop()) {
    const def = bodies.get(sym);
    if (!def || found.has(def)) continue;
    found.add(def);
    open.push(...usesOf(def.body).calls.keys());
  }
  return found;
}
