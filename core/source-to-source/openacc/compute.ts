/** Compute constructs: `target` becomes the construct, and the constructs inside it its loops. */

import type { Clause } from "../../ir/directives/directive.ts";
import { asNode, type DataItem, type Level, type Task } from "../../ir/model/ir.ts";
import { ruleOf } from "../../ir/omp/directive/parse.ts";
import { isLock } from "../../ir/omp/parallel/critical.ts";
import { evaluateInteger, isScalar, mapChildren } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { spmd } from "../sites/facts.ts";
import { pairs } from "../sites/pairs.ts";
import {
  asWritten,
  CannotSay,
  directive,
  type Inserted,
  type NewClause,
  put,
  type Rewrite,
} from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { isCollapsed, privatesOfCollapsed } from "./collapsed-nests.ts";
import { loopClauses, ofConstruct } from "./construct-clauses.ts";
import type { ToOpenAcc } from "./context.ts";
import { alwaysUpdates, condition } from "./data.ts";
import { deviceAddresses } from "./device-addresses.ts";
import { firstUsed, isBarePointer } from "./first-used.ts";
import { eachMapOnce } from "./maps-once.ts";
import { partPresent } from "./parts-present.ts";
import { refuseSharedCopies } from "./shared-copies.ts";

/** A directive that begins with `target`. */
export function target(site: Site, context: ToOpenAcc): Rewrite {
  const { directive: d } = site;
  const [task] = context.facts.tasks(d.pragma);
  if (!task) throw new CannotSay(d.loc, `nothing is known of this '${d.name}'`, "translate it by hand");
  refuseSharedCopies(site, task);
  const { leaves, extent } = ruleOf(d);
  const region = spmd(task);
  const kind = region.serial ? "serial" : "parallel";
  const { clauses: when, because: dropped } = condition(site);
  const { clauses: order, because } = context.dependences.clauses(site);
  const reasons: string[] = [...dropped, ...because];
  const teams = leaves.includes("teams") ? undefined : teamsInside(site, context);
  const construct = [site, ...(teams ? [teams] : [])];
  const clauses: NewClause[] = [...when, ...order];
  for (const one of construct) {
    const alone = ruleOf(one.directive).extent !== "loop";
    for (const pair of eachMapOnce(one)) clauses.push(...ofConstruct(one, pair, alone, context, reasons));
  }
  if (teams) refuseNamedTwice(site, teams);
  const isMapped = context.facts.mapped?.(d.pragma) === true;
  const widths = isMapped ? [] : sizes(construct, task, context);
  clauses.push(...widths, ...implicit(construct, task, context));
  const inside = isMapped ? bareLoops(site, context) : [];
  if (isMapped) reasons.push("--map decides which loops are shared out, and sizes of before go");
  const isOne = region.numTeams?.kind === "int" && region.numTeams.value === 1n;
  if (isOne && kind === "parallel" && !clauses.some(({ text }) => text.startsWith("num_gangs")))
    clauses.push(put("num_gangs(1)"));
  const around = { because: reasons, inside, ...alwaysUpdates(site, context, order) };
  if (extent !== "loop")
    return { directives: [directive(kind, asWritten(clauses, site.written))], ...around };
  const loop = loopClauses(site, context.facts.loop(d.pragma), context, reasons);
  return {
    directives: [directive(`${kind} loop`, asWritten([...loop, ...clauses], site.written))],
    ...around,
  };
}

/** `target` and `teams` become one construct, whose gangs have their own copies or share what is mapped. */
function refuseNamedTwice(target: Site, { directive: teams }: Site): void {
  const named = new Set(target.directive.clauses.flatMap(({ vars }) => vars.map(({ sym }) => sym)));
  const own = teams.clauses.filter(({ name }) => /private$/.test(name)).flatMap(({ vars }) => vars);
  const both = own.find(({ sym }) => named.has(sym));
  if (both)
    throw new CannotSay(
      both.loc,
      `'target' and its 'teams' both name '${both.written}', and OpenACC has one construct for the two`,
      "name it on one of them, or give the teams' copies another name",
    );
}

