/**
 * Whether all gangs may run all iterations of a loop that also stores to memory that they share: each stores the same
 * values, and nothing in the region comes between them.
 */
import { isPointer, mapChildren } from "../../lang/index.ts";
import type { FunctionDef, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { type Use, usesOf } from "../analysis/access.ts";
import { aliasesOf, type Base } from "../analysis/alias.ts";
import { isPureMath } from "../analysis/purity.ts";

/** `own`: variables of which each gang has its own. `region`: the code around the loop, which contains it. */
export function repeatable(
  loop: Stmt,
  region: Stmt,
  own: ReadonlySet<Symbol>,
  def: FunctionDef | undefined,
): boolean {
  const inside = usesOf(loop);
  if (inside.indirectCall || [...inside.calls.keys()].some((sym) => !isPureMath(sym))) return false;
  const shared = (sym: Symbol) => !own.has(sym) && (isPointer(sym.type) || !inside.declared.has(sym));
  const uses = [...inside.of].filter(([sym]) => shared(sym));
  if (uses.some(([sym, use]) => stores(sym, use) && (use.addressTaken || loads(sym, use)))) return false;
  const elsewhere = usesOf(without(region, loop));
  if (elsewhere.indirectCall || [...elsewhere.calls.keys()].some((sym) => !isPureMath(sym))) return false;
  const { mayMeet } = bound(def);
  const others = [...elsewhere.of].filter(([sym]) => shared(sym));
  const written = [...uses, ...others].filter(([sym, use]) => stores(sym, use) || use.addressTaken);
  return uses.every(([sym, use]) =>
    written.every(
      ([other, change]) => (other === sym && change === use) || !mayMeet(sym, other) || !touches(sym, use),
    ),
  );
}

function without(s: Stmt, part: Stmt): Stmt {
  return s === part ? { kind: "expr", span: s.span } : mapChildren(s, (child) => without(child, part));
}

const isLeading = ({ type }: Symbol) => isPointer(type);

const stores = (sym: Symbol, use: Use): boolean => use.elementsWritten || (use.written && !isLeading(sym));

const loads = (sym: Symbol, use: Use): boolean => use.elementsRead || (use.read && !isLeading(sym));

const touches = (sym: Symbol, use: Use): boolean => stores(sym, use) || loads(sym, use);

function bound(def: FunctionDef | undefined): { mayMeet(a: Symbol, b: Symbol): boolean } {
  const aliases = aliasesOf(def);
  const base = (sym: Symbol): Base => ({ is: isLeading(sym) ? "pointee" : "variable", sym });
  return { mayMeet: (a, b) => a === b || aliases.mayMeet(base(a), undefined, base(b), undefined) };
}
