/**
 * From a compute region of the IR to kernels: gangs become groups, workers and vector lanes become items. Code
 * outside item loops runs in single mode.
 *
 * Loops step by the actual launch sizes, so a kernel is right under any geometry.
 */

import { usesOf } from "../../../core/ir/analysis/access.ts";
import { identity } from "../../../core/ir/model/identity.ts";
import { asNode, type Loop, type Spmd, type Task } from "../../../core/ir/model/ir.ts";
import { findNode, hasNode } from "../../../core/ir/model/nodes.ts";
import { type Argument, argumentsOf, regionName, spmdOf } from "../../../core/ir/model/region.ts";
import { canonical, isArray, LONG, sizeOf, substitute, unqualified } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Init, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { flat, hasCooperation, NotUniform } from "../device/control.ts";
import { counted } from "../device/counted-loop.ts";
import {
  barrier,
  isFirstItem,
  type Kernel,
  type KernelParam,
  type LoweredRegion,
  workItemId,
} from "../device/device.ts";
import { WARP } from "../device/exchange.ts";
import { holdsFunctionPointers } from "../legalise/function-pointers.ts";
import { flatRegion, sliced } from "../legalise/launch-arrays.ts";
import { accumulateApart } from "./accumulate.ts";
import { answersOfRegion, deviceNumber } from "./answers.ts";
import { withLocals } from "./declarations.ts";
import { Effects } from "./effects.ts";
import { cloneFunctions } from "./functions.ts";
import type { ExecutionModel } from "./geometry/execution-model.ts";
import { type Geometry, groupSize, isItemLoop } from "./geometry/geometry.ts";
import { isSizedAtLaunch, threadsAsked } from "./geometry/sizes.ts";
import type { Copy } from "./group/array-privatisation.ts";
import { atomicTargets, exposesLiterals, sharedVariables } from "./group/memory.ts";
import { type Counter, ownOfGroups } from "./group/own-values.ts";
import { inWholeWords } from "./group/words.ts";
import type { LowerInput } from "./input.ts";
import { ItemCode } from "./item-code.ts";
import { operationsOf } from "./operations.ts";
import { Parameters } from "./parameters.ts";
import { finishKernel, partialsOf, storePartial } from "./partials.ts";
import { lanesOfPlan, type Plan, planOf } from "./region-plan.ts";
import { SingleMode } from "./single-mode.ts";
import { staged } from "./staged.ts";
import { teamLimits } from "./team-limits.ts";
import { scansLeft } from "./teams/scan-remarks.ts";

/** Never fails on a normalised task: a region that cannot use several items per group uses one. */
export function lower(given: LowerInput): LoweredRegion {
  const flat = given.model.launchArrays && !given.stage ? flatRegion(given.task, given.functions) : undefined;
  if (!flat) return lowerFlat(given);
  const { refused, rooms, ...code } = flat;
  const model = rooms.length > 0 ? withoutSharing(given.model) : given.model;
  const made = lowerFlat({ ...given, ...code, rooms, model });
  return refused.length > 0 ? { ...made, refused: [...refused, ...(made.refused ?? [])] } : made;
}

/** Work-items have slices of the launch's memory and reuse their arrays for each iteration, so these cannot be shared. */
function withoutSharing({
  perItem: _,
  stages: _s,
  teams: _t,
  reuse: _r,
  ...model
}: ExecutionModel): ExecutionModel {
  return model;
}

function lowerFlat(input: LowerInput): LoweredRegion {
  if (input.stage) return asOne(input);
  const split = staged(input, lower);
  const whole = split && "remark" in split ? split : undefined;
  const made = split && "kernels" in split ? split : asOne(whole?.oneGang ?? input);
  const remarks = [...(whole ? [whole.remark] : []), ...(made.remarks ?? [])];
  const { task, globals = [], model } = input;
  const left = model.teams ? scansLeft(spmdOf(task), [...argumentsOf(task), ...globals], remarks) : [];
  return left.length + remarks.length > 0 ? { ...made, remarks: [...remarks, ...left] } : made;
}

function asOne(input: LowerInput): LoweredRegion {
  try {
    return lowered(input);
  } catch (problem) {
    if (!(problem instanceof NotUniform)) throw problem;
    const { together: _, ...model } = input.model;
    const alone = lowered({ ...input, model: { ...model, maxItems: 1 } });
    return hasNode(spmdOf(input.task).body, "threads") ? { ...alone, refused: [apart(input)] } : alone;
  }
}

