/**
 * Makes every implicit rule of the directive model explicit: `kernels` regions are split, loops get their levels, and
 * every variable of a compute construct gets a data item. Idempotent.
 */
import { createHash } from "node:crypto";
import {
  canonical,
  decay,
  evaluateInteger,
  isScalar,
  mapChildren,
  mapStmt,
  printExpr,
} from "../../lang/index.ts";
import type { Diagnostic, Expr, FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol, ident, intLit } from "../../lang/tree/build.ts";
import { type Use, usesOf } from "../analysis/access.ts";
import { comparedPointers } from "../analysis/compared-pointers.ts";
import { definedFirst, liveAfter } from "../analysis/liveness.ts";
import { withoutNamedFunctions } from "../analysis/named-functions.ts";
import { ownCounters } from "../analysis/own-counters.ts";
import { reductionUse } from "../analysis/reductions.ts";
import {
  deviceFunctions,
  either,
  isConstant,
  isGlobal,
  type Linkage,
  noOtherUnits,
} from "../analysis/routines.ts";
import { unusedName } from "../analysis/unused-name.ts";
import {
  type Access,
  asNode,
  type DataItem,
  extStmt,
  isOpenMp,
  type Mapping,
  type Reduction,
  type Spmd,
  type Task,
} from "../model/ir.ts";
import { findNode } from "../model/nodes.ts";
import type { Program } from "../model/program.ts";
import { spmdOf } from "../model/region.ts";
import { unreadElsewhere } from "../omp/elsewhere.ts";
import { regionText } from "../text/print.ts";
import { repeatedInLoops } from "./construct-reductions.ts";
import { countersOfFunctions, lostCounters } from "./counters.ts";
import { withoutIdleReductions } from "./idle-reductions.ts";
import { keptReductions, throughNests } from "./kept-reductions.ts";
import { handedOn, splitKernels } from "./kernels.ts";
import { assignLevels, levelsOfRoutine, wholeLoop, withoutLevels } from "./levels.ts";
import { withLocalCopies } from "./local-copies.ts";
import { membersAround } from "./members-around.ts";
import { inOrder } from "./order.ts";
import { withOuterSizes } from "./outer-sizes.ts";
import { sizesFromOutside } from "./outer-types.ts";
import { placeText } from "./place-text.ts";
import { usesBesides } from "./reduced-besides.ts";
import { suspectClauses } from "./suspect-clauses.ts";

interface Context {
  readonly program: Program;
  readonly linkage: Linkage;
  readonly diagnostics: Diagnostic[];
  /** The enclosing function, as it was read. */
  readonly def: FunctionDef;
  /** Data items of enclosing data constructs, outermost first. */
  readonly around: readonly DataItem[];
}

/** Data items of the constructs around a statement, innermost last, and of declare directives. */
type Visible = ReadonlyMap<Symbol, DataItem>;

export function normalise(
  program: Program,
  linkage: Linkage = { kind: "whole", others: noOtherUnits },
): Program {
  const diagnostics: Diagnostic[] = [...program.diagnostics];
  const declared = new Map(program.declares.flatMap((d) => d.items.map((i) => [i.sym, i] as const)));
  const externals = program.unit.externals.map((e) => {
    if (e.kind !== "function") return e;
    const context = { program, linkage, diagnostics, def: e, around: [] };
    const body = visit(e.body, declared, context);
    const routine = program.routines.get(e.sym);
    const ordered = routine ? levelsOfRoutine(body, routine.level) : body;
    if (ordered === e.body) return e;
    const def = { ...e, body: ordered as FunctionDef["body"] };
    if (e.sym.definition === e) e.sym.definition = def;
    return def;
  });
  return { ...program, unit: { ...program.unit, externals }, diagnostics };
}

