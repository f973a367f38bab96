/** Clauses of loops in OpenMP, and what its directives leave out. */

import { usesOf } from "../../ir/analysis/access.ts";
import { definedFirst, liveAfter } from "../../ir/analysis/liveness.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import { dependence } from "../../ir/dependence/dependence.ts";
import type { Clause, VarRef } from "../../ir/directives/directive.ts";
import { asNode, type Reduction } from "../../ir/model/ir.ts";
import { findNode } from "../../ir/model/nodes.ts";
import { evaluateInteger, isScalar, walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripBlocks } from "../../lang/tree/build.ts";
import type { LoopFacts } from "../sites/facts.ts";
import { pairs } from "../sites/pairs.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import { isCompute, type Site } from "../sites/site.ts";
import { refuseDeviceTypes, refuseParts } from "./clauses.ts";
import { constructsIn, ofRoutine, refuseArrayBounds, takesThreads } from "./constructs.ts";
import type { ToOpenMp } from "./context.ts";
import { inherited, namedIn, refuseLasting, withoutOwn } from "./inherited.ts";

/** Variables of a clause that the loop uses. */
function usedOf({ stmt }: Site, { vars }: Clause): readonly VarRef[] {
  const uses = stmt && usesOf(stmt);
  return uses ? vars.filter(({ sym }) => uses.of.has(sym)) : vars;
}

export interface SharedLoop {
  /** OpenMP constructs, outermost first; none: the loop is sequential. */
  readonly constructs: readonly string[];
  readonly clauses: readonly NewClause[];
  /** Reductions of the loop that an enclosing construct must carry. */
  readonly reductions: readonly NewClause[];
  /** The directive of a sequential loop, for which OpenMP has none. */
  readonly advice?: string;
  /** OpenMP's clauses say something else, or nothing, of what OpenACC leaves open. */
  readonly saysLess: boolean;
  readonly because: readonly string[];
}

/** The part of a directive that concerns its loop; `facts`: the loop in the IR. */
export function sharedLoop(site: Site, facts: LoopFacts | undefined, context: ToOpenMp): SharedLoop {
  refuseDeviceTypes(site.directive);
  refuseParts(site.directive);
  const { collapse } = context.facts;
  const mapped = context.facts.mapped?.(site.directive.pragma) === true;
  const depth = site.stmt && collapse?.(site.stmt);
  const constructs = facts?.task ? constructsIn(facts) : ofRoutine(site);
  refuseArrayBounds(site.stmt, constructs);
  const { clauses, reductions, because } = clausesOfLoop(site, constructs, mapped, context.sites);
  if (depth !== undefined && depth > 1) {
    clauses.push(put(`collapse(${depth})`));
  }
  const inner =
    site.stmt?.kind === "for" && constructs.length > 0
      ? inherited(site.stmt.body, Math.max(0, (depth ?? 1) - 1), namedIn(site.directive), context)
      : undefined;
  for (const text of inner?.reductions ?? []) {
    const clause = put(`reduction(${text})`);
    if (takesThreads(constructs)) clauses.push(clause);
    reductions.push(clause);
  }
  if (inner && inner.privates.length > 0) {
    const names = inner.privates.map(({ written }) => written).join(", ");
    clauses.push(put(`private(${names})`));
    because.push(`private(${names}) of a loop inside, which has no directive in OpenMP`);
  }
  for (const { op, sym } of foundReductions(site, facts)) {
    const clause = put(`reduction(${op}: ${sym.name})`);
    if (takesThreads(constructs)) clauses.push(clause);
    reductions.push(clause);
    because.push(`reduction(${op}: ${sym.name}) was found: every iteration combines into the variable`);
  }
  const found = new Set(facts?.loop.reductions.map((r) => r.sym));
  const own = takesThreads(constructs)
    ? privatesOf({ ...site, within: constructOf(site) }, facts, withDirective(context), depth).filter(
        (sym) => !found.has(sym) && inner?.symbols.has(sym) !== true,
      )
    : [];
  if (own.length > 0) {
    const names = own.map((sym) => sym.name).join(", ");
    clauses.push(put(`private(${names})`));
    because.push(
      `private(${names}): OpenMP's threads share a variable from outside the loop unless a clause says otherwise`,
    );
  }
  if (constructs.length === 0) refuseLastingCounter(site);
  const saysLess =
    own.length > 0 ||
    (inner?.privates.length ?? 0) > 0 ||
    namesLevels(facts) ||
    (constructs.join() === "simd" && !isProved(site, facts)) ||
    site.directive.clauses.some((c) => isOpen(c, constructs));
  const loop = { constructs, clauses, reductions, saysLess, because };
  if (constructs.length > 0 || mapped) return loop;
  if (site.directive.name === "loop")
    because.push(
      "the loop runs in order, as it does in OpenMP without a directive: a comment keeps the advice",
    );
  return { ...loop, advice: adviceOf(site, facts) };
}

/**
 * Whether OpenMP's constructs of the loop are those of other levels, too. `distribute parallel for` is made of loops whose
 * levels are the compiler's choice; those of several loops get names.
 */
