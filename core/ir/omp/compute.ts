/** Compute constructs: `target` becomes the task, `teams` its spmd, and the loops inside are distributed over both. */

import { canonical, evaluateInteger, findStatement, mapStmt } from "../../lang/index.ts";
import type { Diagnostic, Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, ident, intLit, stripBlocks, stripImplicit } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";
import { calledElsewhere, tellsThreads } from "../analysis/loops/thread-numbers.ts";
import { ownCopies } from "../analysis/own-copies.ts";
import { begun } from "../directives/copied.ts";
import { clause, type Directive, exprOf, site, type VarRef } from "../directives/directive.ts";
import { dataItem } from "../directives/items.ts";
import { isVariableArray, withVariableArrays } from "../directives/own-arrays.ts";
import type { Around, Reading } from "../directives/read-state.ts";
import type { Reductions } from "../directives/reductions.ts";
import {
  asNode,
  type DataItem,
  type DataRegion,
  extStmt,
  type IrNode,
  type Loop,
  type Mapping,
  type Spmd,
  type Task,
} from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { nodesIn } from "../model/nodes.ts";
import { isPointerItself, items, placed, refuseRepeated } from "./data.ts";
import { ruleOf } from "./directive/parse.ts";
import { noteOneTeam, noteOneThread } from "./hints.ts";
import type { Mappers } from "./map/mappers.ts";
import { beginsAlone } from "./own/combined-loops.ts";
import { combinedVariables, withCombined } from "./own/reductions.ts";
import { handsOnScans, inOrder, runsInOrder } from "./parallel/in-order.ts";
import { hasLoopOver, type LoopShape, loop, shapeOf } from "./parallel/loops.ts";
import { targetTask } from "./parallel/tasks.ts";
import { withTeamResults } from "./parallel/team-results.ts";
import { combinedByTeams, combinedByThreads, ofFirstThread, threads } from "./parallel/threads.ts";
import {
  changedPointer,
  checkDefault,
  implicit,
  lostResults,
  type RegionVariables,
  sharedCopies,
} from "./sharing.ts";
import { leagueSize } from "./sizes/league.ts";
import { joined } from "./sizes/nests.ts";
import { requestedThreads, withThreads } from "./sizes/team-size.ts";
import { computesSizes, threadsAllowed, withThreadsAllowed } from "./sizes/thread-numbers.ts";
import { withUnlisted } from "./unlisted.ts";

interface Surroundings {
  readonly reading: Reading;
  readonly reductions: Reductions;
  readonly around: Around;
  readonly declared: RegionVariables["declared"];
  /** Whether a variable is a lock of `critical`. */
  readonly locks: (sym: Symbol) => boolean;
  readonly together: (combine: Stmt) => Stmt | undefined;
  readonly mappers: Mappers;
}

/** `source`: the statement as written. */
export function compute(
  { reading, reductions, around, declared, locks, together, mappers }: Surroundings,
  written: Directive,
  body: Stmt,
  source: Stmt,
): IrNode | Stmt | undefined {
  const { leaves, extent } = ruleOf(written);
  const read = { reading, reductions, around, together };
  const own = extent === "loop" && combinedVariables(written).length > 0;
  const by = own ? sharersOf(written, body, around) : undefined;
  const alone = extent === "loop" && (runsInOrder(written, source) || (own && !by));
  const { d: listed, ordering } = alone ? inOrder(reading, written, source) : { d: written, ordering: [] };
  const { d: nest, counters } = joined(reading, listed, body);
  const d = withUnlisted(reading, nest, body);
  const problem = misplaced(d, around);
  if (problem) {
    reading.report(...problem);
    return undefined;
  }
  let inner: Stmt | undefined = body;
  if (extent === "loop") {
    const size = leaves.includes("teams") || leaves.includes("target") ? undefined : numThreads(d);
    const scans = alone && !own && handsOnScans(written, source);
    const shape = alone
      ? scans
        ? anyThread
        : oneThread
      : by
        ? byOf(by, d, body, around)
        : shapeOf(d, body, around.omp ?? {});
    const spreadLoop = loop(reading, reductions, d, body, source, shape, size);
    const nest = spreadLoop && {
      ...spreadLoop,
      privates: [...new Set([...spreadLoop.privates, ...counters])],
      ...(scans && { hints: { ...spreadLoop.hints, scan: true as const } }),
    };
    if (nest && by && !alone)
      inner =
        by === "teams"
          ? combinedByTeams(read, d, nest, source)
          : combinedByThreads(read, d, nest, source, by === "block");
    else inner = nest && withCombined(d, extStmt(nest, body.span));
    if (inner && alone && around.omp?.threads && !around.omp.routine && leaves.includes("for"))
      return ofFirstThread(d, inner, source);
  } else if (leaves.at(-1) === "parallel") inner = threads(read, d, body, source);
  else inner = withVariableArrays(varsOf(d, "private"), varsOf(d, "firstprivate"), body);
  if (!inner) return undefined;
  checkDefault(reading, d, inner, source);
  if (!leaves.includes("target"))
    return leaves.includes("teams") ? spmd(reading, reductions, d, inner, source) : inner;
  const surroundings = { reading, reductions, around, declared, locks, together, mappers };
  const mapped = withMappers(mappers, d, inner, declared);
  const made = task(surroundings, mapped, inner, source, alone ? ordering : undefined);
  return made && withRepeated(reading, mapped, made, source);
}

