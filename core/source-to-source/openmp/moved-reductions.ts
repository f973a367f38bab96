/** Reductions of a construct and its gang loops, as clauses of the teams. */
import { usesOf } from "../../ir/analysis/access.ts";
import type { VarRef } from "../../ir/directives/directive.ts";
import type { Task } from "../../ir/model/ir.ts";
import { type Expr, type Symbol, walkStmt } from "../../lang/index.ts";
import { pairs } from "../sites/pairs.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { takesThreads } from "./constructs.ts";
import type { ToOpenMp } from "./context.ts";
import { canonicalName, isDataClause } from "./data.ts";
import type { Part } from "./implicit-clauses.ts";
import { movesScalar } from "./implicit-clauses.ts";
import { foundReductions, type SharedLoop } from "./loops.ts";

interface Moved extends Omit<Part, "before"> {
  /** Variables that the region's reductions map. */
  readonly symbols: ReadonlySet<Symbol>;
  /** Some are clauses of loops in OpenACC. */
  readonly fromLoops: boolean;
}

/** OpenMP requires reductions over teams on `teams`; in OpenACC they may be on gang loops inside. */
export function movedReductions(
  site: Site,
  tasks: readonly Task[],
  context: ToOpenMp,
  kind: string,
  own: SharedLoop | undefined,
): Moved {
  const because: string[] = [];
  const clauses: NewClause[] = [];
  let fromLoops = false;
  // Combined with its loop, the directive has the clause once for all its constructs.
  const carried =
    own !== undefined &&
    takesThreads(own.constructs) &&
    (own.constructs[0] === "distribute" || kind === "target");
  const at = (text: string, from?: Parameters<typeof put>[1]): void => {
    // With one thread, the reduction operates on the variable itself.
    if (!carried && kind === "target teams") clauses.push(put(`reduction(${text})`, from));
  };
  const symbols = new Set<Symbol>();
  const unmapped: string[] = [];
  const dataNames = new Set(
    site.directive.clauses
      .filter((c) => isDataClause(canonicalName(c.name)))
      .flatMap((c) => c.vars.map((v) => v.sym)),
  );
  const take = (sym: Symbol, written: string): void => {
    if (!dataNames.has(sym) && !symbols.has(sym)) unmapped.push(written);
    symbols.add(sym);
  };
  for (const { c, from } of pairs(site)) {
    if (c.name !== "reduction") continue;
    at(from.argument ?? "", from);
    for (const v of c.vars) take(v.sym, v.written);
  }
  if (own) {
    for (const { op, sym } of foundReductions(site, context.facts.loop(site.directive.pragma))) {
      at(`${op}: ${sym.name}`);
      take(sym, sym.name);
    }
  }
  const declared = new Set([...(site.stmt ? usesOf(site.stmt).declared : []), ...ownCopies(site)]);
  const inner = context.sites.filter((s) => s.around.includes(site) && s.directive.name === "loop");
  for (const s of inner) {
    const facts = context.facts.loop(s.directive.pragma);
    const overGangs = facts?.loop.parallel.levels.includes("gang") === true;
    for (const { c, from } of pairs(s)) {
      if (c.name !== "reduction") continue;
      const fresh = c.vars.filter((v) => !declared.has(v.sym) && !symbols.has(v.sym));
      // No task of the IR has a variable that the loop never mentions, so the clause stays.
      const idle = (sym: Symbol) => s.stmt !== undefined && !usesOf(s.stmt).of.has(sym);
      const ofRegion = fresh.filter(
        (v) => overGangs || idle(v.sym) || tasks.some((t) => movesScalar(t, v.sym)),
      );
      if (ofRegion.length === 0) continue;
      if (fresh.length !== c.vars.length)
        throw new CannotSay(
          c.loc,
          "some variables of this reduction are the region's own, and others are reduced over all gangs",
          "write a reduction clause for each",
        );
      at(from.argument ?? "");
      fromLoops = true;
      if (kind === "target teams") refuseReadBeside(site, inner, fresh);
      for (const v of fresh) take(v.sym, v.written);
      if (kind === "target teams")
        because.push(`reduction(${from.argument}) of the loop inside: OpenMP reduces over teams at 'teams'`);
    }
  }
  for (const found of context.facts.bare(site.directive.pragma))
    for (const { op, sym } of found.loop.site.stmt
      ? foundReductions({ directive: { ...site.directive, clauses: [] }, stmt: found.loop.site.stmt }, found)
      : []) {
      if (declared.has(sym) || symbols.has(sym)) continue;
      at(`${op}: ${sym.name}`);
      take(sym, sym.name);
    }
  // The combined directive with a reduction over teams maps the variable (OpenMP 5.0, section 2.19.7).
  if (unmapped.length > 0 && !(carried && kind === "target teams"))
    clauses.push(put(`map(tofrom: ${unmapped.join(", ")})`));
  return { clauses, because, symbols, fromLoops };
}

/** What clauses of the construct give each gang of its own: its loops reduce into these copies, and nothing is mapped. */
const ownCopies = ({ directive: d }: Site): readonly Symbol[] =>
  d.name.endsWith(" loop")
    ? []
    : d.clauses
        .filter((c) => c.name === "private" || c.name === "firstprivate")
        .flatMap((c) => c.vars.map((v) => v.sym));

/** A reduction on `teams` gives each team a copy initialised with the operator's identity. */
function refuseReadBeside(site: Site, loops: readonly Site[], vars: readonly VarRef[]): void {
  for (const { sym, written } of vars) {
    const reducing = new Set(
      loops
        .filter((s) =>
          s.directive.clauses.some((c) => c.name === "reduction" && c.vars.some((v) => v.sym === sym)),
        )
        .map((s) => s.stmt),
    );
    let read: Expr | undefined;
    if (site.stmt)
      walkStmt(site.stmt, {
        stmt: (s) => !reducing.has(s),
        expr(e) {
          if (e.kind === "ident" && e.sym === sym) read ??= e;
        },
      });
    if (read)
      throw new CannotSay(
        read.span.start,
        `'${written}' is used outside of the loop that reduces it, and OpenMP reduces it over all of the teams' code`,
        `use a copy that is made before the construct: firstprivate of another variable`,
        "each team's copy begins with the identity of the operator (OpenMP 5.0, section 2.19.5)",
      );
  }
}
