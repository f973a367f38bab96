/**
 * Compute constructs: `parallel` becomes `target teams`, `serial` becomes `target`, each possibly combined with its
 * loop.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import type { VarRef } from "../../ir/directives/directive.ts";
import type { DataItem, Task } from "../../ir/model/ir.ts";
import { canonical, evaluateInteger, isScalar, printExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { implicitItems, type LoopFacts, spmd } from "../sites/facts.ts";
import { pairs } from "../sites/pairs.ts";
import {
  asWritten,
  CannotSay,
  directive,
  type Inserted,
  type NewClause,
  type NewDirective,
  put,
  type Rewrite,
} from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { WrittenClause } from "../text/written.ts";
import { condition, order, refuseDeviceTypes, refuseParts, wordsOf } from "./clauses.ts";
import type { ToOpenMp } from "./context.ts";
import { assertion, canonicalName, isDataClause, mapClause, refuseTwice } from "./data.ts";
import { betweenNests, type Form, formOf, gangLoop, hasOneTeam, inOneTeam } from "./kernels.ts";
import {
  atomicTargets,
  constructsIn,
  foundReductions,
  privatesOf,
  type SharedLoop,
  sharedLoop,
  takesThreads,
} from "./loops.ts";

export function compute(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d } = site;
  refuseDeviceTypes(d);
  refuseTwice(d.clauses);
  refuseParts(d);
  const tasks = context.facts.tasks(d.pragma);
  const [task] = tasks;
  if (!task) throw new CannotSay(d.loc, `nothing is known of this '${d.name}'`, "translate it by hand");
  const isKernels = d.name.startsWith("kernels");
  const form = isKernels ? formOf(site, context.facts) : undefined;
  if (form === "split") return split(site, tasks, context);
  const kind = form === "one-team" || (!isKernels && spmd(task).serial) ? "target" : "target teams";
  const facts = d.name.endsWith(" loop") ? context.facts.loop(d.pragma) : undefined;
  const loop = d.name.endsWith(" loop")
    ? sharedLoop(site, facts && form === "one-team" ? inOneTeam(facts) : facts, context)
    : undefined;
  const moved = movedReductions(site, tasks, context, kind, loop);
  const target = targetClauses(site, tasks, moved.symbols, context, kind);
  const because = [...target.because, ...moved.because, ...(loop?.because ?? [])];
  if (form === "one-team" && tasks.length > 1)
    because.push("statements of the construct follow each other: one team runs all of it");
  const isMapped = context.facts.mapped?.(d.pragma) === true;
  if (isMapped) because.push("--map decides which loops are shared out, and sizes of before go");
  return {
    directives: combined(
      site,
      kind,
      [...target.clauses, ...moved.clauses],
      loop,
      sizes(site, context, kind, loop),
    ),
    before: target.before,
    because,
    ...(loop?.advice !== undefined && { advice: loop.advice }),
    inside: isKernels || isMapped ? bareLoops(site, context, form) : [],
  };
}

/** A construct with several loop nests: a data region that contains a `target` for each. */
function split(site: Site, tasks: readonly Task[], context: ToOpenMp): Rewrite {
  const clauses: NewClause[] = [];
  const before: string[] = [];
  const because: string[] = [
    "each loop nest is a region of its own, and data stays on the device between them",
  ];
  for (const { c, from } of pairs(site)) {
    if (!isDataClause(canonicalName(c.name))) continue;
    const mapped = mapClause(site, c, from, context.version);
    clauses.push(...mapped.clauses);
    before.push(...mapped.before);
    because.push(...mapped.because);
  }
  const sharedScalars = context.facts
    .shared(site.directive.pragma)
    .filter((i) => i.mapping.vis === "implicit" && isPlainScalar(i.sym));
  if (sharedScalars.length > 0)
    clauses.push(put(`map(tofrom: ${sharedScalars.map((i) => i.written).join(", ")})`));
  const inside = tasks.flatMap((task): Inserted[] => {
    const loop = gangLoop(task);
    if (!loop || loop.site.pragma || !loop.site.stmt) return [];
    const facts: LoopFacts = { loop, task, around: new Set() };
    const region = regionClauses(site, task, loop.site.stmt, context);
    const own = ofBareLoop(site, loop.site.stmt, facts, context);
    return [
      {
        stmt: loop.site.stmt,
        directives: [directive(`target teams ${own.name}`, [...own.clauses, ...region.clauses])],
      },
    ];
  });
  const between = (betweenNests(site, context.facts) ?? []).flatMap(({ task, stmts }): Inserted[] => {
    const [first] = stmts;
    const last = stmts.at(-1);
    if (!first || !last) return [];
    const block: Stmt = { kind: "compound", body: stmts, span: first.span };
    return [
      {
        stmt: first,
        ...(stmts.length > 1 && { through: last }),
        directives: [oneTeam(site, task, block, context)],
      },
    ];
  });
  if (between.length > 0)
    because.push("statements between the nests are regions of one team, in their place");
  const inner = bareLoops(site, context, "split").filter(
    ({ stmt }) => !tasks.some((task) => gangLoop(task)?.site.stmt === stmt),
  );
  const directives = clauses.length > 0 ? [directive("target data", asWritten(clauses, site.written))] : [];
  return { directives, before, because, inside: [...between, ...inside, ...inner] };
}

