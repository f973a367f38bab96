/**
 * Members of structures that enclosing data constructs name. If the region uses nothing else of the structure, it needs
 * only the members, and the structure itself is not on the device. Otherwise the structure comes too, and what its
 * pointers lead to is what the enclosing constructs mapped: the copy of a pointer would have the host's address.
 */

import { canonical, walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { DataItem } from "../model/ir.ts";
import type { ItemAround } from "./context.ts";
import { lvalueText } from "./lvalue-text.ts";

/** `around`: data items of enclosing constructs, outermost first; `named`: those of the region's own clauses. */
export function membersAround(
  body: Stmt,
  named: readonly DataItem[],
  around: readonly ItemAround[],
): readonly DataItem[] {
  const isWhole = (i: DataItem): boolean => i.object.kind === "ident";
  const known = new Set([...named, ...around].filter(isWhole).map((i) => i.sym));
  const said = new Set(named.map((i) => lvalueText(i.object)));
  const members = new Map<string, ItemAround>();
  for (const item of around) {
    const place = lvalueText(item.object);
    if (item.object.kind === "member" && !known.has(item.sym) && !said.has(place)) members.set(place, item);
  }
  if (members.size === 0) return [];
  const used = new Set<ItemAround>();
  const besides = new Set<Symbol>(named.map((i) => i.sym));
  const whole = new Set<Symbol>();
  walkStmt(body, {
    expr(e) {
      if (e.kind === "ident") {
        besides.add(e.sym);
        if (canonical(e.type).kind === "record") whole.add(e.sym);
      }
      if (e.kind === "member" && !e.arrow && e.base.kind === "ident" && !members.has(lvalueText(e))) {
        besides.add(e.base.sym);
        return false;
      }
      const item = e.kind === "member" ? members.get(lvalueText(e)) : undefined;
      if (item) used.add(item);
      return item === undefined;
    },
  });
  const present = [...used].filter((item) => !besides.has(item.sym) || leads(item));
  // Functions reach them through the structure's copy.
  const attached = [...members.values()].filter((item) => whole.has(item.sym) && leads(item));
  return [
    ...present.map(
      ({ conditional, ...item }): DataItem => ({
        ...item,
        mapping: { is: conditional ? "tofrom" : "present", vis: "implicit" },
        access: "none",
      }),
    ),
    ...attached.map(
      ({ conditional: _, ...item }): DataItem => ({
        ...item,
        section: [],
        mapping: { is: "attach", vis: "implicit" },
        access: "none",
      }),
    ),
  ];
}

const leads = ({ object, section }: DataItem): boolean =>
  section.length > 0 && canonical(object.type).kind === "pointer";
