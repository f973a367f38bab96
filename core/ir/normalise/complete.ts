/** One region with all implicit rules made explicit: levels, data items, its functions and its name. */
import { createHash } from "node:crypto";
import {
  type Expr,
  evaluateInteger,
  type FunctionDef,
  mapChildren,
  type Stmt,
  type Symbol,
} from "../../lang/index.ts";
import { ident, intLit } from "../../lang/tree/build.ts";
import { type Use, usesOf } from "../analysis/access.ts";
import { comparedPointers } from "../analysis/compared-pointers.ts";
import { definedFirst } from "../analysis/liveness.ts";
import { withoutNamedFunctions } from "../analysis/named-functions.ts";
import { ownCounters } from "../analysis/own-counters.ts";
import { deviceFunctions, either, isGlobal } from "../analysis/routines.ts";
import { asciiName } from "../model/ascii-names.ts";
import { asNode, type DataItem, isOpenMp, type Reduction, type Spmd, type Task } from "../model/ir.ts";
import { findNode, nodesIn } from "../model/nodes.ts";
import { unreadElsewhere } from "../omp/elsewhere.ts";
import { regionText } from "../text/print.ts";
import type { Context, Visible } from "./context.ts";
import { countersOfFunctions } from "./counters.ts";
import { fileScopeCopies } from "./file-scope-copies.ts";
import { withoutIdleReductions } from "./idle-reductions.ts";
import { accessOf, implicit, type Rule } from "./implicit-items.ts";
import { keptReductions, throughNests } from "./kept-reductions.ts";
import { assignLevels, wholeLoop, withoutLevels } from "./levels.ts";
import { withLocalCopies } from "./local-copies.ts";
import type { LaterUses } from "./lost-values.ts";
import { withMemberVariables } from "./member-variables.ts";
import { membersAround } from "./members-around.ts";
import { inOrder } from "./order.ts";
import { withOuterSizes } from "./outer-sizes.ts";
import { sizesFromOutside } from "./outer-types.ts";
import { withOwnScalars } from "./own-scalars.ts";
import { usesBesides } from "./reductions/reduced-besides.ts";
import { repeatedInLoops } from "./reductions/stated-around.ts";
import { withUnsaidReductions } from "./reductions/unsaid.ts";

export function complete(
  requested: Task,
  { escapes, reads }: LaterUses,
  visible: Visible,
  context: Context,
): Task {
  if (requested.region) return requested;
  const task = inOrder(requested);
  const asRead = asNode(task.body, "spmd") as Spmd;
  const backTo = new Set(
    task.items.filter(({ mapping: { is } }) => is === "from" || is === "tofrom").map((i) => i.sym),
  );
  const separated = ownCounters(
    withoutNamedFunctions(withoutIdleReductions(asRead.body)),
    () => true,
    (sym) => backTo.has(sym),
  );
  const { spmd, sizes } = withOuterSizes({ ...asRead, body: separated.body });
  context.diagnostics.push(...separated.diagnostics);
  const ordered = task.construct === "kernels";
  const owned = task.items.filter(({ sharing }) => sharing.is === "private" || sharing.is === "firstprivate");
  const copies = new Set([...owned, ...spmd.reductions].map(({ sym }) => sym).concat(spmd.privates));
  // In OpenMP's target regions, scalars that no clause names end with the region.
  const keeps = !isOpenMp(task.site);
  const sharing = new Set([...copies, ...spmd.firstprivates]);
  const ofGangs = new Set([...owned.map(({ sym }) => sym), ...spmd.privates, ...spmd.firstprivates]);
  const teams = spmd.numTeams;
  const gangCount =
    teams === undefined ? (ordered ? "some" : "any") : evaluateInteger(teams) === 1n ? "one" : "some";
  const repeated = repeatedInLoops(spmd);
  const isOfGang = (sym: Symbol) =>
    ofGangs.has(sym) ||
    (!ordered &&
      !(sharing.has(sym) || visible.has(sym) || isGlobal(sym) || task.items.some((i) => i.sym === sym)) &&
      definedFirst(repeated.body, sym));
  const unsaid = spmd.serial
    ? { body: repeated.body, remarks: [] }
    : withUnsaidReductions(repeated.body, isOfGang);
  const nests = keeps ? throughNests(unsaid.body, sharing) : { body: unsaid.body, remarks: [] };
  const levelled = spmd.serial
    ? { body: withoutLevels(nests.body), remarks: [] }
    : assignLevels(nests.body, {
        function: context.def,
        ordered,
        copies,
        ofGangs: new Set([...ofGangs, ...openReductions(nests.body, isOfGang, escapes)]),
        gangs: gangCount,
        escapes,
      });
  const { remarks, oneGang } = levelled;
  let reached: ReadonlyMap<Symbol, Use> | undefined;
  const inFunctions = () =>
    (reached ??= deviceFunctions(context.program, levelled.body, context.linkage).own);
  const isCalled = (sym: Symbol) => inFunctions().has(sym);
  const around = { task, program: context.program, visible, isCalled };
  const { body, remarks: ownRemarks } = withOwnScalars(levelled.body, sharing, around);
  const named = new Set([...sharing, ...task.items.map(({ sym }) => sym), ...visible.keys()]);
  const atFile = fileScopeCopies(task, body, named, inFunctions);
  context.diagnostics.push(...repeated.remarks, ...unsaid.remarks, ...nests.remarks, ...remarks);
  context.diagnostics.push(...ownRemarks, ...atFile.diagnostics);
  const whole: Spmd = { ...spmd, firstprivates: [...spmd.firstprivates, ...atFile.copies], body };
  const retained =
    keeps && !ordered
      ? keptReductions(whole, named, reads, task.site)
      : { spmd: whole, results: [], of: new Map<Symbol, Symbol>() };
  const members = withMemberVariables(retained.spmd.body, [
    ...task.items,
    ...membersAround(body, task.items, context.around),
  ]);
  const shared: Spmd = { ...retained.spmd, body: members.body };
  const local = withLocalCopies(shared, members.items, regionReductions(shared));
  const { numTeams: requestedTeams, ...rest } = local.spmd;
  const { items: clauseItems } = local;
  const { body: decidedBody } = rest;
  // Code that gangs do not share runs once in a `kernels` region, and in every gang of a `parallel` one.
  const alone = ordered && !wholeLoop(decidedBody)?.parallel.levels.includes("gang");
  const gangs = alone ? undefined : oneGang ? intLit(1) : (requestedTeams ?? requestedGangs(decidedBody));
  const decided: Spmd = { ...rest, ...(gangs && { numTeams: gangs }) };
  const code = deviceFunctions(context.program, decidedBody, context.linkage);
  const { functions } = code;
  context.diagnostics.push(
    ...code.diagnostics,
    ...sizesFromOutside(decided),
    ...countersOfFunctions(decidedBody, functions),
    ...unreadElsewhere(requested, functions.values()),
  );

  const needed = neededBy(decidedBody, code.own);
  const reductions = regionReductions(decided);
  context.diagnostics.push(...usesBesides(decided, reductions));
  for (const { sym } of reductions) if (!needed.has(sym)) needed.set(sym, combined(sym));
  const reduced = new Set([...reductions.map((r) => r.sym), ...retained.results]);
  const copied = new Map([...local.of, ...retained.of]);
  const compared = comparedPointers(decidedBody);
  const rule = { task, spmd: decided, visible, reduced, copied, sizes, compared, context };
  const items = completedItems(clauseItems, needed, rule);
  const completed = { ...task, items, body: { ...task.body, ext: decided } as Stmt };
  // Host code translated by itself did not know the functions of other units.
  const known = [...new Set(functions.values())].filter(
    (f) => context.linkage.kind === "whole" || !f.external,
  );
  const name = digest(
    completed,
    known.map((f) => f.def),
  );
  return { ...completed, region: `${asciiName(context.def.sym.name)}_${name}` };
}

