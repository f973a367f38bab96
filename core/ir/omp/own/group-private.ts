/**
 * `groupprivate` (OpenMP 6.0, section 7.13): of such a variable of the file, each team of a region has a copy, which begins
 * without a value. It is a variable of the team's code, and so in the memory of its group.
 *
 *     static int tile[32];
 *     #pragma omp groupprivate(tile)
 *     target teams { tile[...] ... }      =>      target teams { int tile_own[32]; tile_own[...] ... }
 */
import type { External, FunctionDef, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { compound } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { ownCopies } from "../../analysis/own-copies.ts";
import { begun } from "../../directives/copied.ts";
import { clause, type Directive } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import { ruleOf } from "../directive/parse.ts";

export class GroupPrivate {
  private readonly reading: Reading;
  /** True: there are copies in regions. */
  private readonly found = new Map<Symbol, boolean>();

  constructor(reading: Reading) {
    this.reading = reading;
  }

  declare(d: Directive, externals: readonly External[]): void {
    const initialised = new Set(
      externals.flatMap((e) =>
        e.kind === "decl" ? e.decls.filter((one) => one.init).map((one) => one.sym) : [],
      ),
    );
    for (const { sym, loc } of d.argument?.vars ?? []) {
      if (initialised.has(sym))
        this.reading.report(
          "group-private",
          loc,
          `'${sym.name}' has a first value, which the copies of 'groupprivate' do not begin with`,
          "declare it without, and set it in the region",
        );
      this.found.set(sym, clause(d, "device_type")?.names[0] !== "host");
    }
  }

  /** A construct's code, with the copies if it begins a team. */
  within(d: Directive, body: Stmt): Stmt {
    const { leaves } = ruleOf(d);
    const used = this.usedIn(body);
    if (used.length === 0 || !(leaves.includes("teams") || leaves.includes("target"))) return body;
    const last = leaves.at(-1);
    const alone = last === "teams" || last === "target";
    for (const sym of used)
      if (!alone || !this.found.get(sym))
        this.reading.report(
          "group-private",
          d.loc,
          alone
            ? `'${sym.name}' of 'groupprivate' has no copies in regions: its 'device_type' is 'host'`
            : `'${d.name}' shares out code that uses '${sym.name}' of 'groupprivate', and its teams have no code of their own`,
          alone
            ? "leave device_type out"
            : "write 'target teams' around a block, and the other constructs inside",
        );
    if (!alone) return body;
    const { own, body: inner } = ownCopies(used, body);
    return compound([...[...own.values()].flatMap((copy) => begun(copy)), inner], body.span);
  }

  /** Functions do not know the team of their caller. */
  refuseIn(functions: Iterable<FunctionDef>): void {
    for (const def of functions)
      for (const sym of this.usedIn(def.body))
        this.reading.report(
          "group-private",
          usesOf(def.body).of.get(sym)?.at.span.start ?? def.span.start,
          `'${sym.name}' of 'groupprivate' is used in '${def.sym.name}', which regions call`,
          "give the function a pointer to it",
        );
  }

  private usedIn(body: Stmt): readonly Symbol[] {
    if (this.found.size === 0) return [];
    const uses = usesOf(body).of;
    return [...this.found.keys()].filter((sym) => uses.has(sym));
  }
}