/** Loops without a directive that a mapping parallelises. */
function bareLoops(site: Site, context: ToOpenAcc): readonly Inserted[] {
  const { facts } = context;
  return facts.bare(site.directive.pragma).flatMap(({ loop }): Inserted[] => {
    const { stmt } = loop.site;
    if (!stmt || isCollapsed(site, stmt, facts)) return [];
    const words = loop.parallel.independence === "seq" ? ["seq"] : loop.parallel.levels;
    const depth = facts.collapse?.(stmt) ?? 1;
    const more =
      depth > 1 ? [put(`collapse(${depth})`), ...privatesOfCollapsed(stmt, depth, new Set(), context)] : [];
    return [{ stmt, directives: [directive("loop", [...words.map((word) => put(word)), ...more])] }];
  });
}

/** A `teams` construct that is the whole body of a `target`: both become one construct. */
function teamsInside(site: Site, { sites }: ToOpenAcc): Site | undefined {
  return sites.find((s) => s.around.at(-1) === site && ruleOf(s.directive).leaves[0] === "teams");
}

/** A construct inside a region, or in a function that regions call. */
export function inner(site: Site, context: ToOpenAcc): Rewrite {
  const { directive: d } = site;
  const { leaves, extent } = ruleOf(d);
  const reasons: string[] = [];
  if (extent !== "loop") {
    if (leaves[0] === "teams")
      return { directives: [], because: ["'teams' is said by the construct around"] };
    return parallelBlock(site, context);
  }
  const construct = site.around.find((s) => s.directive.name.startsWith("target") && s.stmt);
  // Also of a loop that loses its directive: what OpenACC cannot say is refused.
  const clauses = loopClauses(site, context.facts.loop(d.pragma), context, reasons);
  if (
    construct &&
    site.stmt &&
    context.facts.mapped?.(d.pragma) &&
    isCollapsed(construct, site.stmt, context.facts)
  )
    return { directives: [], because: ["collapsed into the loop around it"] };
  return {
    directives: [directive("loop", asWritten(clauses, site.written))],
    because: reasons,
  };
}

/** A `parallel` that contains only loops: they use its threads. */
function parallelBlock(site: Site, { facts, sites }: ToOpenAcc): Rewrite {
  const { directive: d } = site;
  const inside = sites.filter((s) => s.around.at(-1) === site);
  const onlyLoops = inside.length > 0 && inside.every((s) => facts.loop(s.directive.pragma) !== undefined);
  if (!onlyLoops || holdsMore(site, inside.length))
    throw new CannotSay(
      d.loc,
      "OpenACC has no construct for code that every thread of a team runs",
      "share the work out by loops, and write `parallel for` before each",
    );
  const [named] = d.clauses.filter(
    (c) => !["shared", "default", "proc_bind", "if", "num_threads"].includes(c.name),
  );
  if (named)
    throw new CannotSay(
      named.loc,
      `'${named.name}' of 'parallel' is for code of all threads`,
      "write it on the loops inside",
    );
  return { directives: [], because: ["'parallel' is said by the levels of the loops inside"] };
}

function holdsMore({ stmt }: Site, loops: number): boolean {
  if (stmt?.kind !== "compound") return false;
  return stmt.body.filter((s) => !(s.kind === "expr" && !s.expr)).length > loops;
}

/** `teams if(e)`: one team, if it does not hold. */
function conditionOfTeams(
  construct: readonly Site[],
): { readonly text: string; readonly loc: Clause["loc"] } | undefined {
  for (const site of construct)
    for (const { c, from } of pairs(site)) {
      const isOfTeams = c.names[0] === "teams" || (site.directive.name === "teams" && !c.names[0]);
      if (c.name === "if" && isOfTeams)
        return { text: (from.argument ?? "").replace(/^\s*teams\s*:(?!:)\s*/, ""), loc: c.loc };
    }
  return undefined;
}