/** Data whose items are counted when the program runs is mapped around the construct. */
function withRepeated(reading: Reading, d: Directive, made: Task, source: Stmt): IrNode {
  const all = items(reading, d);
  const several = all.filter((i) => i.each);
  if (several.length === 0) return made;
  if (made.hostTask !== undefined) refuseRepeated(reading, several);
  const named = new Set([...all.filter((i) => !i.each).map((i) => i.sym), ...(reading.around.mapped ?? [])]);
  for (const { sym, written, loc } of several)
    if (!named.has(sym))
      reading.report(
        "iterator-range",
        loc,
        `how many items '${written}' stands for is not known when arc compiles, and no clause maps '${sym.name}', which leads to them`,
        `map '${sym.name}', too`,
      );
  return node<DataRegion>({
    kind: "data",
    site: site(d, source),
    ...placed(reading, d),
    items: all,
    body: extStmt(made, source.span),
  });
}

/**
 * Who combines the results: each thread of a block that the loop creates, each thread that encounters it, or each team.
 */
type Sharers = "block" | "threads" | "teams";

/** Who shares a loop with a user-defined reduction; undefined: one thread runs all of it. */
function sharersOf(d: Directive, body: Stmt, { omp = {} }: Around): Sharers | undefined {
  const { leaves } = ruleOf(d);
  const sizes = ["num_threads", "thread_limit"].flatMap((name) => exprOf(clause(d, name)) ?? []);
  const isKnown = sizes.every((e) => evaluateInteger(e) !== undefined);
  if (omp.routine || beginsAlone(d) || !isKnown || hasLoopOver(body, "vector")) return undefined;
  if (leaves.length <= 2 && leaves[0] === "for") return omp.threads && !omp.shared ? "threads" : undefined;
  if (omp.threads) return undefined;
  const makes = leaves.includes("parallel") || leaves.at(-1) === "loop" || leaves.at(-1) === "simd";
  if (makes) return leaves[0] === "simd" || (leaves[0] === "loop" && !omp.teams) ? undefined : "block";
  return leaves.includes("distribute") ? "teams" : undefined;
}

function byOf(by: Sharers, d: Directive, body: Stmt, around: Around): LoopShape {
  if (by !== "block") return shapeOf(d, body, around.omp ?? {});
  const { leaves } = ruleOf(d);
  const gang =
    leaves.includes("distribute") ||
    leaves.includes("teams") ||
    leaves[0] === "target" ||
    leaves[0] === "loop";
  return { levels: gang ? ["gang", "vector"] : ["vector"], independence: "independent" };
}

/** One thread of one team. */
const oneThread: LoopShape = { levels: [], independence: "seq" };
/** The same, but the order is not required. */
const anyThread: LoopShape = { ...oneThread, free: true };

type Problem = readonly [code: string, loc: Directive["loc"], message: string, remedy: string];

function misplaced(d: Directive, { omp = {} }: Around): Problem | undefined {
  const [first] = ruleOf(d).leaves;
  const report = (message: string, remedy: string): Problem => [
    "construct-nesting",
    d.loc,
    `'${d.name}' ${message}`,
    remedy,
  ];
  if (omp.routine)
    return first === "teams" || first === "target" || first === "distribute"
      ? report("stands in a function that regions call", "write it around the call")
      : undefined;
  if (first === "distribute" && (!omp.teams || omp.threads))
    return report(
      "does not stand in a 'teams' construct alone",
      "write 'teams distribute', or leave 'distribute' out",
    );
  if (first === "teams" && (omp.teams || omp.threads))
    return report(
      "stands inside another construct that shares work out",
      "write it directly inside 'target'",
    );
  if (first === "for" && omp.shared)
    return report("stands inside a loop whose iterations threads share already", "write collapse, or 'simd'");
  return undefined;
}

