/** File-scope variables that have a copy on the device for the whole run. */
import type { Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import { itemsOf, readDirective, symbolsOf } from "../read/directive.ts";

export function residentIn(unit: TranslationUnit): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  const linked = new Set<Symbol>();
  let open = false;
  for (const external of unit.externals) {
    if (external.kind === "decl" && open)
      for (const { sym } of external.decls)
        if (sym.kind === "var" && sym.storage !== "typedef") found.add(sym);
    const d = external.kind === "pragma" ? readDirective(external) : undefined;
    if (!d) continue;
    if (d.name === "end declare target") open = false;
    if (d.name === "begin declare target") open = true;
    if (d.name === "declare target") {
      if (d.argument.length === 0 && d.clauses.length === 0) open = true;
      for (const { sym } of itemsOf(d, { name: d.name, tokens: d.argument })) found.add(sym);
      for (const sym of symbolsOf(d, "to", "enter")) found.add(sym);
      for (const sym of symbolsOf(d, "link")) linked.add(sym);
    }
    if (d.language === "acc" && d.name === "declare")
      for (const sym of symbolsOf(d, "create", "copyin", "device_resident")) found.add(sym);
  }
  return new Set([...found].filter((sym) => !linked.has(sym)));
}
