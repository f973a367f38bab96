/**
 * Functions that are routines although no directive says so: regions or routines call them, and they have loop
 * directives (OpenACC 3.3, section 2.15.1; OpenMP 5.2, section 7.8). Their level is the highest that these loops, or
 * functions they call, use.
 */
import { firstOf } from "../../checked/access.ts";
import type { External, FunctionDef, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { nodesIn } from "../model/nodes.ts";
import type { Routine } from "../model/program.ts";

const levels = ["seq", "vector", "worker", "gang"] as const;
type RoutineLevel = Routine["level"];

export function implicitRoutines(
  externals: readonly External[],
  routines: ReadonlyMap<Symbol, Routine>,
): ReadonlyMap<Symbol, Routine> {
  const functions = new Map(
    externals.flatMap((e) => (e.kind === "function" ? [[e.sym.name, e] as const] : [])),
  );
  const levelOf = new Map<FunctionDef, RoutineLevel>();
  const found = new Map<Symbol, Routine>();
  const visit = (sym: Symbol): RoutineLevel => {
    const known = routines.get(sym);
    const def = functions.get(known?.bind ?? sym.name);
    if (!def || (known && !known.bind)) return known?.level ?? "seq";
    const seen = levelOf.get(def);
    if (seen) return seen;
    levelOf.set(def, "seq");
    const loops = [...nodesIn(def.body, "loop")];
    const named = [
      ...loops.flatMap((l) => l.parallel.levels),
      ...[...usesOf(def.body).calls.keys()].map(visit),
    ];
    const level = levels[Math.max(0, ...named.map((l) => levels.indexOf(l)))] as RoutineLevel;
    levelOf.set(def, level);
    const isRoutine = loops.length > 0 && !routines.has(def.sym) && nodesIn(def.body, "task").next().done;
    if (isRoutine) found.set(def.sym, { sym: def.sym, level, loc: firstOf(loops).site.loc });
    return level;
  };
  for (const def of functions.values()) {
    const device = routines.has(def.sym)
      ? [def.body]
      : [...nodesIn(def.body, "task")].map((task) => task.body);
    for (const code of device) for (const callee of usesOf(code).calls.keys()) visit(callee);
  }
  return found;
}
