/** A region as several kernels, some repeated by the launch: as one kernel it could use only one group. */

import { entryOf } from "../../../core/checked/access.ts";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import { type DataItem, extStmt, type LoopHeader, type Spmd, type Task } from "../../../core/ir/model/ir.ts";
import { argumentsOf, regionName, spmdOf } from "../../../core/ir/model/region.ts";
import { LONG } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Loc, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { compound, declare, freshSymbol, ident, intLit } from "../../../core/lang/tree/build.ts";
import { flat } from "../device/control.ts";
import type { Kernel, KernelParam, LoweredRegion, ParamSource } from "../device/device.ts";
import { isolate } from "../loops/alpha-rename.ts";
import { mostTrips } from "../loops/most-trips.ts";
import { launchTrips, tripCount, valueAt } from "../loops/trips.ts";
import { keyOf } from "../mapping/same-expression.ts";
import type { ScanLoop } from "../mapping/scans.ts";
import type { Handed, Stage, Whole } from "../mapping/stages/plan.ts";
import { stagesOf } from "../mapping/stages/stages.ts";
import type { LowerInput } from "./input.ts";
import { withTails } from "./tails/last-group.ts";
import { scanKernels } from "./teams/scan-kernels.ts";
import { scanByBlocks, scanInOrder } from "./teams/scan-remarks.ts";

/** Why a region has only one kernel. */
interface Unstaged {
  readonly remark: Diagnostic;
  /** The region with one gang, if it can have no more. */
  readonly oneGang?: LowerInput;
}

/** The kernels; or why there is only one; undefined: nothing to split. */
export function staged(
  input: LowerInput,
  lower: (input: LowerInput) => LoweredRegion,
): LoweredRegion | Unstaged | undefined {
  const { task, model, globals = [] } = input;
  const given = spmdOf(task);
  if (!model.stages || given.hints?.steps) return undefined;
  const spmd: Spmd = { ...given, body: isolate(given.body) };
  const trips = launchTrips(spmd);
  const args = [...argumentsOf(task), ...globals];
  const items = Math.min(model.maxItems, model.defaultItems);
  const found = stagesOf(spmd, {
    construct: task.construct,
    args,
    functions: input.functions,
    isCounted: (h) => trips.has(h),
    makeScan: (scan, keeps) => scanKernels(scan, keeps, items),
    onlyDependent: items === 1,
  });
  if (!found) return undefined;
  if ("why" in found) return unstaged(found, input);
  const most = mostTrips(spmd, trips);
  const split = new Split({ input, spmd, trips, most, lower, handedOn: found.handedOn });
  split.add(found.stages);
  const [scan] = found.scans;
  if (scan && !split.areTogether(items)) {
    const why = "code around it cannot run in groups";
    return unstaged({ loc: scan.loc, loop: "in-order", scans: scan.names, why }, input);
  }
  return split.region(found.stages, found.scans);
}

function unstaged(whole: Whole, input: LowerInput): Unstaged {
  const remark = remarkOf(whole);
  if (whole.gangs !== "one") return { remark };
  const { task, model } = input;
  const own: Spmd = { ...spmdOf(task), numTeams: intLit(1) };
  const alone = { ...task, body: extStmt(own, task.body.span) };
  return { remark, oneGang: { ...input, task: alone, model: { ...model, groups: 1 } } };
}

function remarkOf({ loc, loop, why, scans, gangs }: Whole): Diagnostic {
  if (scans) return scanInOrder({ names: scans, loc, why });
  if (loop === "in-order" && gangs !== "counted")
    return {
      severity: "note",
      code: "not-repeated",
      loc,
      message: `this loop in order stays inside one kernel${gangs ? " of one gang, as gangs" : ", whose groups"} cannot wait for each other: ${why}`,
      remedy: "move the loop out of the region, around it",
    };
  return {
    severity: gangs === "counted" ? "warning" : "note",
    code: gangs === "one" ? "one-gang" : "gangs-do-not-wait",
    loc,
    message:
      gangs === "one"
        ? `one gang runs this region, since its loops need each other's results and gangs cannot wait for each other: ${why}`
        : `gangs do not wait for each other between this loop and the code that uses its results: ${why}`,
    remedy: "end the region between the loops",
  };
}

interface SplitInput {
  readonly input: LowerInput;
  readonly spmd: Spmd;
  readonly trips: ReadonlyMap<LoopHeader, Expr>;
  /** The most iterations of loops whose trip counts depend on an iteration that the launch repeats. */
  readonly most: ReadonlyMap<LoopHeader, Expr>;
  readonly lower: (input: LowerInput) => LoweredRegion;
  readonly handedOn: readonly Handed[];
}