const varsOf = (d: Directive, name: string): readonly VarRef[] =>
  d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars);

/** A variable that is also `lastprivate` keeps a value: the loop initialises its copy from the mapped variable. */
function firstprivatesOf(d: Directive): readonly Symbol[] {
  const last = new Set(varsOf(d, "lastprivate").map((v) => v.sym));
  return varsOf(d, "firstprivate").flatMap((v) => (last.has(v.sym) || isVariableArray(v) ? [] : [v.sym]));
}

/** Variable-length arrays are declared in the code instead. */
const privatesOf = (d: Directive): readonly Symbol[] =>
  varsOf(d, "private").flatMap((v) => (isVariableArray(v) ? [] : [v.sym]));

const numThreads = (d: Directive): Expr | undefined => exprOf(clause(d, "num_threads"));

/** The sizes of the league and its teams. Threads become workers if `simd` loops inside them use the lanes. */
function sizes(
  d: Directive,
  body: Stmt,
  size: Expr | undefined,
): Pick<Spmd, "numTeams" | "numUnits" | "numLanes"> {
  const teams = leagueSize(d);
  const width = size && (hasLoopOver(body, "worker") ? { numUnits: size } : { numLanes: size });
  return { ...(teams && { numTeams: teams }), ...width };
}

/** If the construct is combined with a loop, its private variables and results are the loop's. */
function spmd(reading: Reading, reductions: Reductions, d: Directive, body: Stmt, source: Stmt): Spmd {
  const { leaves, extent } = ruleOf(d);
  const combined = extent === "loop";
  // Variables reduced by the threads of a block are combined by those threads.
  const elsewhere = combined || leaves.at(-1) === "parallel";
  const reduced = elsewhere ? { reductions: [], body } : reductions.of(d, body, source);
  const size = requestedThreads(reduced.body, threadsAllowed(d));
  return node<Spmd>({
    kind: "spmd",
    ...sizes(d, reduced.body, size),
    privates: combined ? [] : privatesOf(d),
    firstprivates: firstprivatesOf(d),
    reductions: reduced.reductions,
    body: withTeamResults(
      size ? withThreads(reading, reduced.body, size) : reduced.body,
      leaves.includes("teams") ? reduced.reductions : [],
    ),
  });
}

/** The directive with the effect of mappers on variables that no clause names. */
function withMappers(
  mappers: Mappers,
  d: Directive,
  body: Stmt,
  declared: RegionVariables["declared"],
): Directive {
  const coversAggregates = d.clauses.some(
    (c) => c.name === "defaultmap" && (c.names[1] ?? "aggregate") === "aggregate",
  );
  if (coversAggregates) return d;
  const named = new Set(d.clauses.flatMap((c) => c.vars.map((v) => v.sym)));
  const uses = usesOf(body);
  const found = [...uses.of.keys()].filter(
    (sym) => !named.has(sym) && !uses.declared.has(sym) && !declared(sym) && mappers.hasDefault(sym.type),
  );
  return { ...d, clauses: [...d.clauses, ...mappers.implicit(found, d)] };
}

