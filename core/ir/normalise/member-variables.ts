/** Members and elements that clauses name, as variables of the region. */
import { decay, mapStmt, printExpr, type Stmt, type Symbol } from "../../lang/index.ts";
import { freshSymbol, ident } from "../../lang/tree/build.ts";
import { unusedName } from "../analysis/unused-name.ts";
import type { DataItem } from "../model/ir.ts";
import { lvalueText } from "./lvalue-text.ts";

/**
 * A member or element that a clause names becomes a variable of the region: `s.a` in `copy(s.a[0:n])` is a separate
 * argument, so that `s` need not be on the device.
 */
export function withMemberVariables(
  body: Stmt,
  items: readonly DataItem[],
): { body: Stmt; items: readonly DataItem[] } {
  const own = new Map<string, Symbol>();
  const named = items.map((item) => {
    if (item.object.kind === "ident") return item;
    const place = lvalueText(item.object);
    const text = printExpr(item.object);
    const sym =
      own.get(place) ??
      freshSymbol(unusedName(text.replace(/\W+/g, "_").replace(/^_|_$/g, ""), body), decay(item.object.type));
    own.set(place, sym);
    return { ...item, sym, own: true as const };
  });
  if (own.size === 0) return { body, items };
  const replaced = mapStmt(body, {
    expr(e) {
      if (e.kind !== "member" && e.kind !== "index" && !(e.kind === "unary" && e.op === "*")) return e;
      const sym = own.get(lvalueText(e));
      return sym ? ident(sym, e.span) : e;
    },
  });
  return { body: replaced, items: named };
}
