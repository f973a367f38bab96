/**
 * Variables of an OpenMP region that no clause names and that may be on the device in part: the part stands for all of
 * them (OpenMP 5.2, section 5.8.7). An array is read where the program knows it to be. Of a structure, the one member
 * that the region uses must be there; one of which it uses more is on the device whole, or is refused when it runs.
 */

import { isGlobal } from "../../../core/ir/analysis/routines.ts";
import { isOpenMp, type Task } from "../../../core/ir/model/ir.ts";
import { placeText } from "../../../core/ir/normalise/place-text.ts";
import { canonical, substituteExpr, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";

/** By variable: what must be there. */
export function presentParts({ items, body, site }: Task): ReadonlyMap<Symbol, Expr> {
  const found = new Map<Symbol, Expr>();
  if (!isOpenMp(site)) return found;
  for (const { sym, object, mapping, own } of items) {
    if (mapping.vis !== "implicit" || own) continue;
    const { kind } = canonical(object.type);
    if (kind === "array") found.set(sym, object);
    // Functions that the region calls may use other members of a file's variable.
    const member = kind === "record" && !isGlobal(sym) ? onlyMember(body, sym) : undefined;
    if (member) found.set(sym, substituteExpr(member, new Map([[sym, object]])));
  }
  return found;
}

/** The member of a structure that is all that is used of it. */
function onlyMember(body: Stmt, sym: Symbol): Expr | undefined {
  const members = new Map<string, Expr>();
  let whole = false;
  walkStmt(body, {
    expr(e) {
      if (isMemberOf(e, sym)) {
        members.set(placeText(e), e);
        return false;
      }
      whole ||= e.kind === "ident" && e.sym === sym;
      return true;
    },
  });
  const [only, ...others] = members.values();
  return whole || others.length > 0 ? undefined : only;
}

function isMemberOf(e: Expr, sym: Symbol): boolean {
  if (e.kind !== "member" || e.arrow) return false;
  const base = stripImplicit(e.base);
  return base.kind === "ident" ? base.sym === sym : isMemberOf(base, sym);
}
