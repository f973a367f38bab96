/**
 * Variables of an OpenMP region that no clause names and that may be on the device in part: the part stands for all of
 * them (OpenMP 5.2, section 5.8.7). An array is read where the program knows it to be. Of a structure, the members that
 * the region uses must be there, as one piece; one that it uses as a whole is on the device whole, or is refused when
 * it runs.
 *
 *     s.n = s.sum + s.sum;   =>   from &s.n to the end of s.sum, or the other way round
 */

import { isGlobal } from "../../../core/ir/analysis/routines.ts";
import { isOpenMp, type Task } from "../../../core/ir/model/ir.ts";
import { canonical, printExpr, substituteExpr, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Field, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import type { HostSection } from "./section.ts";

interface Members extends HostSection {
  /** An arc_ends of arcrt.h, as an expression. */
  readonly ends: string;
}

/** By variable: what must be there; undefined for an array, of which any part will do. */
export type PresentParts = ReadonlyMap<Symbol, Members | undefined>;

export function presentParts({ items, body, site }: Task): PresentParts {
  const found = new Map<Symbol, Members | undefined>();
  if (!isOpenMp(site)) return found;
  for (const { sym, object, mapping, own } of items) {
    if (mapping.vis !== "implicit" || own) continue;
    const { kind } = canonical(object.type);
    if (kind === "array") found.set(sym, undefined);
    // Functions that the region calls may use other members of a file's variable.
    const members = kind === "record" && !isGlobal(sym) ? usedMembers(body, sym) : [];
    if (members.length > 0) found.set(sym, between(members, new Map([[sym, object]])));
  }
  return found;
}

/** From the first member to the last one. */
function between(members: readonly Expr[], objects: ReadonlyMap<Symbol, Expr>): Members {
  const [first = "", last = ""] = [members.at(0), members.at(-1)].map(
    (e) => e && printExpr(substituteExpr(e, objects)),
  );
  const size =
    first === last ? `sizeof ${first}` : `(__SIZE_TYPE__)((char *)(&${last} + 1) - (char *)&${first})`;
  return { start: `(void *)&${first}`, size, ends: `&(const arc_ends){sizeof ${first}, sizeof ${last}}` };
}

/** The members of a structure that are all that is used of it, in their order in memory; none if it is used otherwise. */
function usedMembers(body: Stmt, sym: Symbol): readonly Expr[] {
  const type = canonical(sym.type);
  const fields = type.kind === "record" && !type.decl.union ? (type.decl.fields ?? []) : [];
  const members = new Map<Field, Expr>();
  let whole = false;
  walkStmt(body, {
    expr(e) {
      const field = e.kind === "member" && !e.arrow && isVariable(e.base, sym) ? e.field : undefined;
      whole ||= e.kind === "ident" && e.sym === sym;
      if (!field || !fields.includes(field) || field.name === undefined || field.bits) return true;
      members.set(field, e);
      return false;
    },
  });
  return whole ? [] : fields.flatMap((field) => members.get(field) ?? []);
}

function isVariable(e: Expr, sym: Symbol): boolean {
  const base = stripImplicit(e);
  return base.kind === "ident" && base.sym === sym;
}
