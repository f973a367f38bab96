/** Variables that may be pointed to, and parameters that keep their value. */
import type { Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import type { Program } from "../model/program.ts";
import { usesOf } from "./access.ts";

/**
 * Whether a pointer may point to a variable. For a function's variables this requires that their address is taken.
 * Functions are scanned at the first query, since most programs make none.
 */
export function addressed({ unit }: Program): (sym: Symbol) => boolean {
  let pointedTo: ReadonlySet<Symbol> | undefined;
  return (sym) => {
    if (sym.scope === "file" || sym.storage === "extern") return true;
    pointedTo ??= addressesTaken(unit);
    return pointedTo.has(sym);
  };
}

function addressesTaken({ externals }: TranslationUnit): ReadonlySet<Symbol> {
  const pointedTo = new Set<Symbol>();
  for (const external of externals)
    if (external.kind === "function")
      for (const [sym, use] of usesOf(external.body).of) if (use.addressTaken) pointedTo.add(sym);
  return pointedTo;
}

/**
 * Whether a symbol is a pointer parameter that its function never changes: it is not based on any other pointer of the
 * function (C11 6.7.3.1p3).
 */
export function keptParameters({ unit }: Program): (sym: Symbol) => boolean {
  let changed: ReadonlySet<Symbol> | undefined;
  return (sym) => {
    if (sym.kind !== "param") return false;
    changed ??= changedIn(unit);
    return !changed.has(sym);
  };
}

function changedIn({ externals }: TranslationUnit): ReadonlySet<Symbol> {
  const changed = new Set<Symbol>();
  for (const external of externals)
    if (external.kind === "function")
      for (const [sym, use] of usesOf(external.body).of)
        if (use.written || use.addressTaken) changed.add(sym);
  return changed;
}