/** `ordering`: one thread runs all of it, and these variables keep their values. */
function task(
  { reading, reductions, around, declared, locks }: Surroundings,
  d: Directive,
  body: Stmt,
  source: Stmt,
  ordering?: readonly VarRef[],
): Task | undefined {
  const teams = ruleOf(d).leaves.includes("teams");
  const inner = teams ? undefined : asNode(stripBlocks(body), "spmd");
  const stray = inner ? undefined : firstSpmd(body);
  if (stray) {
    reading.report(
      "construct-nesting",
      stray.span.start,
      "'teams' is not all that the 'target' construct around it holds",
      "give 'teams' a 'target' construct of its own",
    );
    return undefined;
  }
  const asked =
    (inner && withTeamsCopies(inner, d)) ??
    (teams ? spmd(reading, reductions, d, body, source) : oneTeam(reading, reductions, d, body, source));
  const made = withThreadsAllowed(asked);
  if (made !== asked && computesSizes(asked)) noteOneThread(reading, d);
  const copied = varsOf(d, "firstprivate").filter(isVariableArray);
  const results = [
    ...varsOf(d, "lastprivate"),
    ...varsOf(d, "in_reduction"),
    ...linearOf(d, body),
    ...resultsOfThreads(d),
    ...resultsOfCombined(d),
    ...(ordering ?? []),
  ].map((v) => dataItem(v, "tofrom", {}));
  const held = [...usesOf(made.body).of].flatMap(([sym, use]) =>
    locks(sym) ? [dataItem(variableAt(sym, use.at.span.start), "tofrom", {})] : [],
  );
  const begun = copied.map((v) => dataItem(v, "copied", {}));
  const mapped = [...items(reading, d).filter((i) => !i.each), ...begun, ...held];
  reading.diagnostics.push(...changedPointers(d, made.body));
  const listed = ["private", "firstprivate", "reduction"].flatMap((name) => varsOf(d, name));
  const ofTeams = [...made.privates, ...made.firstprivates, ...made.reductions.map((r) => r.sym)];
  const named = new Set([...mapped, ...results, ...listed].map((v) => v.sym));
  const region: RegionVariables = {
    d,
    body: made.body,
    named,
    mapped: around.mapped ?? new Set(),
    declared,
  };
  const more = implicit(reading, { ...region, named: new Set([...named, ...ofTeams]) });
  const [arrays, ordered] = reductions.takeArrays(made.body, made.privates);
  const known = new Set([...mapped, ...results, ...more.items].map((i) => i.sym));
  const ofInner = inner ? made.firstprivates : [];
  const variables: RegionVariables = {
    ...region,
    named: new Set([...named, ...known, ...made.privates, ...ofInner]),
  };
  const manyTeams = !isOne(made);
  reading.diagnostics.push(...lostResults(variables, made.reductions, manyTeams));
  const own = firstprivatesOf(d);
  const shared = manyTeams ? sharedCopies(variables, made.reductions, teams ? [] : own) : [];
  const copies = new Set([...made.firstprivates, ...own, ...more.firstprivates]);
  const ofTarget = privatesOf(d).filter((sym) => !made.firstprivates.includes(sym));
  const full: Spmd = {
    ...made,
    body: onDevice(made.body),
    ...((ordered || ordering) && { serial: true as const }),
    firstprivates: [...copies].filter((sym) => !shared.includes(sym) && !made.privates.includes(sym)),
    // What both constructs name is each team's own.
    privates: inner ? [...new Set([...made.privates, ...ofTarget])] : made.privates,
  };
  const reducedArrays: DataItem[] = arrays
    .filter((v) => !known.has(v.sym))
    .map((v) => dataItem(v, "tofrom", {}));
  const where = placed(reading, d);
  const mayBeLeft = where.condition !== undefined || where.device !== undefined;
  return node<Task>({
    kind: "task",
    flavour: "offload",
    construct: full.serial ? "serial" : "parallel",
    site: site(d, source),
    ...where,
    ...targetTask(reading, d),
    ...(mayBeLeft && reading.hostThreads && asksForThreads(source) && { hostAlone: true as const }),
    items: [
      ...mapped,
      ...results.filter((r) => !mapped.some((m) => m.sym === r.sym)),
      ...more.items,
      ...shared.map((sym) => dataItem(variableAt(sym, d.loc), "copied", {})),
      ...reducedArrays,
    ],
    body: extStmt(full, body.span),
  });
}

/** Variables that `target` maps and `teams` has copies of: the copies are variables of each team's code. */
function withTeamsCopies(teams: Spmd, d: Directive): Spmd {
  const mapped = new Set(varsOf(d, "map").map((v) => v.sym));
  const first = teams.firstprivates.filter((sym) => mapped.has(sym));
  const { own, body } = ownCopies([...first, ...teams.privates.filter((sym) => mapped.has(sym))], teams.body);
  if (own.size === 0) return teams;
  const begin = [...own].flatMap(([from, to]) => begun(to, first.includes(from) ? from : undefined));
  return {
    ...teams,
    body: compound([...begin, body], body.span),
    firstprivates: teams.firstprivates.filter((sym) => !own.has(sym)),
    privates: teams.privates.filter((sym) => !own.has(sym)),
  };
}

