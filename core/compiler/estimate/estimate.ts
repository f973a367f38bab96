/** Estimates what a program's kernels take on an FPGA in time and area, without a vendor's report. */

import type { Assignment } from "../../../schema/document/axis.ts";
import { launchTrips } from "../../../targets/shared/loops/trips.ts";
import { chooseGeometry } from "../../../targets/shared/lower/geometry/choose.ts";
import { dataPaths } from "../../../targets/shared/lower/pipelines.ts";
import { deviceFunctions, type Linkage } from "../../ir/analysis/routines.ts";
import type { DeviceProfile } from "../../ir/model/device-profile.ts";
import type { Task } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { regionName, spmdOf } from "../../ir/model/region.ts";
import { regionReductions } from "../../ir/normalise/complete.ts";
import { tasksOf } from "../../ir/normalise/normalise.ts";
import { pipelineOf } from "../../ir/pipeline/build.ts";
import type { Pipeline } from "../../ir/pipeline/pipeline.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { fusions } from "../driver/fused.ts";
import { afterModel } from "../passes/model.ts";
import { runPasses } from "../passes/pipeline.ts";
import { isSingle } from "../passes/rewrite/region.ts";
import {
  clockOf,
  type LoopFigures,
  plus,
  type Replication,
  type Resources,
  resourcesOf,
  secondsOf,
  shareOf,
  workOf,
} from "./kernel.ts";
import { type Launch, launchesOf } from "./launches.ts";
import { Table } from "./table.ts";

/** A kernel as hardware, before any size is known. */
export interface Design {
  readonly region: string;
  /** Earlier regions that it replaces. */
  readonly before: readonly string[];
  readonly function: string;
  readonly site: { readonly file: string; readonly line: number };
  readonly model: "nd" | "swi";
  readonly replication: Replication;
  readonly pipeline: Pipeline;
  /** Number of launches that one launch of the kernel may stand for. */
  readonly steps: number;
}

/** A source's regions after the passes, without those that a pass refuses. */
export function designsOf(
  program: Program,
  linkage: Linkage,
  choose: (name: string, ordinal: number) => Assignment,
  device: DeviceProfile,
  inOrder = false,
): readonly Design[] {
  const ordinals = new Map<Symbol, number>();
  const choices = new Map<Task, Assignment>();
  const tasks = tasksOf(program);
  for (const { task, function: sym } of tasks) {
    const ordinal = (ordinals.get(sym) ?? 0) + 1;
    ordinals.set(sym, ordinal);
    choices.set(task, choose(sym.name, ordinal));
  }
  const choiceOf = (task: Task): Assignment => choices.get(task) ?? {};
  const { groups } = fusions(program, {
    chosen: (task) => afterModel({ task, choice: choiceOf(task), device, inOrder }),
    requested: (task) => choiceOf(task).fuse === true,
    images: new Map(),
    joined: (task) => task.items.some((item) => item.mapping.pipe !== undefined),
  });
  const designs = new Map<string, Design>();
  for (const { task: origin, function: sym } of tasks) {
    const group = groups.get(origin);
    const merged = group?.task ?? origin;
    const region = regionName(merged);
    if (designs.has(region)) continue;
    const choice = group ? { ...choiceOf(origin), "time-steps": 1 } : choiceOf(origin);
    const { task, diagnostics } = runPasses(merged, choice, device, inOrder);
    if (diagnostics.length > 0) continue;
    const before = group?.origins.slice(0, -1).map((t) => regionName(t)) ?? [];
    designs.set(region, { ...designOf(task, region, sym.name, program, linkage), before });
  }
  return [...designs.values()];
}

function designOf(
  task: Task,
  region: string,
  name: string,
  program: Program,
  linkage: Linkage,
): Omit<Design, "before"> {
  const spmd = spmdOf(task);
  const single = isSingle(task);
  const { functions } = deviceFunctions(program, spmd.body, linkage);
  const pipeline = pipelineOf({
    body: spmd.body,
    single,
    privates: spmd.privates,
    functions: new Map([...functions].map(([sym, f]) => [sym, f.def])),
  });
  const { loc } = task.site;
  return {
    region,
    function: name,
    site: { file: loc.file, line: loc.line },
    model: single ? "swi" : "nd",
    replication: replicationOf(task, single),
    pipeline,
    steps: spmd.hints?.steps?.most ?? 1,
  };
}

/** Lock-step execution needs work-items without a loop around them: others enter one after the other. */
function replicationOf(task: Task, single: boolean): Replication {
  if (single) return { simd: 1, computeUnits: 1, items: 1, once: false };
  const spmd = spmdOf(task);
  const { coverage, items } = chooseGeometry(
    spmd,
    dataPaths,
    launchTrips(spmd),
    regionReductions(spmd).length > 0,
  );
  const { simd = 1, computeUnits = 1 } = spmd.hints ?? {};
  const once = coverage !== "rounds";
  return { simd: once ? simd : 1, computeUnits, items: items[0] * items[1], once };
}

