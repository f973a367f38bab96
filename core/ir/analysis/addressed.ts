/** Variables that pointers may lead to. */
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Program } from "../model/program.ts";
import { usesOf } from "./access.ts";

/** Whether pointers may lead to a variable: of those of functions it is known whether anyone takes their address. */
export function addressed({ unit }: Program): (sym: Symbol) => boolean {
  const found = new Set<Symbol>();
  for (const external of unit.externals)
    if (external.kind === "function")
      for (const [sym, use] of usesOf(external.body).of) if (use.addressTaken) found.add(sym);
  return (sym) => sym.scope === "file" || sym.storage === "extern" || found.has(sym);
}
