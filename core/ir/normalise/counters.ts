/** Counters of distributed loops: each lane has a private one. */

import { mapChildren } from "../../lang/index.ts";
import type { Diagnostic, FunctionDef, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { liveAfter } from "../analysis/liveness.ts";
import { type DeviceFunction, isGlobal } from "../analysis/routines.ts";
import { asNode, type Loop, type Task } from "../model/ir.ts";

const WHY = "the variable of a loop whose iterations are shared out is private to each lane";

/** Counters that are read after the region. */
export function lostCounters(task: Task, at: Stmt, def: FunctionDef): readonly Diagnostic[] {
  const written = task.site.stmt && usesOf(task.site.stmt);
  if (!written) return [];
  const counters = new Set(loopsIn(task.body).flatMap(({ headers }) => headers.map((h) => h.var)));
  return [...counters]
    .filter((sym) => !written.declared.has(sym) && liveAfter(def.body, at, sym))
    .map((sym) => ({
      severity: "warning",
      code: "lost-value",
      loc: written.of.get(sym)?.at.span.start ?? task.site.loc,
      message: `'${sym.name}' counts iterations on the device: code behind the region reads the value from before`,
      why: WHY,
      remedy: `set '${sym.name}' behind the region`,
    }));
}

/**
 * File-scope counters used by functions called in their loop: those functions see the file-scope variable, which does
 * not change.
 */
export function countersOfFunctions(
  body: Stmt,
  functions: ReadonlyMap<Symbol, DeviceFunction>,
): readonly Diagnostic[] {
  return loopsIn(body).flatMap((loop) => {
    const calls = [...usesOf(loop.body).calls];
    return loop.headers.flatMap(({ var: { name }, var: sym }) => {
      const user = calls.find(([callee]) => isGlobal(sym) && functions.get(callee)?.globals.has(sym));
      if (!user) return [];
      const [callee, call] = user;
      return [
        {
          severity: "error" as const,
          code: "loop-variable-of-function",
          loc: call.span.start,
          message: `'${callee.name}' uses '${name}' of the file, not the '${name}' that this loop counts in`,
          why: WHY,
          remedy: `write for (int ${name} = ...), and hand its value to '${callee.name}'`,
        },
      ];
    });
  });
}

function loopsIn(s: Stmt): readonly Loop[] {
  const own = asNode(s, "loop");
  const found = own ? [own] : [];
  mapChildren(s, (child) => {
    found.push(...loopsIn(child));
    return child;
  });
  return found;
}
