/**
 * Pointers that data clauses name without a section: in OpenACC they mean what they lead to, as far as arc knows it, and
 * in OpenMP the pointers themselves. The clauses get the section in writing.
 */
import { itemAt } from "../../checked/access.ts";
import type { Directive } from "../../ir/directives/directive.ts";
import { asNode, type DataItem } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { canonical, printExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Pragma, Symbol } from "../../lang/tree/ast.ts";
import type { Written } from "../text/written.ts";

export type Lengths = ReadonlyMap<Pragma, ReadonlyMap<Symbol, Expr>>;

/** The number of elements that each directive means of a pointer. */
export function lengthsOf({ unit }: Program): Lengths {
  const found = new Map<Pragma, Map<Symbol, Expr>>();
  const add = (pragma: Pragma | undefined, items: readonly DataItem[]): void => {
    for (const { sym, object, section, mapping } of items) {
      const [{ length, start } = {}, ...more] = section;
      if (!pragma || !length || start || more.length > 0 || object.kind !== "ident") continue;
      if (mapping.vis !== "explicit" || canonical(sym.type).kind !== "pointer") continue;
      const own = found.get(pragma) ?? new Map<Symbol, Expr>();
      found.set(pragma, own.set(sym, own.get(sym) ?? length));
    }
  };
  for (const external of unit.externals)
    if (external.kind === "function")
      walkStmt(external.body, {
        stmt(s) {
          const node = asNode(s, "task") ?? asNode(s, "data") ?? asNode(s, "data-move");
          if (node) add(node.site.pragma, node.items);
        },
        expr: () => false,
      });
  return found;
}

const sized = ["copy", "copyin", "copyout", "create", "delete", "device", "self", "host"];

export function withLengths(
  directive: Directive,
  written: Written,
  lengths: ReadonlyMap<Symbol, Expr> | undefined,
): { readonly directive: Directive; readonly written: Written } {
  if (!lengths) return { directive, written };
  const clauses = directive.clauses.map((c, i) => {
    const from = itemAt(written.clauses, i);
    if (!sized.some((name) => c.name.endsWith(name)) || from.list.length !== c.vars.length)
      return { c, from };
    const list = [...from.list];
    const vars = c.vars.map((v, k) => {
      const length = v.section.length === 0 && v.object.kind === "ident" ? lengths.get(v.sym) : undefined;
      if (!length) return v;
      const section = `[0:${printExpr(length)}]`;
      list[k] = itemAt(list, k) + section;
      return { ...v, section: [{ length }], written: v.written + section };
    });
    return { c: { ...c, vars }, from: { ...from, list, argument: list.join(", ") } };
  });
  return {
    directive: { ...directive, clauses: clauses.map(({ c }) => c) },
    written: { ...written, clauses: clauses.map(({ from }) => from) },
  };
}
