/** Which memory of a region is known to be other memory than some else. */

import { usesOf } from "../../../ir/analysis/access.ts";
import type { Task } from "../../../ir/model/ir.ts";
import { spmdOf } from "../../../ir/model/region.ts";
import { canonical } from "../../../lang/index.ts";
import type { Expr, Symbol } from "../../../lang/tree/ast.ts";
import { stripImplicit } from "../../../lang/tree/build.ts";

/**
 * Declared arrays are separate objects, and two restrict pointers share nothing that is written. One restrict pointer
 * alone says less: any other pointer may be based on it (C11 6.7.3.1p3), and lead to the same memory.
 */
export function distinct(a: Symbol, b: Symbol): boolean {
  if (a === b) return false;
  return isOwn(a) && isOwn(b);
}

function isOwn({ type }: Symbol): boolean {
  const { kind, quals } = canonical(type);
  return kind === "array" || type.quals?.restrict === true || quals?.restrict === true;
}

/** Whether a pointer of the region may lead to a variable. */
export type Reachable = (sym: Symbol) => boolean;

/** A variable that the region has for itself is reached by no pointer, unless the region takes its address. */
export function reachableIn(task: Task): Reachable {
  const { of, declared } = usesOf(spmdOf(task).body);
  const copies = new Set(task.items.filter(({ sharing }) => sharing.is !== "shared").map(({ sym }) => sym));
  return (sym) => of.get(sym)?.addressTaken === true || !(declared.has(sym) || copies.has(sym));
}

/** Whether evaluating `e` may read what an assignment to `target` changes. */
export function mayRead(e: Expr, target: Expr, isReachable: Reachable): boolean {
  const uses = [...usesOf(e).of];
  const root = variableOf(target);
  if (root === undefined)
    return uses.some(([sym, { read, elementsRead }]) => elementsRead || (read && isReachable(sym)));
  return uses.some(([sym, { elementsRead }]) => sym === root || (elementsRead && isReachable(root)));
}

/** The variable that an lvalue is, or is a part of; undefined for memory behind pointers. */
function variableOf(e: Expr): Symbol | undefined {
  const at = stripImplicit(e);
  if (at.kind === "ident") return at.sym;
  if (at.kind === "member" && !at.arrow) return variableOf(at.base);
  const isElement = at.kind === "index" && canonical(stripImplicit(at.base).type).kind === "array";
  return isElement ? variableOf(at.base) : undefined;
}