export interface KernelEstimate {
  readonly region: string;
  readonly function: string;
  readonly file: string;
  readonly line: number;
  readonly model: "nd" | "swi";
  readonly simd: number;
  readonly computeUnits: number;
  /** Without the board's own logic. */
  readonly resources: Resources;
  readonly runs: readonly RunEstimate[];
  /** Figures without a public source, and sizes that are unknown, which were assumed. */
  readonly assumed: readonly string[];
}

/** One kernel in one run of the program. */
interface RunEstimate {
  readonly run: string;
  readonly launches: number;
  /** Seconds of all launches. */
  readonly seconds: number;
  readonly bound: "pipeline" | "memory";
  /** Bytes moved to and from the board's memory by all launches. */
  readonly bytes: number;
  /** Loops of the first launch. */
  readonly loops: readonly LoopEstimate[];
  readonly assumed: readonly string[];
}

export interface LoopEstimate {
  readonly line: number;
  readonly trips: number;
  readonly ii: number;
  readonly limit?: {
    readonly through: readonly string[];
    readonly line: number;
    readonly latency: number;
    readonly distance: number;
    /** Whether the accesses really conflict is unknown. */
    readonly possible?: true;
  };
}

export interface Estimate {
  readonly device: string;
  /** Clock of the design with all kernels, in MHz. */
  readonly clock: number;
  /** All kernels and the board's own logic. */
  readonly resources: Resources;
  readonly available: Resources;
  /** Share of the scarcest resource. */
  readonly share: number;
  readonly kernels: readonly KernelEstimate[];
  readonly assumed: readonly string[];
}

export interface SizedRun {
  readonly name: string;
  readonly args: readonly string[];
}

/** All kernels share one clock. */
export function estimate(
  designs: readonly Design[],
  programs: readonly Program[],
  runs: readonly SizedRun[],
  device: DeviceProfile,
): Estimate {
  const table = new Table(device);
  const launches = runs.map((run) => ({ run: run.name, launches: launchesOf(programs, run.args) }));
  const areas = designs.map((design) => {
    const own = new Table(device);
    return { design, own, resources: resourcesOf(design.pipeline, design.replication, own) };
  });
  const used = areas.reduce<Resources>(
    (sum, { resources }) => plus(sum, resources),
    plus(table.areas("shell"), {}),
  );
  const mhz = clockOf(used, table);
  const kernels = areas.map(({ design, own, resources }): KernelEstimate => {
    const runEstimates = launches.map(({ run, launches: all }) => runOf(design, run, all, mhz, own));
    const { region, function: name, site, model, replication } = design;
    return {
      region,
      function: name,
      ...site,
      model,
      simd: replication.simd,
      computeUnits: replication.computeUnits,
      resources: rounded(resources),
      runs: runEstimates,
      assumed: [...own.assumed].sort(),
    };
  });
  const { source: _, ...available } = table.areas("resources");
  return {
    device: device.name,
    clock: mhz,
    resources: rounded(used),
    available,
    share: shareOf(used, table),
    kernels,
    assumed: [...table.assumed].sort(),
  };
}

function runOf(
  { region, before, pipeline, replication, steps }: Design,
  run: string,
  all: readonly Launch[],
  mhz: number,
  table: Table,
): RunEstimate {
  const assumed = new Set<string>();
  const of = (name: string) => all.filter((launch) => launch.region === name);
  const others = before.map(of);
  // The last launch starts it, with the arguments of all.
  const own = of(region).map((launch, k) => ({
    ...launch,
    values: new Map([...others.flatMap((list) => [...(list[k]?.values ?? [])]), ...launch.values]),
  }));
  let [seconds, bytes, launches] = [0, 0, 0];
  let slowest: { seconds: number; bound: RunEstimate["bound"] } | undefined;
  let loops: readonly LoopFigures[] | undefined;
  if (steps > 1) assumed.add("launches that take turns with two arrays");
  for (const { count: launchCount, values, assumed: host } of own) {
    const count = Math.ceil(launchCount / steps);
    const work = workOf(pipeline, replication, values, table, (what) => assumed.add(what));
    const one = secondsOf(work, mhz, table);
    seconds += count * one.seconds;
    bytes += count * work.bytes;
    launches += count;
    loops ??= work.loops;
    if (slowest === undefined || one.seconds > slowest.seconds) slowest = one;
    for (const what of host) assumed.add(what);
  }
  return {
    run,
    launches,
    seconds,
    bound: slowest?.bound ?? "pipeline",
    bytes,
    loops: (loops ?? []).map(({ limit, ...loop }) => ({
      ...loop,
      ...(limit && {
        limit: {
          through: limit.through,
          line: limit.loc.line,
          latency: limit.latency,
          distance: limit.distance,
          ...(limit.possible && { possible: true as const }),
        },
      }),
    })),
    assumed: [...assumed],
  };
}

const rounded = ({ aluts, ffs, dsps, rams }: Resources): Resources => ({
  aluts: Math.round(aluts),
  ffs: Math.round(ffs),
  dsps: Math.round(dsps),
  rams: Math.round(rams),
});
