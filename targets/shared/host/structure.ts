/**
 * The structure of which a data item is a member. What one construct maps of it is counted as one: OpenMP 5.2, section
 * 5.8.3.
 *
 *     map(to: s.a, s.in.b[0:4], p->c, s.d[0:n])   =>   &s, &s, p, and none for what the pointer s.d leads to
 */
import { isArray } from "../../../core/ir/analysis/access.ts";
import type { DataItem } from "../../../core/ir/model/ir.ts";
import { canonical, printExpr } from "../../../core/lang/index.ts";
import type { Expr } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { elementOf } from "./section.ts";

/** The address of the outermost structure that is reached without a pointer, as C text. */
export function structureOf({ object, section }: Pick<DataItem, "object" | "section">): string | undefined {
  const pointer = pointerItself(object);
  if (!pointer && isBehindPointer({ object, section })) return undefined;
  let address: string | undefined;
  for (let e: Expr | undefined = pointer ?? stripImplicit(object); e; e = whole(e)) {
    if (e.kind === "member") address = e.arrow ? printExpr(e.base) : `&${printExpr(e.base)}`;
  }
  return address;
}

/** `p` of `(T **)&p`, as which a pointer itself is mapped. */
function pointerItself(object: Expr): Expr | undefined {
  const address = object.kind === "cast" ? object.arg : object;
  return address.kind === "unary" && address.op === "&" ? stripImplicit(address.arg) : undefined;
}

function isBehindPointer({ object, section }: Pick<DataItem, "object" | "section">): boolean {
  let type = object.type;
  for (const _ of section) {
    if (canonical(type).kind === "pointer") return true;
    type = elementOf(type) ?? type;
  }
  return false;
}

/** What an expression names a part of, if no pointer leads to the part. */
function whole(e: Expr): Expr | undefined {
  if (e.kind === "member") return e.arrow ? undefined : stripImplicit(e.base);
  const base = e.kind === "index" ? stripImplicit(e.base) : undefined;
  return base && isArray(base) ? base : undefined;
}