/** Largest group size for a region. Threads that read each other's values need at least a warp. */
function withRoom(model: ExecutionModel, spmd: Spmd): ExecutionModel {
  const { body, serial } = spmd;
  if (model.together && !serial && hasNode(body, "shuffle"))
    return { ...model, maxItems: model.together, defaultItems: Math.max(model.defaultItems, WARP) };
  return model.together && ((threadsAsked(body) ?? 1) > 1 || isSizedAtLaunch(spmd)) && !serial
    ? { ...model, maxItems: model.together }
    : model;
}

/** Refuses teams whose size only the launch knows, where code divides work by a constant size or has no teams. */
function openRefused({ task: { site }, functions }: LowerInput, plan: Plan): Pick<LoweredRegion, "refused"> {
  const { geometry, spmd, reductions } = plan;
  if (!isSizedAtLaunch(spmd) || spmd.serial) return {};
  const inItems = (loop: Loop) => isItemLoop(geometry, loop);
  const divides = ({ parallel: { levels } }: Loop) => levels.some((level) => level !== "gang");
  const shares =
    reductions.length > 0 ||
    findNode(spmd.body, "loop", inItems) !== undefined ||
    [...functions.values()].some((f) => findNode(f.def.body, "loop", divides) !== undefined);
  if (geometry.atLaunch && !shares) return {};
  const message = geometry.atLaunch
    ? "the number of threads of this region's teams follows from a thread_limit that is not a constant, and they share loops or sums"
    : "the program computes the number of threads of this region's teams, and the device has teams of one thread";
  return {
    refused: [
      {
        severity: "error",
        code: "parallel-block",
        loc: site.loc,
        message,
        remedy: "write num_threads with a constant",
      },
    ],
  };
}

function apart({ task }: LowerInput): Diagnostic {
  return {
    severity: "error",
    code: "parallel-block",
    loc: task.site.loc,
    message: "the threads of this region's teams cannot be kept together",
    why: "code around a 'parallel' construct decides with effects of its own",
    remedy: "compute conditions in front of the statements that test them",
  };
}