function namesLevels(facts: LoopFacts | undefined): boolean {
  if (facts?.task === undefined || facts.loop.parallel.independence !== "independent") return false;
  const { levels, free } = facts.loop.parallel;
  if (free) return levels.join(" ") !== "gang vector";
  const inside = findNode(facts.loop.body, "loop", (inner) => inner.parallel.levels.length > 0) !== undefined;
  return levels.length > 1 || (!inside && levels[0] !== "vector");
}

/** Of a `simd` loop arc reads no more than that lanes may run it in order: whether a proof says the rest. */
const isProved = ({ function: def }: Site, facts: LoopFacts | undefined): boolean =>
  facts === undefined || dependence(facts.loop, { function: def, liveAfter: () => true }).independent;

/** Whether a clause leaves its loop to the compiler, or says what OpenMP's constructs of the loop do not take. */
function isOpen({ name, exprs }: Clause, constructs: readonly string[]): boolean {
  const [size] = exprs;
  if (name === "auto" || name === "tile") return true;
  if (name === "private") return constructs.length === 0;
  if (name === "gang") return size !== undefined;
  if (name === "reduction") return constructs.length > 0 && !takesThreads(constructs);
  if (name !== "vector" || !constructs.includes("simd") || size === undefined || size === "*") return false;
  return (evaluateInteger(size) ?? 0n) <= 0n;
}

/** What was decided about a loop that is not shared out; without `seq`, OpenACC's loops may be. */
function adviceOf(site: Site, facts: LoopFacts | undefined): string {
  const open = facts !== undefined && facts.loop.parallel.independence !== "seq";
  const ofLoop = ["collapse", "reduction", ...(open ? ["independent", "gang", "worker", "vector"] : [])];
  const written = pairs(site).filter(({ c }) => ofLoop.includes(c.name));
  const words = written.map(({ c: { name }, from: { argument } }) =>
    argument === undefined ? name : `${name}(${argument})`,
  );
  return ["loop", ...(open ? [] : ["seq"]), ...words].join(" ");
}

/** What the clauses that OpenACC has for a loop become; `mapped`: its iterations are given to threads in another way. */
function clausesOfLoop(
  site: Site,
  constructs: readonly string[],
  mapped: boolean,
  sites: readonly Site[],
): { readonly clauses: NewClause[]; readonly reductions: NewClause[]; readonly because: string[] } {
  const clauses: NewClause[] = [];
  const reductions: NewClause[] = [];
  const because: string[] = [];
  for (const { c, from } of pairs(site)) {
    switch (c.name) {
      case "collapse":
        if (c.modifiers.includes("force"))
          throw new CannotSay(
            c.loc,
            "OpenMP collapses loops of which each holds the next and nothing else",
            "move what stands between the loops into the innermost one, and leave `force:` out",
          );
        if (constructs.length > 0 && !mapped) clauses.push(put(`collapse(${from.argument ?? ""})`, from));
        break;
      case "tile":
        if (constructs.length > 0 && !mapped && c.exprs.length > 1)
          clauses.push(put(`collapse(${c.exprs.length})`, from));
        because.push(
          "tile: which iterations run close together is the compiler's choice in OpenMP 5.0: results do not depend on it",
        );
        break;
      case "worker":
      case "vector": {
        const [size] = c.exprs;
        if (mapped || size === undefined || size === "*" || !takesThreads(constructs)) break;
        const text = (from.argument ?? "").replace(/^\s*(num|length)\s*:\s*/, "");
        const lanes = c.name === "vector" && constructs.includes("simd");
        if (!lanes) clauses.push(put(`num_threads(${text})`, from));
        else if ((evaluateInteger(size) ?? 0n) > 0n) clauses.push(put(`simdlen(${text})`, from));
        else
          because.push(
            `vector(${text}): OpenMP's simdlen is a constant, and lanes are the compiler's choice else`,
          );
        break;
      }
      case "gang":
        if (c.exprs.length > 0)
          because.push(
            "the number of gangs of one loop is the compiler's choice in OpenMP: results do not depend on it",
          );
        if (c.modifiers.includes("dim"))
          throw new CannotSay(c.loc, "OpenMP's leagues of teams have one dimension", "write collapse");
        if (c.static !== undefined && constructs.includes("distribute"))
          clauses.push(
            put(`dist_schedule(static${c.static === "*" ? "" : `, ${staticText(from.argument)}`})`, from),
          );
        break;
      case "private":
        if (constructs.length > 0) clauses.push(put(`private(${from.argument ?? ""})`, from));
        else refuseLasting(site, c, sites);
        break;
      case "reduction": {
        const used = site.directive.name === "loop" ? usedOf(site, c) : c.vars;
        if (used.length < c.vars.length)
          because.push("reduction of what no iteration uses leaves the variable as it is, and goes");
        if (used.length === 0) break;
        const list = used.map(({ written }) => written).join(", ");
        const text = used.length < c.vars.length ? `${c.op ?? "+"}: ${list}` : (from.argument ?? "");
        const clause = put(`reduction(${text})`, from);
        if (takesThreads(constructs)) clauses.push(clause);
        reductions.push(clause);
        break;
      }
    }
  }
  return { clauses, reductions, because };
}