function visit(s: Stmt, visible: Visible, context: Context): Stmt {
  const task = asNode(s, "task");
  if (task && s.kind === "ext") {
    const behind = { escapes: escaping(task, s, context), reads: reading(s, context) };
    const { escapes } = behind;
    if (task.construct !== "kernels" || task.region) {
      const done = complete(task, behind, visible, context);
      if (!task.region)
        context.diagnostics.push(
          ...lostValues(done, s, context),
          ...lostCounters(done, s, context.def),
          ...suspectClauses(done),
        );
      return { ...s, ext: done };
    }
    const split = splitKernels(task, escapes);
    const held = split.kind === "task" ? handedOn(spmdOf(task).body) : undefined;
    if (held) context.diagnostics.push(heldTogether(task, held));
    if (split.kind === "task") return { ...s, ext: complete(split, behind, visible, context) };
    const later = (part: Stmt) => (sym: Symbol) => escapes(sym) || liveAfter(split.body, part, sym);
    const parts = (around: Visible, within: Context) =>
      mapChildren(split.body, (part) =>
        part.kind === "ext"
          ? { ...part, ext: complete(part.ext as Task, { ...behind, escapes: later(part) }, around, within) }
          : part,
      );
    const items = sharedData(parts(visible, { ...context, diagnostics: [] }), split.items);
    const body = parts(new Map([...visible, ...items.map((i) => [i.sym, i] as const)]), context);
    return extStmt({ ...split, items, body }, s.span);
  }
  const data = asNode(s, "data");
  const inner = data ? new Map([...visible, ...data.items.map((i) => [i.sym, i] as const)]) : visible;
  const declare = s.kind === "compound" ? s.body.flatMap((c) => asNode(c, "declare")?.items ?? []) : [];
  const scope = declare.length ? new Map([...inner, ...declare.map((i) => [i.sym, i] as const)]) : inner;
  const around = [...context.around, ...(data?.items ?? []), ...declare];
  return mapChildren(s, (child) => visit(child, scope, { ...context, around }));
}

function heldTogether({ site }: Task, sym: Symbol): Diagnostic {
  return {
    severity: "note",
    code: "one-gang",
    loc: sym.span.start.line > 0 ? sym.span.start : site.loc,
    message: `one gang runs the whole region: '${sym.name}' hands a value from one of its statements to another`,
    remedy: `declare '${sym.name}' before the region`,
  };
}

/** Scalars that a region changes without a clause and that are read after it: the change is lost with the region. */
function lostValues(task: Task, at: Stmt, { def }: Context): readonly Diagnostic[] {
  const { body } = spmdOf(task);
  const clause = isOpenMp(task.site) ? "map" : "copy";
  return task.items.flatMap(({ sym, sharing, access, loc }): readonly Diagnostic[] => {
    const own = sharing.vis === "implicit" && (sharing.is === "private" || sharing.is === "firstprivate");
    const changed = access === "write-only" || access === "read-write";
    if (!own || !changed || !isScalar(sym.type) || !liveAfter(def.body, at, sym)) return [];
    const first = usesOf(body).of.get(sym)?.at.span.start;
    const { op } = reductionUse(body, sym);
    return [
      {
        severity: "warning",
        code: "lost-value",
        loc: first !== undefined && first.line > 0 ? first : loc,
        message: `what this region does to '${sym.name}' is lost: code behind it reads the value from before`,
        why: "a scalar that no clause names is private to each gang or lane, and ends with the region",
        remedy: op === undefined ? `name it in ${clause}(${sym.name})` : `say reduction(${op}:${sym.name})`,
      },
    ];
  });
}

/** Whether code after a statement may read the value that it leaves in a variable. */
function reading(at: Stmt, { def }: Context): LaterUses["reads"] {
  return (sym) =>
    isGlobal(sym) || usesOf(def.body).of.get(sym)?.addressTaken === true || liveAfter(def.body, at, sym);
}

/** Whether a variable's value at the end of a construct may be used later. */
function escaping(task: Task, at: Stmt, context: Context): LaterUses["escapes"] {
  const named = new Set(task.items.map((i) => i.sym));
  const reads = reading(at, context);
  return (sym) => {
    // Gangs of `parallel` and `serial` have private scalars that end with the construct.
    if (task.construct !== "kernels" && isScalar(sym.type) && !named.has(sym) && !isGlobal(sym)) return false;
    return reads(sym);
  };
}