/** Pointers that are mapped themselves, and that the region changes. */
function changedPointers(d: Directive, body: Stmt): readonly Diagnostic[] {
  const uses = usesOf(body).of;
  return d.clauses.flatMap((c) => {
    if (c.name !== "map") return [];
    const [kind = "tofrom"] = c.names;
    return c.vars.filter(isPointerItself).flatMap(({ sym }) => {
      const use = uses.get(sym);
      return (use && changedPointer(sym, use, kind as Mapping, `map(${kind}: ...)`)) ?? [];
    });
  });
}

const variableAt = (sym: Symbol, loc: Loc): VarRef => ({
  sym,
  object: ident(sym),
  section: [],
  written: sym.name,
  loc,
});

/** OpenMP 5.2, section 17.2: `linear` maps a variable unless it is the loop's own. */
function linearOf(d: Directive, body: Stmt): readonly VarRef[] {
  const named = varsOf(d, "linear");
  const counters = new Set([...nodesIn(body, "loop")].flatMap((loop) => loop.headers.map((h) => h.var)));
  return named.filter((v) => !counters.has(v.sym));
}

/** Reductions of `target parallel`: scalars only, since arrays are mapped like all that regions reduce. */
const resultsOfThreads = (d: Directive): readonly VarRef[] =>
  ruleOf(d).leaves.at(-1) === "parallel"
    ? [
        ...combinedVariables(d),
        ...varsOf(d, "reduction").filter(
          (v) => v.section.length === 0 && canonical(v.sym.type).kind !== "array",
        ),
      ]
    : [];

/** Variables that threads combine beside a user-defined reduction are no longer the loop's. */
function resultsOfCombined(d: Directive): readonly VarRef[] {
  const own = ruleOf(d).extent === "loop" ? combinedVariables(d) : [];
  if (own.length === 0) return [];
  return [...own, ...varsOf(d, "reduction").filter((v) => canonical(v.sym.type).kind !== "array")];
}

const isOne = ({ serial, numTeams }: Spmd): boolean =>
  serial === true || (numTeams?.kind === "int" && numTeams.value === 1n);

/**
 * `target` without `teams` has one team, whose first thread runs everything outside of loops. A loop that makes up all
 * of it may be distributed over many teams, since the program cannot tell.
 */
function oneTeam(reading: Reading, reductions: Reductions, d: Directive, body: Stmt, source: Stmt): Spmd {
  const onlyLoop = asNode(stripBlocks(body), "loop");
  const { levels, independence } = onlyLoop?.parallel ?? { levels: [], independence: "seq" };
  const region = spmd(reading, reductions, d, body, source);
  if (onlyLoop && independence === "independent" && !tellsThreads(onlyLoop.body)) {
    const free = !levels.includes("worker") && { free: true as const };
    const spread: Loop = {
      ...onlyLoop,
      parallel: { ...onlyLoop.parallel, levels: ["gang", ...levels], ...free },
    };
    return { ...region, body: extStmt(levels.length > 0 ? spread : onlyLoop, body.span) };
  }
  const callee = onlyLoop && independence === "independent" && calledElsewhere(onlyLoop.body);
  if (callee) noteOneTeam(reading, d, callee.name);
  if (!sharesOut(body)) return { ...region, serial: true };
  if (hasLoopOver(body, "gang")) return region;
  return { ...region, numTeams: intLit(1) };
}

/** Code of a region may assume that it runs on the device. */
function onDevice(body: Stmt): Stmt {
  return mapStmt(body, {
    expr(e) {
      const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
      return callee?.kind === "ident" && callee.sym.name === "omp_is_initial_device" ? intLit(0) : e;
    },
  });
}

/** A region nested in this one is reported elsewhere. */
function firstSpmd(s: Stmt): Stmt | undefined {
  const found = findStatement(
    s,
    (child) => child.kind === "ext" && ["spmd", "task"].includes(child.ext.kind),
  );
  return found && asNode(found, "spmd") ? found : undefined;
}

const sharesOut = (s: Stmt): boolean =>
  findStatement(s, (child) => {
    const parallel = asNode(child, "loop")?.parallel;
    if (asNode(child, "threads")) return true;
    return parallel !== undefined && parallel.independence !== "seq";
  }) !== undefined;

/** Whether code, or a function of the file that it calls, may ask for its thread or for their number. */
const asksForThreads = (s: Stmt): boolean =>
  [...usesOf(s).calls.keys()].some(({ name, definition }) => name.startsWith("omp_") || definition);
