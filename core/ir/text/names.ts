/**
 * Unique names for the text's variables. Passes create variables without looking for name clashes, and move code under
 * declarations that it was not written for. If C's scopes would find another variable, one of the two is renamed.
 */

import { NOWHERE } from "../../lang/index.ts";
import type { FunctionDef, Scope, Symbol } from "../../lang/tree/ast.ts";
import { walkFunction } from "../verify/name-scopes.ts";

type Names = ReadonlyMap<Symbol, string>;

/** Spellings of the variables of a function that cannot keep their names. */
export function namesOf(def: FunctionDef, file: Scope): Names {
  const names = new Map<Symbol, string>();
  for (;;) {
    const { clashing, used } = clashes(def, names);
    if (clashing.size === 0) return names;
    for (const sym of clashing) {
      let count = 2;
      while (used.has(`${sym.name}_${count}`) || file.lookup(`${sym.name}_${count}`)) count++;
      const name = `${sym.name}_${count}`;
      used.add(name);
      names.set(sym, name);
    }
  }
}

function clashes(def: FunctionDef, names: Names): { clashing: Set<Symbol>; used: Set<string> } {
  const clashing = new Set<Symbol>();
  const used = new Set<string>();
  const scopes: Map<string, Symbol>[] = [];
  const nameOf = (sym: Symbol) => names.get(sym) ?? sym.name;
  const found = (name: string) => {
    for (let k = scopes.length - 1; k >= 0; k--) {
      const sym = scopes[k]?.get(name);
      if (sym) return sym;
    }
    return undefined;
  };
  const uses = (sym: Symbol) => {
    const name = nameOf(sym);
    used.add(name);
    const hiding = found(name);
    if (!hiding || hiding === sym) return;
    const visible = sym.scope === "file" || scopes.some((scope) => scope.get(name) === sym);
    if (visible && !hiding.storage.includes("extern")) clashing.add(hiding);
  };
  walkFunction(def, {
    uses,
    names: uses,
    enter: () => scopes.push(new Map()),
    leave: () => scopes.pop(),
    declares(sym) {
      const name = nameOf(sym);
      used.add(name);
      const scope = scopes.at(-1);
      const before = scope?.get(name);
      if (before && before !== sym && sym.kind !== "function")
        clashing.add(madeByPass(before) ? before : sym);
      scope?.set(name, sym);
    },
  });
  return { clashing, used };
}

const madeByPass = (sym: Symbol): boolean => sym.span.start.file === NOWHERE.start.file;