/** The data region around a split `kernels`: data shared by its tasks stays on the device between them. */
function sharedData(body: Stmt, items: readonly DataItem[]): readonly DataItem[] {
  const explicit = new Set(items.map((i) => i.sym));
  const tasks = body.kind === "compound" ? body.body.flatMap((c) => asNode(c, "task") ?? []) : [];
  const merged = new Map<Symbol, DataItem>();
  for (const { own: _, ...item } of tasks.flatMap((t) => t.items)) {
    // Objects that the construct itself names, and their members and elements, are among the region's own items, too.
    if (item.object.kind !== "ident" || !["to", "from", "tofrom"].includes(item.mapping.is)) continue;
    // A task's copy stands for the variable.
    const { sym } = item.object;
    if (explicit.has(sym)) continue;
    const known = merged.get(sym);
    const is: Mapping = !known || known.mapping.is === item.mapping.is ? item.mapping.is : "tofrom";
    merged.set(sym, { ...item, sym, mapping: { ...item.mapping, is } });
  }
  return [...items, ...merged.values()];
}

/** How code after a construct may use the final values of variables. */
interface LaterUses {
  escapes(sym: Symbol): boolean;
  /** By the rules of plain C, whatever the construct is. */
  reads(sym: Symbol): boolean;
}

function complete(requested: Task, { escapes, reads }: LaterUses, visible: Visible, context: Context): Task {
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
  const nests = keeps ? throughNests(repeated.body, sharing) : { body: repeated.body, remarks: [] };
  const { body, remarks, oneGang } = spmd.serial
    ? { body: withoutLevels(nests.body), remarks: [] }
    : assignLevels(nests.body, {
        function: context.def,
        ordered,
        copies,
        ofGangs,
        gangs: gangCount,
        escapes,
      });
  context.diagnostics.push(...repeated.remarks, ...nests.remarks, ...remarks);
  const named = new Set([...sharing, ...task.items.map(({ sym }) => sym), ...visible.keys()]);
  const retained =
    keeps && !ordered
      ? keptReductions({ ...spmd, body }, named, reads, task.site)
      : { spmd: { ...spmd, body }, results: [], of: new Map<Symbol, Symbol>() };
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

  const uses = usesOf(decidedBody);
  const needed = new Map([...uses.of].filter(([sym]) => !uses.declared.has(sym)));
  for (const [g, use] of code.own) {
    const here = needed.get(g);
    needed.set(g, here ? either(here, use) : use);
  }

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
  return { ...completed, region: `${context.def.sym.name}_${name}` };
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
 * A member or element that a clause names becomes a variable of the region: `s.a` in `copy(s.a[0:n])` is a separate
 * argument, so that `s` need not be on the device.
 */
function withMemberVariables(
  body: Stmt,
  items: readonly DataItem[],
): { body: Stmt; items: readonly DataItem[] } {
  const own = new Map<string, Symbol>();
  const named = items.map((item) => {
    if (item.object.kind === "ident") return item;
    const place = placeText(item.object);
    const text = printExpr(item.object);
    const sym =
      own.get(place) ??
      freshSymbol(unusedName(text.replace(/\W+/g, "_").replace(/^_|_$/g, ""), body), decay(item.object.type));
    own.set(place, sym);
    return { ...item, sym, own: true as const };
  });
  if (own.size === 0) return { body, items };
  const replaced = mapStmt(body, {
    expr(e) {
      if (e.kind !== "member" && e.kind !== "index" && !(e.kind === "unary" && e.op === "*")) return e;
      const sym = own.get(placeText(e));
      return sym ? ident(sym, e.span) : e;
    },
  });
  return { body: replaced, items: named };
}

function accessOf(use: Use | undefined, item: DataItem): Access {
  if (!use) return "none";
  const scalar = isScalar(item.sym.type) && canonical(item.sym.type).kind !== "pointer";
  const read = scalar ? use.read : use.elementsRead || use.read;
  const written = scalar ? use.written : use.elementsWritten || use.written;
  return use.addressTaken || (read && written)
    ? "read-write"
    : written
      ? "write-only"
      : read
        ? "read-only"
        : "none";
}

interface Rule {
  readonly task: Task;
  readonly spmd: Spmd;
  readonly visible: Visible;
  readonly reduced: ReadonlySet<Symbol>;
  /** The variables that local copies stand for. */
  readonly copied: ReadonlyMap<Symbol, Symbol>;
  /** Variables of the region with the sizes of arrays, and where the launch finds these. */
  readonly sizes: ReadonlyMap<Symbol, Expr>;
  /** Pointers that nothing is read or written through. */
  readonly compared: ReadonlySet<Symbol>;
  readonly context: Context;
}

/** OpenACC 3.3, sections 2.5.1 (default) and 2.6.1 (implicitly determined attributes). */
function implicit(
  sym: Symbol,
  use: Use,
  { task, spmd, visible, reduced, copied, sizes, compared, context }: Rule,
): DataItem | undefined {
  const origin = copied.get(sym) ?? sym;
  const type = canonical(sym.type);
  const pointer = type.kind === "pointer";
  const scalar = isScalar(sym.type) && !pointer;
  const around = visible.get(origin);
  const size = sizes.get(sym);
  const object: Expr = size ?? ident(origin, use.at.span);
  const make = (
    sharing: DataItem["sharing"]["is"],
    mapping: Mapping,
    section: DataItem["section"] = [],
  ): DataItem => {
    const item: DataItem = {
      sym,
      ...((size || origin !== sym) && { own: true as const }),
      object,
      section,
      written: size ? printExpr(size) : origin.name,
      sharing: { is: sharing, vis: "implicit" },
      mapping: { is: mapping, vis: "implicit" },
      access: "none",
      loc: task.site.loc,
    };
    return { ...item, access: accessOf(use, item) };
  };
  if (spmd.firstprivates.includes(sym))
    return { ...make("firstprivate", "none"), sharing: { is: "firstprivate", vis: "explicit" } };
  if (task.defaultData === "none" && !around && !reduced.has(sym) && !(isGlobal(sym) && constantTable(sym)))
    context.diagnostics.push({
      severity: "error",
      code: "default-none",
      loc: use.at.span.start,
      message: `'${origin.name}' is used in a region with default(none), but no clause says what happens to it`,
      remedy: `add it to a data clause, or to private or firstprivate`,
    });
  if (reduced.has(sym)) return make("shared", around ? "present" : "tofrom");
  if (around && around.object.kind === "ident") {
    if (around.mapping.is === "deviceptr") return make("shared", "deviceptr");
    return make("shared", "present", around.section);
  }
  if (pointer) return make("shared", compared.has(sym) ? "no-create" : "present");
  if (scalar) {
    // Assigned before every read, so there is nothing to transfer.
    if (
      task.construct !== "kernels" &&
      use.written &&
      !use.addressTaken &&
      definedFirst(spmd.body, sym) &&
      !isGlobal(sym)
    )
      return make("private", "none");
    const shared = (task.construct === "kernels" && use.written) || (isGlobal(sym) && use.written);
    return shared ? make("shared", "tofrom") : make("firstprivate", "none");
  }
  if (task.defaultData === "present") return make("shared", "present");
  if (type.kind === "array" && type.size === undefined)
    context.diagnostics.push({
      severity: "error",
      code: "unknown-size",
      loc: use.at.span.start,
      message: `'${origin.name}' is declared without a size: how much of it the region needs is not known`,
      remedy: `declare it with its size, or name the part in a clause, as in copyin(${origin.name}[0:n])`,
    });
  return make("shared", demoted(use, sym) ? "to" : "tofrom");
}

/**
 * Read-only arrays need not be copied back. Const-qualified ones must not be, even if a pointer to them is passed on.
 */
function demoted(use: Use, sym: Symbol): boolean {
  if (isConstant(sym.type)) return true;
  return !use.elementsWritten && !use.written && !use.addressTaken && canonical(sym.type).kind === "array";
}

function constantTable(sym: Symbol): boolean {
  return canonical(sym.type).quals?.const === true;
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

/** Every task of a unit in source order. */
export function tasksOf(
  program: Program,
): { readonly task: Task; readonly function: Symbol; readonly loc: Loc }[] {
  const found: { task: Task; function: Symbol; loc: Loc }[] = [];
  for (const e of program.unit.externals) {
    if (e.kind !== "function") continue;
    const look = (s: Stmt): Stmt => {
      const task = asNode(s, "task");
      if (task) found.push({ task, function: e.sym, loc: task.site.loc });
      return mapChildren(s, look);
    };
    look(e.body);
  }
  return found;
}
