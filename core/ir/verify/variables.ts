/** The variables that one construct names. */

import { canonical } from "../../lang/index.ts";
import type { Diagnostic, Loc, Symbol } from "../../lang/tree/ast.ts";
import { type DataItem, type IrNode, isOpenMp, type Reduction } from "../model/ir.ts";

export function variables(n: IrNode): Diagnostic[] {
  if (n.kind === "loop") return sharing(n.privates, [], n.reductions, n.site.loc, headerReductions(n));
  if (n.kind === "task") {
    const spmd = n.body.kind === "ext" ? (n.body.ext as IrNode) : undefined;
    const own =
      spmd?.kind === "spmd" ? sharing(spmd.privates, spmd.firstprivates, spmd.reductions, n.site.loc) : [];
    const explicit = n.items.filter((i) => i.mapping.vis === "explicit");
    const privates = spmd?.kind === "spmd" ? [...spmd.privates, ...spmd.firstprivates] : [];
    return [...own, ...items(explicit, isOpenMp(n.site)), ...mappedPrivates(explicit, privates)];
  }
  if (n.kind === "data" || n.kind === "data-move" || n.kind === "declare") return [...items(n.items)];
  return [];
}

function error(code: string, loc: Loc, message: string, remedy: string): Diagnostic {
  return { severity: "error", code, loc, message, remedy };
}

function headerReductions(n: IrNode & { readonly kind: "loop" }): Diagnostic[] {
  const vars = new Set(n.headers.map((h) => h.var));
  return n.reductions
    .filter((r) => vars.has(r.sym))
    .map((r) =>
      error(
        "reduction-of-loop-variable",
        r.loc,
        `'${r.sym.name}' is the loop's own variable`,
        "reduce another variable",
      ),
    );
}

/** `private`, `firstprivate` and `reduction` exclude each other, and each names a variable once. */
function sharing(
  privates: readonly Symbol[],
  firstprivates: readonly Symbol[],
  reductions: readonly Reduction[],
  loc: Loc,
  more: readonly Diagnostic[] = [],
): Diagnostic[] {
  const found: Diagnostic[] = [
    ...more,
    ...reductions
      .filter((r) => canonical(r.sym.type).quals?.const)
      .map((r) => error("reduction-of-constant", r.loc, `'${r.sym.name}' is const`, "reduce a variable")),
  ];
  const named: [Symbol, string, Loc][] = [
    ...privates.map((s): [Symbol, string, Loc] => [s, "private", loc]),
    ...firstprivates.map((s): [Symbol, string, Loc] => [s, "firstprivate", loc]),
    ...reductions.map((r): [Symbol, string, Loc] => [r.sym, "reduction", r.loc]),
  ];
  const first = new Map<Symbol, string>();
  for (const [sym, how, at] of named) {
    const before = first.get(sym);
    first.set(sym, before ?? how);
    if (before === how)
      found.push(error("duplicate-variable", at, `'${sym.name}' is named twice in '${how}'`, "name it once"));
    else if (before !== undefined)
      found.push(
        error(
          "conflicting-sharing",
          at,
          `'${sym.name}' is both '${before}' and '${how}'`,
          `keep it in one of the two clauses`,
        ),
      );
  }
  return found;
}

/**
 * An object may be in only one data clause; several sections of it may. `objects`: whether any object has a device
 * address.
 */
function items(list: readonly DataItem[], objects = false): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const item of list) {
    const key = `${item.sym.id} ${item.written.replace(/\s+/g, "")}`;
    if (seen.has(key))
      found.push(
        error(
          "duplicate-variable",
          item.loc,
          `'${item.written}' is named twice by the data clauses`,
          "keep it in one clause",
        ),
      );
    seen.add(key);
    const { kind } = canonical(item.object.type);
    const { is } = item.mapping;
    if (["attach", "detach", "deviceptr"].includes(is) && !objects && kind !== "pointer" && kind !== "array")
      found.push(
        error(
          "pointer-needed",
          item.loc,
          `'${item.written}' is not a pointer, which '${is}' needs`,
          "name a pointer",
        ),
      );
  }
  return found;
}

function mappedPrivates(list: readonly DataItem[], privates: readonly Symbol[]): Diagnostic[] {
  return list
    .filter((i) => i.object.kind === "ident" && privates.includes(i.sym))
    .map((i) =>
      error(
        "conflicting-sharing",
        i.loc,
        `'${i.written}' is private to each gang and in a data clause`,
        "keep it in one of the two clauses",
      ),
    );
}