/** What analysis found about a loop whose parallelism is left to the compiler. */
export function foundReductions(
  { directive: d, stmt }: Pick<Site, "directive" | "stmt">,
  facts: LoopFacts | undefined,
): readonly Reduction[] {
  if (!facts || !stmt || (facts.loop.site.pragma && facts.task?.construct !== "kernels")) return [];
  const named = new Set(d.clauses.flatMap((c) => (c.name === "reduction" ? c.vars.map((v) => v.sym) : [])));
  const uses = usesOf(stmt);
  return facts.loop.reductions.filter((r) => !named.has(r.sym) && uses.of.has(r.sym));
}

/** Loops that keep a directive, and so their clauses. */
const withDirective = ({ sites, facts }: ToOpenMp): readonly Site[] =>
  sites.filter((s) => {
    const found = facts.mapped?.(s.directive.pragma) && facts.loop(s.directive.pragma);
    return !found || constructsIn(found).length > 0;
  });

/** What the loop of a `loop` directive stands in: its construct, or the function that regions call. */
const constructOf = ({ around, function: def }: Site): Stmt | undefined =>
  around.findLast(isCompute)?.stmt ?? def?.body;

/** The counter of a loop with a directive is private; without the directive it would keep its last value. */
function refuseLastingCounter(site: Site): void {
  const { directive: d, stmt } = site;
  const header = stmt?.kind === "for" ? countedHeader(stmt) : undefined;
  if (!stmt || !header || "severity" in header || header.declares) return;
  const body = d.name === "loop" ? constructOf(site) : stmt;
  if (!isGlobal(header.var) && (body === undefined || !liveAfter(body, stmt, header.var))) return;
  throw new CannotSay(
    d.loc,
    `the loop runs in order and has no directive in OpenMP, by which '${header.var.name}' would be its own`,
    `declare the variable in the loop: for (int ${header.var.name} = ...)`,
  );
}

const staticText = (argument: string | undefined): string =>
  /static\s*:\s*([^,]*)/.exec(argument ?? "")?.[1]?.trim() ?? "1";

/**
 * Scalars from outside that every iteration sets before reading them: private to lanes in OpenACC, shared by threads in
 * OpenMP. `facts`: the loop in the IR, which says what all lanes share; `within`: code around the loop that may read what
 * an iteration set, which lanes share, too.
 */
export function privatesOf(
  { directive, stmt, within }: Pick<Site, "directive" | "stmt"> & { readonly within?: Stmt | undefined },
  facts: LoopFacts | undefined,
  sites: readonly Site[],
  collapsed?: number,
): readonly Symbol[] {
  if (stmt?.kind !== "for") return [];
  const counters = new Set<Symbol>();
  const collapse = directive.clauses.find((c) => c.name === "collapse")?.exprs[0];
  const depth = collapsed ?? (collapse && collapse !== "*" ? Number(evaluateInteger(collapse) ?? 1n) : 1);
  let body: Stmt = stmt;
  for (let i = 0; i < depth && body.kind === "for"; i++) {
    const header = countedHeader(body);
    if (!("severity" in header)) counters.add(header.var);
    body = stripBlocks(body.body);
  }
  const named = new Set(directive.clauses.flatMap((c) => c.vars.map((v) => v.sym)));
  const uses = usesOf(body);
  const together = facts ? atomicTargets(facts) : new Set<Symbol>();
  return [...uses.of].flatMap(([sym, use]) =>
    use.written &&
    !use.addressTaken &&
    isScalar(sym.type) &&
    !uses.declared.has(sym) &&
    !counters.has(sym) &&
    !named.has(sym) &&
    (sym.kind === "var" || sym.kind === "param") &&
    !together.has(sym) &&
    !(facts && isOneForAll(sym, facts)) &&
    !(within && within !== stmt && !hasOwn(sym, facts) && liveAfter(within, stmt, sym)) &&
    definedFirst(body, sym) &&
    usesOf(withoutOwn(body, sym, sites)).of.has(sym)
      ? [sym]
      : [],
  );
}

/** Whether the region has one of the variable, as `copyout` and the data constructs around say, and its lanes have none. */
const isOneForAll = (sym: Symbol, facts: LoopFacts): boolean =>
  facts.task?.items.some((item) => item.sym === sym && item.sharing.is === "shared") === true &&
  !hasOwn(sym, facts);

const hasOwn = (sym: Symbol, facts: LoopFacts | undefined): boolean =>
  facts?.loop.privates.some(({ name }) => name === sym.name) === true;

/** Variables that iterations change or read atomically: all of them mean the same one. */
function atomicTargets({ loop }: LoopFacts): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(loop.body, {
    stmt(s) {
      const target = asNode(s, "atomic")?.target;
      if (target?.kind === "ident") found.add(target.sym);
    },
  });
  return found;
}