function lowered(input: LowerInput): LoweredRegion {
  const { task, globals = [] } = input;
  const model = withRoom(input.model, spmdOf(task));
  const args = argumentsOf(task);
  const rooms = input.rooms ?? [];
  const parameters = new Parameters(
    args,
    globals,
    constantArguments(input, args),
    input.extents,
    input.isRetained,
  );
  const plan = planOf({ ...input, model }, args);
  const { spmd, reductions, geometry, count } = plan;
  const items = groupSize(geometry);
  const region = regionName(task);
  const { functions, rewriteCalls } = cloneFunctions(input.functions, [...args, ...globals], parameters);

  const { body: withHeld, held } = heldScalars(input, plan, args);
  const byValue = args.filter((a) => a.how === "value");
  const changed = sharedWith(
    byValue.map((a) => a.sym),
    [withHeld],
    plan,
  );
  const {
    body: withCounters,
    counters,
    arrays,
  } = ownOfGroups(withHeld, byValue, changed, (of) => parameters.value(of));
  const answers = answersOfRegion(geometry, spmd.serial === true);
  const sections = sliced(rewriteCalls(parameters.rewrite(withCounters), answers), rooms, {
    items,
    ofItems: (s) => isOfItems(geometry, s),
    first: plan.trips.size + plan.most.size,
  });
  const code = sections.body;
  // Each item keeps its own from part to part of a mapped loop.
  const set = isDivided(plan) ? [] : setByRegion(task, code);
  const privates = [
    ...parameters.constants(),
    ...[...new Set([...spmd.privates, ...set])].map((p) => declare(p)),
    ...[...counters, ...held].map(({ of, own }) => declare(own, parameters.value(of))),
  ];
  const values = parameters.values();
  const copies = [...plan.copies, ...arrays];
  const ofGroup = copies.map((copy) => copy.sym);
  const own = new Set([...usesOf(...privates, code).declared, ...values, ...ofGroup]);
  const shared = new Set([...ofGroup, ...sharedByItems([...privates, code], values, plan)]);
  const itemCode = new ItemCode({ geometry, parameters, serial: spmd.serial === true, own, shared });
  const effects = new Effects(functions, shared);
  const single = new SingleMode({ geometry, effects, shared, itemCode, exchanges: model.exchanges === true });
  const ofItems =
    items > 1 ? single.of([...privates, ...flat(code)]) : [...privates, ...flat(itemCode.of(code))];

  const partials = partialsOf(reductions);
  const stores = partials.map(storePartial);
  const stmts = [
    ...reductions.map(({ op, own }) => declare(own, identity(op, own.type))),
    ...betweenCopies(ofItems, copies, items, (s) => parameters.rewrite(s)),
    ...held.flatMap(({ of, own, changes }) =>
      changes ? [exprStmt(assign(parameters.value(of), ident(own)))] : [],
    ),
    ...stores.map((store) => (items > 1 ? ifStmt(isFirstItem(), store) : store)),
  ];
  const params = [
    ...parameters.params(ofItems.some(hasCooperation)),
    ...partials.map((p) => p.param),
    ...rooms.map(
      ({ sym }, k): KernelParam => ({
        sym,
        pointer: true,
        source: { from: "scratch", index: partials.length + k },
      }),
    ),
    ...(usesOf(...ofItems).of.has(deviceNumber)
      ? [{ sym: deviceNumber, pointer: false, source: { from: "launch", expr: "dn" } } as const]
      : []),
    ...(plan.mapped?.params ?? []),
    ...(plan.near?.params ?? []),
    ...(input.stage?.params.filter((p) => usesOf(...ofItems).of.has(p.sym)) ?? []),
    // By default a launch takes one step.
    ...(count ? [{ sym: count, pointer: false, source: { from: "launch", expr: "1" } } as const] : []),
  ];
  const used = usesOf(...ofItems).of;
  const ofStage = (input.stage?.groupMemory ?? []).filter((sym) => used.has(sym));
  const ofMapping = [...(plan.mapped?.groupMemory ?? []), ...(plan.near?.groupMemory ?? [])];
  const words = inWholeWords(stmts, [...shared, ...single.groupMemory, ...ofMapping, ...ofStage]);
  const { groupMemory } = words;
  const resident = input.stage?.resident ?? plan.mapped?.resident;
  const operations = model.teams && operationsOf(spmdOf(task), input.functions, args);
  const main: Kernel = {
    name: region,
    params,
    group: geometry.items,
    ...(geometry.atLaunch && { atLaunch: true }),
    grid: input.stage?.grid === undefined ? geometry.grid : [input.stage.grid, "1"],
    ...(operations && { operations }),
    shared: groupMemory,
    ...(resident && { resident }),
    ...(spmd.hints && { hints: spmd.hints }),
    body: withLocals(words.stmts, new Set([...params.map((p) => p.sym), ...groupMemory])),
  };
  const { loc, what } = task.site;
  const team = teamLimits(task, spmdOf(task), items);
  const remarks = [...plan.remarks, ...team.remarks];
  return {
    region,
    site: { file: loc.file, line: loc.line, what },
    functions,
    kernels: partials.length ? [main, finishKernel(region, partials, parameters, model.maxItems)] : [main],
    arguments: args,
    globals,
    scratch: [...partials.map((p) => p.bytes), ...sections.bytes],
    ...(remarks.length > 0 && { remarks }),
    ...lanesOfPlan(plan),
    ...stepsOf(spmd, main),
    ...(team.refused.length > 0 && { refused: team.refused }),
    ...openRefused(input, plan),
    trips: [...plan.trips.values(), ...plan.most.values(), ...rooms.map((room) => room.elements)],
  };
}

/** Whether what one item does in an iteration is divided into several item loops. */
const isDivided = ({ mapped, near }: Plan): boolean => (mapped ?? near) !== undefined;

/** Variables of the host's code that each gang sets before it reads them, and that no clause names. */
function setByRegion({ items }: Task, code: Stmt): readonly Symbol[] {
  const { of, declared } = usesOf(code);
  return items.flatMap(({ sym, sharing }) => {
    const isLocal = sym.scope !== "file" && sym.storage === "none";
    return sharing.is === "private" && isLocal && of.has(sym) && !declared.has(sym) ? [sym] : [];
  });
}

/** Arguments compiled into the kernel: constants whose address is not taken, in a kernel of one work-item. */
function constantArguments(
  { task, functions, model, constants }: LowerInput,
  args: readonly Argument[],
): ReadonlyMap<Argument, Init> {
  const spmd = spmdOf(task);
  if (!constants || !model.constants || (model.maxItems > 1 && !spmd.serial)) return new Map();
  const chosen = new Map<Argument, Init>();
  const uses = [usesOf(spmd.body).of, ...[...functions.values()].map((f) => f.globals)];
  let room = model.constants;
  for (const argument of args) {
    const init = constants.get(argument.sym);
    const bytes = sizeOf(argument.sym.type) ?? room + 1;
    const fits =
      argument.how === "value" ? !isArray(argument.sym.type) : argument.how === "buffer" && bytes <= room;
    if (!init || !fits || holdsFunctionPointers(argument.sym.type)) continue;
    if (uses.some((of) => of.get(argument.sym)?.addressTaken)) continue;
    chosen.set(argument, init);
    room -= bytes;
  }
  return chosen;
}