interface Around {
  readonly header: LoopHeader;
  readonly iteration: Symbol;
}

class Split {
  private readonly of: SplitInput;
  private readonly items: readonly DataItem[];
  private readonly trips: readonly Expr[];
  private readonly tripNumbers: ReadonlyMap<string, number>;
  private readonly kernels: Kernel[] = [];
  private readonly loops: { count: string; first: number; end: number }[] = [];
  private readonly functions: LoweredRegion["functions"][number][] = [];
  private readonly scratch: string[];
  private readonly remarks: Diagnostic[] = [];
  private readonly ofBlocks: Kernel[] = [];

  constructor(of: SplitInput) {
    this.of = of;
    const { loc } = of.input.task.site;
    this.items = of.handedOn.map(({ sym }) => handedItem(sym, loc));
    this.scratch = of.handedOn.map(({ bytes }) => bytes);
    this.trips = [...of.trips.values(), ...of.most.values()];
    this.tripNumbers = new Map(this.trips.map((e, n) => [keyOf(e), n]));
  }

  add(stages: readonly Stage[], around: readonly Around[] = []): void {
    for (const stage of stages) {
      if (stage.is === "kernel") {
        this.kernel(stage, around);
        continue;
      }
      const loop = { count: this.tripsOf(stage.header), first: this.kernels.length, end: 0 };
      this.loops.push(loop);
      const iteration = freshSymbol(`arc_${stage.header.var.name}`, LONG);
      this.add(stage.stages, [...around, { header: stage.header, iteration }]);
      loop.end = this.kernels.length;
    }
  }

  private tripsOf(header: LoopHeader): string {
    return `t${this.tripNumbers.get(keyOf(entryOf(this.of.trips, header)))}`;
  }

  private kernel(stage: Stage & { is: "kernel" }, around: readonly Around[]): void {
    const { input, spmd, lower } = this.of;
    const { task } = input;
    const counters = around.map(({ header, iteration }) =>
      declare(header.var, valueAt(header, ident(iteration))),
    );
    const body = compound([...counters, ...flat(stage.body)]);
    const { serial, numTeams, ...open } = spmd;
    const alone = serial && !stage.blocks && { serial };
    const gangs = stage.wide && numTeams && { numTeams };
    const own: Spmd = { ...open, ...alone, ...gangs, privates: stage.privates, body };
    const { groups: _, ...one } = input.model;
    const name = `${task.region}_${this.kernels.length}`;
    const part: Task = {
      ...task,
      region: name,
      items: [...task.items, ...this.items],
      body: extStmt(own, task.body.span),
    };
    const params = around.map(
      ({ iteration }, n): KernelParam => ({
        sym: iteration,
        pointer: false,
        source: { from: "launch", expr: `n${n}` },
      }),
    );
    const lowered = lower({
      ...input,
      model: stage.wide ? input.model : one,
      task: part,
      functions: called(input.functions, body),
      stage: {
        params: [...params, ...(stage.blocks?.params ?? [])],
        trips: new Set(this.tripNumbers.keys()),
        most: new Map([...this.of.most].map(([h, e]) => [keyOf(tripCount(h)), e])),
        groupMemory: stage.blocks?.groupMemory ?? [],
        ...(stage.blocks?.grid !== undefined && { grid: stage.blocks.grid }),
        ...(stage.blocks?.resident !== undefined && { resident: stage.blocks.resident }),
      },
    });
    if (stage.blocks) this.ofBlocks.push(...lowered.kernels);
    this.take(lowered);
  }

  /** Whether groups have the number of items that the code of scans was generated for. */
  areTogether(items: number): boolean {
    return this.ofBlocks.every(({ group: [x, y] }) => x * y === items);
  }

  private take(lowered: LoweredRegion): void {
    const [first] = lowered.kernels;
    if (!first) return;
    const numbers = lowered.trips.map((e) => this.tripNumbers.get(keyOf(e)));
    const [x, y] = first.grid;
    const here = (text: string): string => {
      const ofTrips = text.replace(/\bt(\d+)\b/g, (_, n) => `t${numbers[Number(n)]}`);
      // `gx` and `gy` otherwise stand for the grid of the region's first kernel.
      const words = ofTrips.split(" ").map((w) => (w === "gx" ? here(x) : w === "gy" ? here(y) : w));
      return words.join(" ");
    };
    const from = this.scratch.length;
    this.scratch.push(...lowered.scratch.map(here));
    this.functions.push(...lowered.functions);
    this.remarks.push(...(lowered.remarks ?? []));
    this.kernels.push(
      ...lowered.kernels.map((k) => ({
        ...k,
        grid: [here(k.grid[0]), here(k.grid[1])] as const,
        params: k.params.map((p) => ({ ...p, source: this.source(p.source, from, here) })),
      })),
    );
  }

