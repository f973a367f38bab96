/** `declare target`: functions that device code may call, and variables that live on the device. */
import { evaluateInteger } from "../../lang/index.ts";
import type { External, Symbol } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import { clause, type Directive, site } from "../directives/directive.ts";
import { dataItem } from "../directives/items.ts";
import type { Reading } from "../directives/read-state.ts";
import type { Routines } from "../directives/routines.ts";
import type { DataItem, Declare } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";

interface Listed {
  readonly sym: Symbol;
  readonly item: "to" | "link";
  readonly d: Directive;
}

export class DeclareTarget {
  private readonly reading: Reading;
  private readonly routines: Routines;
  /** Blocks that are still open. */
  private readonly open: Directive[] = [];
  private readonly functions = new Map<Symbol, Directive>();
  private readonly variables = new Map<Symbol, Listed>();

  constructor(reading: Reading, routines: Routines) {
    this.reading = reading;
    this.routines = routines;
  }

  has(sym: Symbol): boolean {
    return this.variables.has(sym) || this.reading.declares.some((d) => d.items.some((i) => i.sym === sym));
  }

  directive(d: Directive, externals: readonly External[]): void {
    if (d.name === "end declare target") {
      if (this.open.pop()) return;
      this.reading.report(
        "declare-target-end",
        d.loc,
        "'end declare target' ends nothing",
        "write 'declare target' before the declarations",
      );
      return;
    }
    const [beside] = d.clauses;
    if (d.argument && beside)
      this.reading.report(
        "list-beside-clauses",
        beside.loc,
        `'${d.name}' has a list of its own, and '${beside.name}' beside it (OpenMP 5.2, section 7.8.1)`,
        `write enter(${d.argument.names.join(", ")}) instead of the list`,
      );
    const listed = [d.argument, clause(d, "to"), clause(d, "enter")].flatMap((c) => c?.names ?? []);
    const linked = clause(d, "link")?.names ?? [];
    if (d.name === "begin declare target" || listed.length + linked.length === 0) this.open.push(d);
    const twice = linked.find((name) => listed.includes(name));
    if (twice !== undefined)
      this.reading.report(
        "repeated-variable",
        clause(d, "link")?.loc ?? d.loc,
        `'${twice}' has a copy on the device, and is linked to one there, too (OpenMP 5.2, section 7.8.1)`,
        "leave it out of one of the clauses",
      );
    for (const name of listed) this.name(name, "to", d, externals);
    for (const name of linked) this.name(name, "link", d, externals);
  }

  /** A function or declaration; undefined: the end of the file. */
  declared(external: External | undefined): void {
    const [d] = this.open.slice(-1);
    if (!external) {
      if (d)
        this.reading.report(
          "declare-target-end",
          d.loc,
          `'${d.name}' has no end`,
          "write '#pragma omp end declare target' behind the declarations",
        );
      return this.finish();
    }
    if (!d) return;
    if (external.kind === "function") this.add(external.sym, "to", d);
    if (external.kind === "decl") for (const { sym } of external.decls) this.add(sym, "to", d);
  }

  private name(name: string, item: Listed["item"], d: Directive, externals: readonly External[]): void {
    const sym = d.pragma.scope.lookup(name) ?? later(externals, name);
    if (sym?.kind === "function" || sym?.kind === "var") this.add(sym, item, d);
    else
      this.reading.report(
        "not-a-function",
        d.pragma.tokens.find((t) => t.text === name)?.loc ?? d.loc,
        `'${name}' is neither a function nor a variable declared here`,
        "declare it before the directive",
      );
  }

  private add(sym: Symbol, item: Listed["item"], d: Directive): void {
    if (clause(d, "device_type")?.names[0] === "host") return;
    if (sym.kind === "function") this.functions.set(sym, d);
    else if (sym.kind === "var" && !this.has(sym)) this.variables.set(sym, { sym, item, d });
  }

  /** Directives of OpenACC for the same names take precedence. */
  private finish(): void {
    for (const [sym, d] of this.functions)
      if (!this.routines.found.has(sym))
        this.routines.found.set(sym, {
          sym,
          level: "seq",
          ...(isIndirect(d) && { indirect: true }),
          loc: d.loc,
        });
    const items = new Map<Directive, DataItem[]>();
    for (const { sym, item, d } of this.variables.values()) {
      const { loc } = d;
      const declaredItem = dataItem(
        { sym, object: ident(sym), section: [], written: sym.name, loc },
        item,
        {},
      );
      items.set(d, [...(items.get(d) ?? []), declaredItem]);
    }
    for (const [d, list] of items)
      this.reading.declares.push(node<Declare>({ kind: "declare", site: site(d), items: list }));
  }
}

/** OpenMP 5.2, section 7.8.3. */
function isIndirect(d: Directive): boolean {
  const found = clause(d, "indirect");
  const [condition] = found?.exprs ?? [];
  return found !== undefined && !(condition && condition !== "*" && evaluateInteger(condition) === 0n);
}

function later(externals: readonly External[], name: string): Symbol | undefined {
  for (const e of externals) {
    if (e.kind === "function" && e.sym.name === name) return e.sym;
    const found = e.kind === "decl" ? e.decls.find((x) => x.sym.name === name)?.sym : undefined;
    if (found) return found;
  }
  return undefined;
}
