/**
 * Members of structures that enclosing data constructs name. If the region uses nothing else of the structure, it needs
 * only the members, and the structure itself is not on the device.
 */

import { walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { DataItem } from "../model/ir.ts";
import { placeText } from "./place-text.ts";

/** `around`: data items of enclosing constructs, outermost first; `named`: those of the region's own clauses. */
export function membersAround(
  body: Stmt,
  named: readonly DataItem[],
  around: readonly DataItem[],
): readonly DataItem[] {
  const known = new Set([...named, ...around.filter((i) => i.object.kind === "ident")].map((i) => i.sym));
  const members = new Map<string, DataItem>();
  for (const item of around)
    if (item.object.kind === "member" && !known.has(item.sym)) members.set(placeText(item.object), item);
  if (members.size === 0) return [];
  const used = new Set<DataItem>();
  const besides = new Set<Symbol>();
  walkStmt(body, {
    expr(e) {
      if (e.kind === "ident") besides.add(e.sym);
      const item = e.kind === "member" ? members.get(placeText(e)) : undefined;
      if (item) used.add(item);
      return item === undefined;
    },
  });
  return [...used]
    .filter(({ sym }) => !besides.has(sym))
    .map((item) => ({ ...item, mapping: { is: "present", vis: "implicit" }, access: "none" }));
}
