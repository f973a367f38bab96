/**
 * Compute constructs: `parallel` becomes `target teams`, `serial` becomes `target`, each possibly combined with its
 * loop.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import type { VarRef } from "../../ir/directives/directive.ts";
import type { Task } from "../../ir/model/ir.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { type LoopFacts, spmd } from "../sites/facts.ts";
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
import { condition, order, refuseDeviceTypes, refuseParts } from "./clauses.ts";
import { constructsIn, refuseArrayBounds, takesThreads } from "./constructs.ts";
import type { ToOpenMp } from "./context.ts";
import { canonicalName, eachOnce, isDataClause, mapClause } from "./data.ts";
import { implicit, isPlainScalar, type Part } from "./implicit-clauses.ts";
import { inherited, withoutOwn } from "./inherited.ts";
import { betweenNests, type Form, formOf, gangLoop, hasOneTeam, inOneTeam } from "./kernels.ts";
import { foundReductions, privatesOf, type SharedLoop, sharedLoop } from "./loops.ts";
import { movedReductions } from "./moved-reductions.ts";
import { openData, pragmaOf } from "./open-data.ts";
import { namedAround } from "./parts-of-kernels.ts";
import { type Sizes, sizeOfLoop, sizes } from "./sizes.ts";

export function compute(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d } = site;
  refuseDeviceTypes(d);
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
  const left = leftToTarget(site, loop, context);
  const target = targetClauses(site, tasks, { reduced: moved.symbols, left }, context, kind);
  const because = [...target.because, ...moved.because, ...(loop?.because ?? [])];
  if (left.length > 0)
    because.push("private of loops that have no directive in OpenMP: the region has the copies");
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
    ...(target.after.length > 0 && { after: target.after }),
    because,
    ...(loop?.advice !== undefined && { advice: loop.advice }),
    ...((isKernels ||
      moved.fromLoops ||
      loop?.saysLess ||
      target.isKept ||
      target.after.length > 0 ||
      left.length > 0) && {
      kept: true,
    }),
    inside: isKernels || isMapped ? bareLoops(site, context, form) : [],
  };
}

/** Copies that loops without a directive leave to the region, as no loop around them has one. */
function leftToTarget(site: Site, loop: SharedLoop | undefined, context: ToOpenMp): readonly VarRef[] {
  const { stmt, directive: d } = site;
  if (!stmt || (loop && loop.constructs.length > 0)) return [];
  const namedBy = (words: readonly string[], yes: boolean): ReadonlySet<Symbol> =>
    new Set(d.clauses.flatMap((c) => (words.includes(c.name) === yes ? c.vars.map((v) => v.sym) : [])));
  const copies = ["private", "firstprivate"];
  const left = inherited(stmt, 0, namedBy(copies, true), context).privates;
  const others = namedBy(copies, false);
  for (const { sym, loc } of left)
    if (others.has(sym) || usesOf(withoutOwn(stmt, sym, context.sites)).of.has(sym))
      throw new CannotSay(
        loc,
        `the loop runs in order and has no directive in OpenMP, by which '${sym.name}' would be its own beside the region's`,
        "declare the variable inside the loop",
      );
  return left;
}

/** A construct with several loop nests: a data region that contains a `target` for each. */
function split(site: Site, tasks: readonly Task[], context: ToOpenMp): Rewrite {
  const around = dataOfSplit(site, context);
  const because = [...(around.because ?? [])];
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
  return { ...around, because, kept: true, inside: [...between, ...inside, ...inner] };
}

/** The data region around the nests of a split construct, whose directives join the construct's queue. */
function dataOfSplit(site: Site, context: ToOpenMp): Rewrite {
  const { stmt, directive: d, written } = site;
  const queue = order(site, context.queues);
  const own = ofQueue(site, context);
  const waits = queue.clauses.filter(({ text }) => text.startsWith("depend(in:")).map(({ text }) => text);
  const { enter, exit, whole, ...data } = openData(site, own.length > 0 ? stmt : undefined, context);
  const scalars = context.facts
    .shared(d.pragma)
    .filter((i) => i.mapping.vis === "implicit" && isPlainScalar(i.sym))
    .map((i) => i.written)
    .join(", ");
  const more = (type: string): readonly NewClause[] =>
    scalars === "" ? [] : [put(`map(${type}: ${scalars})`)];
  const isEmpty = whole.length === 0 && scalars === "";
  const because = [
    "each loop nest is a region of its own, and data stays on the device between them",
    ...data.because,
    ...queue.because,
  ];
  if (own.length === 0) {
    const clauses = asWritten([...conditionOf(site, "target data"), ...whole, ...more("tofrom")], written);
    const wait = waits.map((text) => `#pragma omp taskwait ${text}`);
    return {
      directives: isEmpty ? [] : [directive("target data", clauses)],
      before: [...data.before, ...queue.before, ...wait],
      because,
    };
  }
  if (isEmpty) {
    // The nests themselves join the queue: an empty task makes the queue wait for others first.
    const task = [`#pragma omp task ${waits.join(" ")} ${own.at(-1)?.text ?? ""}`, ";"];
    return {
      directives: [],
      before: [...data.before, ...queue.before, ...(waits.length > 0 ? task : [])],
      after: queue.behind,
      because,
    };
  }
  const clauses = (name: "enter" | "exit", list: readonly NewClause[]): readonly NewClause[] => [
    ...conditionOf(site, `target ${name} data`),
    ...list,
    ...own,
    ...(name === "enter" ? waits.map((text) => put(text)) : []),
  ];
  return {
    directives: [directive("target enter data", clauses("enter", [...enter, ...more("to")]))],
    before: [...data.before, ...queue.before],
    after: [
      pragmaOf(directive("target exit data", clauses("exit", [...exit, ...more("from")]))),
      ...queue.behind,
    ],
    because,
  };
}