/** The directive of a region of one team inside a data region. */
const oneTeam = (construct: Site, task: Task, stmt: Stmt, context: ToOpenMp): NewDirective =>
  directive("target", implicit(construct, [task], stmt, new Set(), context, "target").clauses);

/** The same for a loop with a directive that makes up the region. */
export function oneTeamFor({ directive: d, stmt }: Site, construct: Site, context: ToOpenMp): NewDirective {
  const task = context.facts.loop(d.pragma)?.task;
  return task && stmt ? oneTeam(construct, task, stmt, context) : directive("target");
}

/** Clauses for the variables of a region inside a data region. */
export function regionClauses(site: Site, task: Task, stmt: Stmt | undefined, context: ToOpenMp): Part {
  const reduced = new Set(gangLoop(task)?.reductions.map((r) => r.sym));
  return implicit(site, [task], stmt, reduced, context, "target teams");
}

/** Loops without a directive that normalisation found to be parallel. */
function bareLoops(site: Site, context: ToOpenMp, form: Form | undefined): readonly Inserted[] {
  return context.facts.bare(site.directive.pragma).flatMap((found): Inserted[] => {
    const { stmt } = found.loop.site;
    const facts = hasOneTeam(form, found.task) ? inOneTeam(found) : found;
    if (!stmt || constructsIn(facts).length === 0) return [];
    const own = ofBareLoop(site, stmt, facts, context);
    return [{ stmt, directives: [directive(own.name, own.clauses)] }];
  });
}

function ofBareLoop(
  site: Site,
  stmt: Stmt,
  facts: LoopFacts,
  context: ToOpenMp,
): { readonly name: string; readonly clauses: readonly NewClause[] } {
  const constructs = constructsIn(facts);
  const bare = { directive: { ...site.directive, clauses: [] }, stmt };
  const reductions = foundReductions(bare, facts);
  const reduced = new Set(reductions.map((r) => r.sym));
  const depth = context.facts.collapse?.(stmt);
  const together = atomicTargets(facts);
  const privates = takesThreads(constructs)
    ? privatesOf(bare, context.sites, depth).filter((sym) => !reduced.has(sym) && !together.has(sym))
    : [];
  return {
    name: constructs.join(" "),
    clauses: [
      ...sizeOfLoop(constructs, site, context),
      ...(depth !== undefined && depth > 1 ? [put(`collapse(${depth})`)] : []),
      ...(privates.length > 0 ? [put(`private(${privates.map((sym) => sym.name).join(", ")})`)] : []),
      ...reductions.map(({ op, sym }) => put(`reduction(${op}: ${sym.name})`)),
    ],
  };
}

interface Part {
  readonly clauses: readonly NewClause[];
  readonly before: readonly string[];
  readonly because: readonly string[];
}

function targetClauses(
  site: Site,
  tasks: readonly Task[],
  reduced: ReadonlySet<Symbol>,
  context: ToOpenMp,
  kind: string,
): Part {
  const clauses: NewClause[] = [];
  const before: string[] = [];
  const because: string[] = [];
  const ordered = order(site, context.queues);
  const when = condition(site);
  let queued = false;
  let namesAll: WrittenClause | undefined;
  const alone = !site.directive.name.endsWith(" loop");
  for (const { c, from } of pairs(site)) {
    const name = canonicalName(c.name);
    if (isDataClause(name)) {
      const mapped = mapClause(site, c, from, context.version);
      clauses.push(...mapped.clauses);
      before.push(...mapped.before);
      because.push(...mapped.because);
    } else if (name === "async" || name === "wait") {
      if (!queued) clauses.push(...ordered.clauses);
      queued = true;
    } else if (name === "if" || name === "self") {
      clauses.push(...when.splice(0));
    } else if (name === "firstprivate" || (name === "private" && alone)) {
      clauses.push(put(`${name}(${from.argument ?? ""})`, from));
    } else if (name === "default" && c.names[0] === "none") {
      namesAll = from;
    } else if (name === "default") {
      because.push("`default(present)`: what no clause names is checked one by one");
    } else if (name === "pipein" || name === "pipeout") {
      throw new CannotSay(c.loc, "OpenMP has no pipes", "map the array with copyin, copyout or create");
    }
  }
  const own = implicit(site, tasks, site.stmt, reduced, context, kind);
  const all = [...clauses, ...own.clauses];
  if (namesAll && areNamed(tasks, all)) clauses.push(put("defaultmap(none)", namesAll));
  else if (namesAll)
    because.push("`default(none)` goes: a clause that has no counterpart names what the region uses");
  return {
    clauses: [...clauses, ...own.clauses],
    before: [...ordered.before, ...before, ...own.before],
    because: [...because, ...ordered.because, ...own.because],
  };
}