/** Team sizes belong to the region, wherever OpenMP writes them. */
function sizes(construct: readonly Site[], task: Task, { sites }: ToOpenAcc): readonly NewClause[] {
  const region = spmd(task);
  const clauses: NewClause[] = [];
  const [outer] = construct;
  const inside = sites.filter((s) => outer && s.around.includes(outer) && !construct.includes(s));
  const own = construct.flatMap((s) => pairs(s));
  const teams = own.find(({ c }) => c.name === "num_teams");
  const only = construct.some((s) => ruleOf(s.directive).extent === "loop")
    ? undefined
    : conditionOfTeams(construct);
  if (teams) {
    const number = (teams.from.argument ?? "").replace(/^.*:\s*/, "");
    clauses.push(put(`num_gangs(${only ? `(${only.text}) ? (${number}) : 1` : number})`, teams.from));
  } else if (only)
    throw new CannotSay(
      only.loc,
      "OpenACC has no condition for the number of gangs, and each of them runs this code",
      "say how many there are otherwise: num_teams(n)",
    );
  const threads =
    own.find(({ c }) => c.name === "num_threads") ??
    own.find(({ c }) => c.name === "thread_limit") ??
    inside.flatMap((s) => pairs(s)).find(({ c }) => c.name === "num_threads");
  if (threads && !region.serial) {
    const [e] = threads.c.exprs;
    const isOwn = own.includes(threads);
    if (!isOwn && (e === undefined || e === "*" || evaluateInteger(e) === undefined))
      throw new CannotSay(
        threads.c.loc,
        "OpenACC says the number of threads at the construct, where this value may be another",
        "write thread_limit on the 'target' construct",
      );
    const name = region.numUnits !== undefined || usesWorkers(task) ? "num_workers" : "vector_length";
    clauses.push(put(`${name}(${threads.from.argument ?? ""})`, isOwn ? threads.from : undefined));
  }
  return clauses;
}

const usesWorkers = (task: Task): boolean => levelsIn(task).has("worker");

function levelsIn(task: Task): ReadonlySet<Level> {
  const found = new Set<Level>();
  const visit = (s: Task["body"]): void => {
    const loop = asNode(s, "loop");
    for (const level of loop?.parallel.levels ?? []) found.add(level);
    mapChildren(s, (child) => {
      visit(child);
      return child;
    });
  };
  visit(task.body);
  return found;
}

/** Clauses for variables that none names, where OpenMP's and OpenACC's implicit rules differ. */
function implicit(
  construct: readonly Site[],
  task: Task,
  { externals, sites, declared }: ToOpenAcc,
): readonly NewClause[] {
  const named = new Set(
    construct.flatMap((s) => s.directive.clauses.flatMap((c) => c.vars.map((v) => v.sym))),
  );
  const region = spmd(task);
  const [outer] = construct;
  const scope = outer?.directive.pragma.scope;
  // Sizes of arrays from outside, which normalisation passes, have no name in the text.
  const own = region.firstprivates.filter((sym) => !named.has(sym) && scope?.lookup(sym.name) === sym);
  const clauses = own.length > 0 ? [put(`firstprivate(${own.map((sym) => sym.name).join(", ")})`)] : [];
  const words: Readonly<Record<string, string>> = {
    to: "copyin",
    from: "copyout",
    tofrom: "copy",
    allocate: "create",
    present: "present",
  };
  const reduced = new Set(region.reductions.map((r) => r.sym));
  const ofDevice = task.items.some(isBarePointer) ? deviceAddresses(externals) : new Set<Symbol>();
  for (const item of task.items) {
    const word = words[item.mapping.is];
    const part = outer && !named.has(item.sym) ? partPresent(outer, item, sites) : undefined;
    if (part !== undefined) {
      clauses.push(put(`present(${part})`));
      continue;
    }
    const isToBeNamed = isExplicit(item) || isBarePointer(item) || isDeclaredScalar(item, declared);
    if (isLock(item.sym) || !isToBeNamed) continue;
    if (named.has(item.sym) || reduced.has(item.sym) || word === undefined) continue;
    if (isBarePointer(item) && declared.has(item.sym)) continue;
    if (isBarePointer(item) && ofDevice.has(item.sym)) {
      clauses.push(put(`deviceptr(${item.written})`));
      continue;
    }
    const first = outer && isBarePointer(item) ? firstUsed(outer, item.sym) : "";
    clauses.push(put(`${word}(${item.written}${first})`));
  }
  return clauses;
}

/** gcc gives each gang a copy of a scalar that only `declare` names, with the host's value. */
const isDeclaredScalar = ({ sym, mapping }: DataItem, declared: ReadonlySet<Symbol>): boolean =>
  mapping.is === "present" && declared.has(sym) && isScalar(sym.type);

/** Determined by a clause of the construct, such as `defaultmap`. */
const isExplicit = (item: DataItem): boolean => item.mapping.vis === "explicit" && item.own === undefined;