/** The construct's queue, for one of the directives that it becomes. */
const ofQueue = (construct: Site, { queues }: ToOpenMp): readonly NewClause[] =>
  order(construct, queues).clauses.flatMap(({ text }) => (text.startsWith("depend(in:") ? [] : [put(text)]));

/** The directive of a region of one team inside a data region. */
const oneTeam = (construct: Site, task: Task, stmt: Stmt, context: ToOpenMp): NewDirective =>
  directive("target", [
    ...conditionOf(construct, "target"),
    ...ofQueue(construct, context),
    ...namedAround(construct, stmt, new Set(), context),
    ...implicit(construct, [task], stmt, new Set(), context, "target").clauses,
  ]);

/** The construct's condition, for one of the directives that it becomes. */
const conditionOf = (
  construct: Site,
  of: "target" | "target data" | "target enter data" | "target exit data",
): readonly NewClause[] =>
  condition(construct).map(({ text }) => put(text.replace("if(target:", `if(${of}:`)));

/** The same for a loop with a directive that makes up the region. */
export function oneTeamFor({ directive: d, stmt }: Site, construct: Site, context: ToOpenMp): NewDirective {
  const task = context.facts.loop(d.pragma)?.task;
  return task && stmt ? oneTeam(construct, task, stmt, context) : directive("target");
}

/** Clauses for the variables of a region inside a data region. */
export function regionClauses(site: Site, task: Task, stmt: Stmt | undefined, context: ToOpenMp): Part {
  const reduced = new Set(gangLoop(task)?.reductions.map((r) => r.sym));
  const own = implicit(site, [task], stmt, reduced, context, "target teams");
  const around = namedAround(site, stmt, reduced, context);
  return {
    ...own,
    clauses: [...conditionOf(site, "target"), ...ofQueue(site, context), ...around, ...own.clauses],
  };
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
  refuseArrayBounds(stmt, constructs);
  const bare = { directive: { ...site.directive, clauses: [] }, stmt, within: site.stmt };
  const reductions = foundReductions(bare, facts);
  const reduced = new Set(reductions.map((r) => r.sym));
  const depth = context.facts.collapse?.(stmt);
  const inner =
    stmt.kind === "for" ? inherited(stmt.body, Math.max(0, (depth ?? 1) - 1), reduced, context) : undefined;
  const found = takesThreads(constructs)
    ? privatesOf(bare, facts, context.sites, depth).filter(
        (sym) => !reduced.has(sym) && inner?.symbols.has(sym) !== true,
      )
    : [];
  const privates = [
    ...(inner?.privates ?? []).map(({ written }) => written),
    ...found.map(({ name }) => name),
  ];
  return {
    name: constructs.join(" "),
    clauses: [
      ...sizeOfLoop(constructs, site, context),
      ...(depth !== undefined && depth > 1 ? [put(`collapse(${depth})`)] : []),
      ...(privates.length > 0 ? [put(`private(${privates.join(", ")})`)] : []),
      ...(inner?.reductions ?? []).map((text) => put(`reduction(${text})`)),
      ...reductions.map(({ op, sym }) => put(`reduction(${op}: ${sym.name})`)),
    ],
  };
}

function targetClauses(
  site: Site,
  tasks: readonly Task[],
  { reduced, left }: { readonly reduced: ReadonlySet<Symbol>; readonly left: readonly VarRef[] },
  context: ToOpenMp,
  kind: string,
): Part & { readonly after: readonly string[]; readonly isKept: boolean } {
  const clauses: NewClause[] = [];
  const before: string[] = [];
  const because: string[] = [];
  const ordered = order(site, context.queues);
  const when = condition(site);
  let queued = false;
  let namesAll: WrittenClause | undefined;
  const alone = !site.directive.name.endsWith(" loop");
  for (const { c, from } of eachOnce(site)) {
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
  if (left.length > 0) clauses.push(put(`private(${left.map(({ written }) => written).join(", ")})`));
  const own = implicit(site, tasks, site.stmt, reduced, context, kind);
  const all = [...clauses, ...own.clauses];
  if (namesAll && areNamed(tasks, all)) clauses.push(put("defaultmap(none)", namesAll));
  else if (namesAll)
    because.push("`default(none)` goes: a clause that has no counterpart names what the region uses");
  return {
    clauses: [...clauses, ...own.clauses],
    before: [...ordered.before, ...before, ...own.before],
    after: ordered.behind,
    // No clause says what is present, only a statement; and the threads' number stands at the loops.
    isKept:
      own.saysLess === true ||
      before.length + own.before.length > 0 ||
      site.directive.clauses.some((c) => c.name === "num_workers"),
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
