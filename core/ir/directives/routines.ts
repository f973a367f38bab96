/** Routine directives: functions that device code may call. */
import type { External, Symbol } from "../../lang/tree/ast.ts";
import type { Routine } from "../model/program.ts";
import { clause, type Directive } from "./directive.ts";
import type { Reading } from "./read-state.ts";

export class Routines {
  readonly found = new Map<Symbol, Routine>();
  private readonly reading: Reading;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  named(directive: Directive, externals: readonly External[]): void {
    const { argument, pragma } = directive;
    for (const name of argument?.names ?? []) {
      const sym = pragma.scope.lookup(name) ?? laterFunction(externals, name);
      if (sym?.kind === "function") this.add(sym, directive);
      else
        this.reading.report(
          "not-a-function",
          pragma.tokens.find((t) => t.text === name)?.loc ?? directive.loc,
          `'${name}' is not a function declared here`,
          "declare it before the directive",
        );
    }
  }

  attach(directive: Directive, external: External | undefined): void {
    const sym =
      external?.kind === "function"
        ? external.sym
        : external?.kind === "decl"
          ? external.decls[0]?.sym
          : undefined;
    if (sym?.kind === "function") this.add(sym, directive);
    else
      this.reading.report(
        "routine-without-function",
        directive.loc,
        "'routine' is not followed by a function",
        "put it directly before the function, or name the function: routine(f)",
      );
  }

  add(sym: Symbol, directive: Directive): void {
    const level = (["gang", "worker", "vector", "seq"] as const).find((l) => clause(directive, l)) ?? "seq";
    const bind = clause(directive, "bind")?.names[0];
    const known = this.found.get(sym);
    if (known && known.level !== level)
      this.reading.report(
        "routine-level-differs",
        directive.loc,
        `'${sym.name}' is a '${level}' routine here and a '${known.level}' routine at line ${known.loc.line}`,
        "write the same clause on every routine directive of a function",
      );
    this.found.set(sym, { sym, level, ...(bind && { bind }), loc: directive.loc });
  }
}

function laterFunction(externals: readonly External[], name: string): Symbol | undefined {
  for (const e of externals) {
    if (e.kind === "function" && e.sym.name === name) return e.sym;
    if (e.kind === "decl") {
      const found = e.decls.find((x) => x.sym.name === name);
      if (found) return found.sym;
    }
  }
  return undefined;
}
