/** Declare directives: each variable once, in the scope that declares it. */

import { mapChildren } from "../../lang/index.ts";
import type { Diagnostic, FunctionDef, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { asNode, type DataItem, type Declare } from "../model/ir.ts";

const isSame = (a: DataItem, b: DataItem): boolean =>
  a.mapping.is === b.mapping.is && a.section.length === 0 && b.section.length === 0;

export function repeated(declares: readonly Declare[]): Diagnostic[] {
  const first = new Map<Symbol, DataItem>();
  return declares.flatMap((d) =>
    d.items.flatMap((item) => {
      const before = first.get(item.sym);
      first.set(item.sym, before ?? item);
      // A header may declare what the including file defines and declares again.
      if (!before || (item.sym.scope === "file" && isSame(before, item))) return [];
      return [
        {
          severity: "error" as const,
          code: "duplicate-variable",
          loc: item.loc,
          message: `'${item.written}' is declared twice for the device`,
          remedy: "keep it in one declare directive",
          notes: [{ message: "the other one is here", loc: before.loc }],
        },
      ];
    }),
  );
}

/** A local variable must be declared for the device in the scope of its declaration. */
export function scopes(def: FunctionDef): Diagnostic[] {
  const found: Diagnostic[] = [];
  const visit = (s: Stmt): Stmt => {
    if (s.kind === "compound") {
      const own = new Set(s.body.flatMap((c) => (c.kind === "decl" ? c.decls.map((d) => d.sym) : [])));
      if (s === def.body) for (const p of def.params) own.add(p);
      for (const item of s.body.flatMap((c) => asNode(c, "declare")?.items ?? []))
        if (item.sym.scope !== "file" && !own.has(item.sym))
          found.push({
            severity: "error",
            code: "declare-scope",
            loc: item.loc,
            message: `'${item.written}' is declared in another block`,
            why: "its device copy lives as long as the block of the declare directive",
            remedy: "move the directive into the block that declares the variable",
          });
    }
    return mapChildren(s, visit);
  };
  visit(def.body);
  return found;
}