/** Variables of the code around that a region uses, itself or through functions. */
export function neededBy(body: Stmt, throughFunctions: ReadonlyMap<Symbol, Use>): Map<Symbol, Use> {
  const uses = usesOf(body);
  const needed = new Map([...uses.of].filter(([sym]) => !uses.declared.has(sym)));
  for (const [sym, use] of throughFunctions) {
    const here = needed.get(sym);
    needed.set(sym, here ? either(here, use) : use);
  }
  return needed;
}

/** The items of clauses with the accesses that they see, after those of variables that no clause names. */
function completedItems(
  clauseItems: readonly DataItem[],
  needed: ReadonlyMap<Symbol, Use>,
  rule: Rule,
): readonly DataItem[] {
  const named = new Set(clauseItems.map(({ sym }) => sym));
  const items = clauseItems.map((item) => ({ ...item, access: accessOf(needed.get(item.sym), item) }));
  // Roots come before the members reached through them: attaching needs the root on the device.
  const roots = [...needed].flatMap(([sym, use]) => {
    if (named.has(sym) || rule.spmd.privates.includes(sym)) return [];
    return implicit(sym, use, rule) ?? [];
  });
  return [...roots, ...items];
}

/** A reduction variable that the region's code never mentions is still combined at its end. */
function combined(sym: Symbol): Use {
  return {
    read: true,
    written: true,
    addressTaken: false,
    elementsRead: false,
    elementsWritten: false,
    at: ident(sym),
  };
}

/** `gang(n)` on a loop of a kernels region sizes the launch like num_gangs(n). */
function requestedGangs(body: Stmt): Expr | undefined {
  return findNode(body, "loop", (loop) => loop.parallel.gangs !== undefined)?.parallel.gangs;
}

/**
 * Variables that a loop reduces for which the program names no level, if each gang sets its own first and nothing reads
 * them behind the region: gangs that shared the loop would leave none of them a value to go on with.
 */
function openReductions(
  body: Stmt,
  isOfGang: (sym: Symbol) => boolean,
  escapes: (sym: Symbol) => boolean,
): readonly Symbol[] {
  const open = [...nodesIn(body, "loop")].filter((loop) => loop.parallel.levels.length === 0);
  return open.flatMap((loop) => loop.reductions.map((r) => r.sym)).filter((s) => isOfGang(s) && !escapes(s));
}

/** Reductions whose result belongs to the region: those of a loop over gangs, or of the region's only loop. */
export function regionReductions(spmd: Spmd): readonly Reduction[] {
  const found: Reduction[] = [...spmd.reductions];
  const add = (r: Reduction) => {
    if (!found.some((f) => f.sym === r.sym)) found.push(r);
  };
  const outside = (r: Reduction) => !usesOf(spmd.body).declared.has(r.sym);
  const look = (s: Stmt): Stmt => {
    const loop = asNode(s, "loop");
    if (loop && (loop.parallel.levels.includes("gang") || s === spmd.body))
      loop.reductions.filter(outside).forEach(add);
    return mapChildren(s, look);
  };
  look(spmd.body);
  return found;
}

function digest(task: Task, functions: readonly FunctionDef[]): string {
  return createHash("sha256").update(regionText(task, functions)).digest("hex").slice(0, 8);
}