// ---------------------------------------------------------------- variables

/** Reductions of item loops into parameters get variables local to the loop. */
function accumulatedApart({ spmd, geometry }: Plan, args: readonly Argument[]): Stmt {
  return accumulateApart(
    spmd.body,
    (loop, { sym }) => isItemLoop(geometry, loop) && args.some((a) => a.sym === sym),
  );
}

interface Held extends Counter {
  readonly changes: boolean;
}

/** In a region of one work-item, a mapped scalar that nothing else can access is a local variable. */
function heldScalars(
  { functions, model, addressed }: LowerInput,
  plan: Plan,
  args: readonly Argument[],
): { body: Stmt; held: readonly Held[] } {
  const { spmd, geometry, reductions } = plan;
  const body = accumulatedApart(plan, args);
  const alone = groupSize(geometry) === 1 && (model.inOrder || spmd.serial) && !spmd.hints?.steps;
  if (!alone || !addressed) return { body, held: [] };
  const uses = usesOf(body);
  const others = new Set([
    ...reductions.map((r) => r.of),
    ...atomicTargets([body]),
    ...[...functions.values()].flatMap((f) => [...f.globals.keys()]),
  ]);
  const held = args.flatMap((of): readonly Held[] => {
    const use = uses.of.get(of.sym);
    const { kind, quals } = canonical(of.sym.type);
    const isNumber = ["int", "float", "enum"].includes(kind) && !quals?.volatile && !quals?.atomic;
    if (of.how !== "object" || !use || !isNumber || others.has(of.sym) || addressed(of.sym)) return [];
    return [{ of, own: freshSymbol(`${of.name}_held`, unqualified(of.sym.type)), changes: use.written }];
  });
  return { body: substitute(body, new Map(held.map(({ of, own }) => [of.sym, ident(own)]))), held };
}

/** Whether each item of a group runs the statement separately. */
function isOfItems(geometry: Geometry, s: Stmt): boolean {
  const loop = asNode(s, "loop");
  return asNode(s, "threads") !== undefined || (loop !== undefined && isItemLoop(geometry, loop));
}

/** Variables of groups that items share, where `values` are passed to the kernel. */
function sharedWith(values: readonly Symbol[], stmts: readonly Stmt[], plan: Plan): ReadonlySet<Symbol> {
  const { geometry } = plan;
  if (groupSize(geometry) === 1) return new Set();
  return sharedVariables(stmts, values, (loop) => isItemLoop(geometry, loop), isDivided(plan));
}

/** Throws `NotUniform` if they include parameters or compound literals, which cannot be shared. */
function sharedByItems(stmts: readonly Stmt[], values: readonly Symbol[], plan: Plan): ReadonlySet<Symbol> {
  const shared = sharedWith(values, stmts, plan);
  const isSplit = groupSize(plan.geometry) > 1;
  const exposes = isSplit && exposesLiterals(stmts, (loop) => isItemLoop(plan.geometry, loop));
  if (values.some((v) => shared.has(v)) || exposes) throw new NotUniform();
  return shared;
}

// ---------------------------------------------------------------- the kernel

/** The group's code, after filling its copies of arrays and before flushing them. */
function betweenCopies(
  code: readonly Stmt[],
  copies: readonly Copy[],
  items: number,
  rewrite: (s: Stmt) => Stmt,
): readonly Stmt[] {
  if (copies.length === 0) return code;
  const meet = items > 1 ? [barrier()] : [];
  const each = ({ elements }: Copy, what: (t: Expr) => Stmt): Stmt => {
    const t = freshSymbol("arc_t", LONG);
    const start = items > 1 ? workItemId("item") : intLit(0, LONG);
    return counted(t, start, intLit(elements, LONG), intLit(items, LONG), what(ident(t)));
  };
  const flushes = copies.flatMap((copy) => (copy.flush ? [rewrite(each(copy, copy.flush))] : []));
  return [
    ...copies.map((copy) => rewrite(each(copy, copy.fill))),
    ...meet,
    ...code,
    ...(flushes.length > 0 ? [...meet, ...flushes] : []),
  ];
}

/** The parameters of the arrays and of the number of steps. */
function stepsOf({ hints }: Spmd, { params }: Kernel): Pick<LoweredRegion, "steps"> {
  const of = hints?.steps;
  if (!of) return {};
  const argument = (sym: Symbol) =>
    params.findIndex(({ source }) => source.from === "argument" && source.argument.sym === sym);
  const [input, output] = [argument(of.input), argument(of.output)];
  return { steps: { most: of.most, input, output, count: params.length - 1 } };
}
