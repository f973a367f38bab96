/** Every variable of a region is declared in it or has a data item, and its name resolves to it. */
import { lastOf } from "../../checked/access.ts";
import type { Diagnostic, Span, Symbol } from "../../lang/tree/ast.ts";
import { isGlobal } from "../analysis/routines.ts";
import type { Task } from "../model/ir.ts";
import { asNode } from "../model/ir.ts";
import { walkScopes } from "./name-scopes.ts";

export function regionScopes(task: Task): Diagnostic[] {
  const spmd = asNode(task.body, "spmd");
  if (!spmd) return [];
  const found: Diagnostic[] = [];
  const report = (code: string, at: Span, message: string) =>
    found.push({ severity: "error", code, loc: at.start, message });
  const outer = new Map<string, Symbol>();
  for (const sym of [...task.items.map((i) => i.sym), ...spmd.privates, ...spmd.firstprivates])
    outer.set(sym.name, sym);
  const scopes: Map<string, Symbol>[] = [outer];
  const meant = (name: string) => scopes.findLast((scope) => scope.has(name))?.get(name);
  walkScopes(spmd.body, {
    enter: () => scopes.push(new Map()),
    leave: () => scopes.pop(),
    declares(sym, at) {
      const scope = lastOf(scopes);
      const before = scope.get(sym.name);
      if (before && before !== sym)
        report("declared-twice", at, `two variables of one block are called '${sym.name}'`);
      scope.set(sym.name, sym);
    },
    privatises: (sym) => scopes.at(-1)?.set(sym.name, sym),
    names: () => {},
    uses(sym, at) {
      if (sym.kind !== "var" && sym.kind !== "param") return;
      if (meant(sym.name) === sym) return;
      const known = scopes.some((scope) => scope.get(sym.name) === sym);
      if (known)
        report("hidden-variable", at, `'${sym.name}' is hidden here by another variable of its name`);
      else if (!isGlobal(sym))
        report(
          "variable-without-item",
          at,
          `'${sym.name}' is used outside the block that declares it, and has no data item`,
        );
    },
  });
  return found;
}