  private source(source: ParamSource, scratch: number, here: (text: string) => string): ParamSource {
    if (source.from === "launch") return { ...source, expr: here(source.expr) };
    if (source.from === "scratch") return { ...source, index: source.index + scratch };
    const held = source.from === "argument" ? this.placeOf(source.argument.sym) : -1;
    return held < 0 ? source : { from: "scratch", index: held };
  }

  private placeOf(sym: Symbol): number {
    return this.of.handedOn.findIndex((h) => h.sym === sym);
  }

  region(stages: readonly Stage[], scans: readonly ScanLoop[]): LoweredRegion {
    const { task, globals = [], model } = this.of.input;
    const { loc, what } = task.site;
    const repeats = stages.flatMap((s) => (s.is === "repeat" ? [s] : []));
    const region: LoweredRegion = {
      region: regionName(task),
      site: { file: loc.file, line: loc.line, what },
      functions: this.functions,
      kernels: this.kernels,
      loops: this.loops,
      arguments: argumentsOf(task),
      globals,
      scratch: this.scratch,
      trips: this.trips,
      remarks: [
        ...repeats.map((s) => repeated(s)),
        ...scans.map((s) => scanByBlocks(s)),
        ...(repeats.length + scans.length === 0 ? [inStages(loc, stages.length)] : []),
        ...this.remarks,
      ],
    };
    const joined = model.lastGroup ? withTails(region, model.lastGroup) : undefined;
    const [at = { loc }] = [...repeats, ...scans];
    if (!joined?.tails) return region;
    return {
      ...joined.region,
      remarks: [...(region.remarks ?? []), goesOn(at.loc, joined.tails, model.lastGroup?.onSome)],
    };
  }
}

function repeated(stage: Stage & { is: "repeat" }): Diagnostic {
  const kernels = (s: Stage): number =>
    s.is === "kernel" ? 1 : s.stages.reduce((n, inner) => n + kernels(inner), 0);
  const n = kernels(stage);
  return {
    severity: "note",
    code: "repeated-by-host",
    loc: stage.loc,
    message: `the launch repeats this loop: each iteration starts ${n} kernel${n === 1 ? "" : "s"}, one after the other`,
    remedy: "say num_gangs(1) to have one group run the region by itself",
  };
}

const inStages = (loc: Loc, kernels: number): Diagnostic => ({
  severity: "note",
  code: "one-after-the-other",
  loc,
  message:
    kernels === 1
      ? "one group runs the region, as its loops are short and need each other's results"
      : `the launch starts ${kernels} kernels one after the other, as loops of the region need each other's results`,
});

function goesOn(loc: Loc, tails: number, onSome = false): Diagnostic {
  return {
    severity: "note",
    code: "last-group",
    loc,
    message: `${tails === 1 ? "a kernel of one group is" : `${tails} kernels of one group are`} run by the last group of the kernel in front, where that has few groups${onSome ? " and the device is NVIDIA's" : ""}`,
  };
}

/** A region's variable, as kernels see mapped variables. */
function handedItem(sym: Symbol, loc: Loc): DataItem {
  return {
    sym,
    own: true,
    object: ident(sym),
    section: [],
    written: sym.name,
    sharing: { is: "shared", vis: "implicit" },
    mapping: { is: "present", vis: "implicit" },
    access: "read-write",
    loc,
  };
}

/** The functions that the code calls, callees first. */
function called(
  functions: ReadonlyMap<Symbol, DeviceFunction>,
  body: Stmt,
): ReadonlyMap<Symbol, DeviceFunction> {
  const reached = new Set<Symbol>();
  const open = [...usesOf(body).calls.keys()];
  for (let sym = open.pop(); sym; sym = open.pop()) {
    const f = functions.get(sym);
    if (!f || reached.has(sym)) continue;
    reached.add(sym);
    open.push(...usesOf(f.def.body).calls.keys());
  }
  return new Map([...functions].filter(([sym]) => reached.has(sym)));
}