/** Whether clauses name all that one region uses from outside, as `defaultmap(none)` asks for. */
function areNamed(tasks: readonly Task[], clauses: readonly NewClause[]): boolean {
  const words = new Set(clauses.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  const [task, ...more] = tasks;
  if (!task || more.length > 0) return false;
  return task.items.every(({ sym, sharing }) => sharing.is === "private" || words.has(sym.name));
}

/** Clauses for variables that none names, where OpenACC's and OpenMP's implicit rules differ. */
function implicit(
  site: Site,
  tasks: readonly Task[],
  stmt: Stmt | undefined,
  reduced: ReadonlySet<Symbol>,
  { version, facts, onHost }: ToOpenMp,
  kind: string,
): Part {
  const clauses: NewClause[] = [];
  const before: string[] = [];
  const because: string[] = [];
  const named = new Set(site.directive.clauses.flatMap((c) => c.vars.map((v) => v.sym)));
  const uses = stmt && usesOf(stmt);
  const seen = new Set<Symbol>(reduced);
  const items = tasks.flatMap(implicitItems).filter((item) => {
    const usedHere = !named.has(item.sym) && uses?.of.has(item.sym) === true && !seen.has(item.sym);
    // Of several regions, the one that moves the variable decides.
    const decides = item.sharing.is === "shared" || !tasks.some((t) => movesScalar(t, item.sym));
    if (usedHere && decides) seen.add(item.sym);
    return usedHere && decides;
  });
  const list = (some: readonly DataItem[]): string => some.map((i) => i.written).join(", ");
  const say = (text: string, why: string): void => {
    clauses.push(put(text));
    because.push(`${text}: ${why}`);
  };
  const copies = items.filter((i) => i.sharing.is !== "shared" && isScalar(i.sym.type));
  const changed = copies.filter((i) => i.access === "read-write" || i.access === "write-only");
  if (kind === "target teams" || onHost) {
    const isLoop = site.directive.name.endsWith(" loop");
    for (const sharing of ["firstprivate", "private"] as const) {
      const own = changed.filter((i) => i.sharing.is === sharing);
      if (own.length > 0 && !(isLoop && sharing === "private"))
        say(`${sharing}(${list(own)})`, "each gang has its own copy, and OpenMP's teams share one");
    }
  }
  const scalars = items.filter((i) => i.sharing.is === "shared" && isPlainScalar(i.sym));
  // The regions of a split construct find what it moved; a single region moves the data itself.
  const sharedScalars = new Set(
    kind === "target" ? facts.shared(site.directive.pragma).map((i) => i.sym) : [],
  );
  const moves = (i: DataItem): boolean =>
    ["to", "from", "tofrom"].includes(i.mapping.is) || sharedScalars.has(i.sym);
  const moved = scalars.filter(moves);
  if (moved.length > 0)
    say(`map(tofrom: ${list(moved)})`, "OpenMP would give the region copies of scalars that no clause names");
  const there = scalars.filter((i) => i.mapping.is === "present" && !moves(i) && !isGlobal(i.sym));
  if (there.length > 0)
    say(
      `map(${version === "5.1" ? "present, " : ""}alloc: ${list(there)})`,
      "the data construct around has the scalar on the device, where OpenMP would copy its value",
    );
  for (const item of items.filter((i) => i.section.length > 0 && moves(i))) {
    const [{ length } = {}] = item.section;
    if (length)
      say(
        `map(${item.mapping.is}: ${item.written}[0:${printExpr(length)}])`,
        "OpenMP would take what the pointer leads to for present",
      );
  }
  const pointers = items.filter((i) => i.mapping.is === "deviceptr");
  if (pointers.length > 0)
    say(
      `is_device_ptr(${list(pointers)})`,
      "the clause of the data construct around, which OpenMP's has not",
    );
  if (tasks[0]?.defaultData === "present") {
    const arrays = items.filter((i) => i.mapping.is === "present" && !isScalar(i.sym.type));
    for (const { object, section, written, loc, sym } of arrays) {
      if (version === "5.1") clauses.push(put(`map(present, alloc: ${written})`));
      else before.push(assertion({ object, section, written, loc, sym }));
    }
  }
  return { clauses, before, because };
}

const movesScalar = (task: Task, sym: Symbol): boolean =>
  task.items.some((i) => i.sym === sym && i.sharing.is === "shared");

const isPlainScalar = (sym: Symbol): boolean => isScalar(sym.type) && canonical(sym.type).kind !== "pointer";

interface Moved extends Omit<Part, "before"> {
  /** Variables that the region's reductions map. */
  readonly symbols: ReadonlySet<Symbol>;
}

/** OpenMP requires reductions over teams on `teams`; in OpenACC they may be on gang loops inside. */
function movedReductions(
  site: Site,
  tasks: readonly Task[],
  context: ToOpenMp,
  kind: string,
  own: SharedLoop | undefined,
): Moved {
  const because: string[] = [];
  const clauses: NewClause[] = [];
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
  return { clauses, because, symbols };
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

interface Sizes {
  readonly target: readonly NewClause[];
  readonly loop: readonly NewClause[];
}

/** num_gangs applies to the teams; num_workers and vector_length to the loops that use the threads and lanes. */
function sizes(site: Site, context: ToOpenMp, kind: string, own: SharedLoop | undefined): Sizes {
  const target: NewClause[] = [];
  const gangs = wordsOf(site, "num_gangs");
  if (gangs && gangs.list.length > 1)
    throw new CannotSay(
      site.directive.loc,
      "OpenMP's leagues of teams have one dimension",
      "write num_gangs with one number",
    );
  if (gangs && kind === "target teams" && !context.facts.mapped?.(site.directive.pragma))
    target.push(put(`num_teams(${gangs.argument ?? ""})`, gangs));
  // Code that gangs must not repeat: normalisation gives it one gang.
  const decided = context.facts.tasks(site.directive.pragma).map((task) => spmd(task).numTeams);
  if (!gangs && kind === "target teams" && decided.some((n) => n && evaluateInteger(n) === 1n))
    target.push(put("num_teams(1)"));
  return { target, loop: own ? sizeOfLoop(own.constructs, site, context) : [] };
}

/** The part of a construct's sizes that applies to one of its loops. */
export function sizeOfLoop(
  constructs: readonly string[],
  construct: Site,
  context: ToOpenMp,
): readonly NewClause[] {
  const [workers, lanes] = [wordsOf(construct, "num_workers"), wordsOf(construct, "vector_length")];
  if (context.facts.mapped?.(construct.directive.pragma)) return [];
  const threads = workerLoops(construct, context) ? workers : lanes;
  const clauses: NewClause[] = [];
  if (constructs.some((one) => one.includes("parallel for")) && threads)
    clauses.push(put(`num_threads(${threads.argument ?? ""})`, threads));
  if (constructs.includes("simd") && lanes) {
    const length = construct.directive.clauses.find((c) => c.name === "vector_length")?.exprs[0];
    if (length !== "*" && length !== undefined && (evaluateInteger(length) ?? 0n) > 0n)
      clauses.push(put(`simdlen(${lanes.argument ?? ""})`));
  }
  return clauses;
}

/** Whether workers are mapped to the threads in a construct. */
function workerLoops(construct: Site, { sites, facts }: ToOpenMp): boolean {
  return [construct, ...sites.filter((s) => s.around.includes(construct))].some((s) =>
    facts.loop(s.directive.pragma)?.loop.parallel.levels.includes("worker"),
  );
}

function combined(
  { written }: Site,
  kind: string,
  target: readonly NewClause[],
  loop: SharedLoop | undefined,
  { target: ofTarget, loop: ofLoop }: Sizes,
): readonly NewDirective[] {
  const first = [...ofTarget, ...target];
  if (!loop || loop.constructs.length === 0) return [directive(kind, asWritten(first, written))];
  const inner = [...ofLoop, ...loop.clauses];
  const name = loop.constructs.join(" ");
  if (kind === "target teams" && loop.constructs[0] !== "distribute")
    return [directive(kind, asWritten(first, written)), directive(name, asWritten(inner, written))];
  return [directive(`${kind} ${name}`, asWritten([...first, ...inner], written))];
}
