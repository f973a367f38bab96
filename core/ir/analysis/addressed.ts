/** Variables that pointers may lead to. */
import type { Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import type { Program } from "../model/program.ts";
import { usesOf } from "./access.ts";

/**
 * Whether pointers may lead to a variable: of those of functions it is known whether anyone takes their address. The
 * functions are read at the first question, since most programs ask none.
 */
export function addressed({ unit }: Program): (sym: Symbol) => boolean {
  let taken: ReadonlySet<Symbol> | undefined;
  return (sym) => {
    if (sym.scope === "file" || sym.storage === "extern") return true;
    taken ??= addressesTaken(unit);
    return taken.has(sym);
  };
}

function addressesTaken({ externals }: TranslationUnit): ReadonlySet<Symbol> {
  const taken = new Set<Symbol>();
  for (const external of externals)
    if (external.kind === "function")
      for (const [sym, use] of usesOf(external.body).of) if (use.addressTaken) taken.add(sym);
  return taken;
}
