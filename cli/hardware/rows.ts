/**
 * Data about kernels as hardware, from any source: arc's own schedule, place and route, a vendor's report, an estimate.
 */

import type { Engine } from "../../core/build/engine-interface.ts";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Address, Digest } from "../../core/build/model/action.ts";
import { firstOf, itemAt } from "../../core/checked/access.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import type { Estimate, KernelEstimate, LoopEstimate } from "../../core/compiler/estimate/estimate.ts";
import { addressOf, runAddress } from "../../rules/inputs/addresses.ts";
import { imageGroups } from "../../rules/inputs/kernel-sources.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { estimateAddress, estimateName } from "../../rules/steps/estimate.ts";
import { trialStage } from "../../rules/steps/kernels/bitstream-flow.ts";
import { launchEnergy, type Power } from "../../rules/steps/kernels/energy.ts";
import type {
  CriticalPath,
  LoopReport,
  LoopSchedule,
  Report,
  Rescheduled,
  Resources,
} from "../../rules/steps/kernels/hardware.ts";
import { hardwareAddress, hardwareReport, readerFiles } from "../../rules/steps/kernels/hardware.ts";
import { allKernels, kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { vendorReportOf } from "../../rules/steps/kernels/report.ts";
import {
  type DesignFacts,
  factsFile,
  rescheduledFile,
  settleAddress,
} from "../../rules/steps/kernels/settle.ts";
import { type Synthesis, synthesisAddress, synthesisName } from "../../rules/steps/kernels/synthesis.ts";
import { countsName } from "../../rules/steps/run.ts";
import { explanation, linesOf, resultAt, resultOf, textOf } from "../project/results.ts";
import { functionOf, kernelNames, type NamedKernel } from "./names.ts";

export interface HardwareRow {
  /** `target:variant`. */
  readonly variant: Address;
  readonly kind: string;
  readonly region: string;
  /** Name for display, from arc.yaml's `kernels` or the function: `find_edges (src/edges.c:11)`. */
  readonly kernel: string;
  /** Source of the figures for area and clock. */
  readonly from: "schedule" | "estimate" | "report" | "synthesis" | "layout";
  readonly loops: readonly HardwareLoop[];
  /** Cycles of a launch: counted in the simulation of a run, or predicted for an ideal memory. */
  readonly cycles?: {
    readonly value: number;
    readonly from: "run" | "predicted";
    readonly launches?: number;
  };
  /** In MHz. */
  readonly clock?: number;
  readonly resources: Resources;
  /** Share of the device in percent. */
  readonly percent: Resources;
  readonly wrapper?: Resources;
  /** Duration of a launch: cycles divided by the clock. */
  readonly seconds?: number;
  /** Joules of a launch, by the model of the part. */
  readonly energy?: number;
  /** Number of launches in the estimated run. */
  readonly launches?: number;
  readonly critical?: CriticalPath;
  readonly rescheduled?: Rescheduled;
  readonly lines?: Report["lines"];
  /** A missing tool, and how to get it; without it no more is known. */
  readonly lacks?: string;
  /** For a vendor's kernel: resources of its netlist by open tools, for a part that stands in for the vendor's. */
  readonly counted?: { readonly part: string; readonly resources: Resources };
  /** Seconds that the tools took; for a cached result, when it was made. */
  readonly tools?: number;
  /** What this build did. */
  readonly how?: How;
  /** Why nothing more is known. */
  readonly failure?: string;
}

export interface HardwareLoop {
  /** `src/edges.c:13`, or the vendor's name of the loop. */
  readonly place: string;
  readonly ii?: number;
  readonly limit?: string;
  readonly trips?: number;
  /** Cycles that each execution needs to fill and drain; present if the loop is executed repeatedly. */
  readonly fill?: number;
  /** Present if arc scheduled the loop. */
  readonly schedule?: LoopSchedule;
}

/** Replacer for `JSON.stringify`: schedules have hundreds of operations each and are meant for the HTML page. */
export const withoutSchedules = (key: string, value: unknown): unknown =>
  key === "schedule" ? undefined : value;

export type How = "built" | "cached" | "shared" | "up to date";

interface HardwareRequest {
  /** Runs of arc.yaml: the first that was simulated counts. */
  readonly runs: readonly string[];
  /** Names of kernels in arc.yaml. */
  readonly names: readonly NamedKernel[];
  /** What a build did, by action. */
  readonly how: ReadonlyMap<Address, How>;
}

/** Everything known about a variant's kernels as hardware; empty for kinds that make none. */
export async function hardwareRows(
  engine: Engine,
  { address: variant, kind, target }: VariantPlan,
  { runs, names, how }: HardwareRequest,
): Promise<readonly HardwareRow[]> {
  if (kind.readReport === undefined) return [];
  const kernels = resultOf<TranslatedKernel[]>(engine, kernelsAddress(variant), allKernels) ?? [];
  const estimate = resultOf<Estimate>(engine, estimateAddress(variant), estimateName);
  const synthesis = resultOf<Synthesis>(engine, synthesisAddress(variant), synthesisName);
  const counts = countsOf(engine, variant, runs);
  const called = kernelNames(kernels, names);
  const rows = kernels.map(async (kernel): Promise<readonly HardwareRow[]> => {
    const { region, facts, site, toolNames = {} } = kernel;
    const estimated = estimate?.kernels.find((k) => k.region === region);
    const name = called.get(region) ?? estimated?.function ?? functionOf(region);
    const head = { variant, kind: target.kind, region, kernel: `${name} (${site.file}:${site.line})` };
    if (facts !== undefined) {
      const made = { variant, kind, target, kernel, facts, counted: counts.get(toolNames[region] ?? region) };
      return [{ ...head, ...(await scheduledFigures(engine, made, how)) }];
    }
    const [vendor, address] = vendorOf(engine, variant, imageName(kernels, kernel), region);
    const netlist = synthesis?.kernels.find((k) => k.region === region)?.report;
    if (estimated === undefined && vendor === undefined && netlist === undefined) return [];
    return [
      {
        ...head,
        ...vendorFigures(estimate, estimated, vendor, netlist),
        ...toolsOf(engine, address, how),
        ...(synthesis && netlist && { counted: { part: synthesis.part, resources: netlist.resources } }),
      },
    ];
  });
  return (await Promise.all(rows)).flat();
}

interface ScheduledKernel extends Pick<VariantPlan, "kind" | "target"> {
  readonly variant: Address;
  readonly kernel: TranslatedKernel;
  readonly facts: DesignFacts;
  /** By simulated runs. */
  readonly counted: Counted | undefined;
}

/** What is known of a kernel that arc scheduled itself. */
async function scheduledFigures(
  engine: Engine,
  { variant, kind, target, kernel, facts, counted }: ScheduledKernel,
  how: HardwareRequest["how"],
): Promise<Omit<HardwareRow, "variant" | "kind" | "region" | "kernel">> {
  const { fabric: stages = [], extension, available, power } = kind.toolchain(target.options);
  const address = `${variant}/${kernel.region}`;
  const draft = digestBytes(kernel.text);
  const settled = settledIn(engine, address, `kernel.${extension}`, draft);
  // Results for an earlier text say nothing about this one.
  const ran = (names: readonly Address[], text: Digest): readonly Address[] =>
    names[0] !== undefined && hasRead(engine, names[0], text) ? names : [];
  const tried = ran(
    stages.map((stage) => addressOf(address, trialStage(stage.name))),
    draft,
  );
  const laidOut = ran(
    stages.map((stage) => addressOf(address, stage.name)),
    settled?.text ?? draft,
  );
  // If the first schedule passed its trial, that trial is the final place and route, and all that `arc verify` needs.
  const ofTrial = async (): Promise<Report | undefined> => {
    if (tried.length === 0 || settled?.text !== draft) return undefined;
    const files = Object.entries(readerFiles({ ...kernel, facts: settled.facts }, available));
    const reports = stages.flatMap((stage, k) => reportsOf(engine, itemAt(tried, k), stage.reports));
    return kind.readReport?.(new Map([...files, ...reports]));
  };
  const report =
    (laidOut.length === 0 ? undefined : resultOf<Report>(engine, hardwareAddress(address), hardwareReport)) ??
    (await ofTrial());
  const rescheduled = settled?.rescheduled && { rescheduled: settled.rescheduled };
  const asScheduled = {
    ...facts,
    ...settled?.facts,
    ...rescheduled,
    resources: {},
    percent: {},
    problems: [],
  };
  const own = figures(report ?? asScheduled, counted);
  return {
    ...own,
    ...(power && energyBy(power, own)),
    from: report === undefined ? "schedule" : report.only === "synthesis" ? "synthesis" : "layout",
    ...toolsOfStages(engine, [...tried, ...laidOut], how),
  };
}

/** Only of a design whose cells, cycles and clock are all known. */
function energyBy(
  power: Power,
  { resources: { lcs }, cycles, seconds }: Pick<HardwareRow, "resources" | "cycles" | "seconds">,
): Pick<HardwareRow, "energy"> {
  if (lcs === undefined || cycles === undefined || seconds === undefined) return {};
  return { energy: launchEnergy(power, lcs, cycles.value, seconds) };
}

/** How long the tools of a kernel's stages took, what the build did, and why a stage failed. */
function toolsOfStages(
  engine: Engine,
  stages: readonly Address[],
  how: HardwareRequest["how"],
): Pick<HardwareRow, "tools" | "how" | "failure"> {
  // If the first schedule stays, trial and final stage have the same result, which counts once.
  const results = stages.flatMap((address) => resultAt(engine, address) ?? []);
  const done = [...new Map(results.map((one) => [one.key, one])).values()];
  const failure = done.find((one) => one.failure !== undefined)?.failure?.message;
  const build = stages.flatMap((address) => how.get(address) ?? []);
  return {
    ...(done.length > 0 && { tools: done.reduce((sum, { seconds }) => sum + seconds, 0) }),
    ...(build.length > 0 && { how: build.find((one) => one === "built") ?? firstOf(build) }),
    ...(failure !== undefined && { failure }),
  };
}

/** The files of a stage that the kind reads. */
const reportsOf = (engine: Engine, stage: Address, names: readonly string[]): [string, string][] =>
  names.flatMap((name): [string, string][] => {
    const text = textOf(engine, stage, name);
    return text === undefined ? [] : [[name, text]];
  });

/** Result of timing closure for a kernel; undefined if it is not known for its present text. */
function settledIn(
  engine: Engine,
  kernel: Address,
  source: string,
  draft: Digest,
): { readonly text: Digest; readonly facts: DesignFacts; readonly rescheduled?: Rescheduled } | undefined {
  const address = settleAddress(kernel);
  const text = resultAt(engine, address)?.outputs.find(({ name }) => name === source)?.digest;
  if (text === undefined || !hasRead(engine, address, draft)) return undefined;
  const facts = resultOf<DesignFacts>(engine, address, factsFile);
  const rescheduled = resultOf<Rescheduled>(engine, address, rescheduledFile);
  return facts && { text, facts, ...(rescheduled && { rescheduled }) };
}

function hasRead(engine: Engine, address: Address, digest: Digest): boolean {
  return explanation(engine, address)?.parts.inputs.some((input) => input.digest === digest) ?? false;
}

function figures(
  report: Report,
  counted: Counted | undefined,
): Pick<
  HardwareRow,
  | "loops"
  | "cycles"
  | "clock"
  | "resources"
  | "percent"
  | "wrapper"
  | "seconds"
  | "critical"
  | "rescheduled"
  | "lines"
  | "lacks"
> {
  const { fmax: clock, resources, percent, wrapper, critical, rescheduled, lines, lacks } = report;
  const cycles: HardwareRow["cycles"] =
    counted !== undefined
      ? { value: counted.cycles, from: "run", launches: counted.launches }
      : report.cycles === undefined
        ? undefined
        : { value: report.cycles, from: "predicted" };
  return {
    loops: report.loops.map(loopOf),
    resources,
    percent,
    ...(cycles && { cycles }),
    ...(clock !== undefined && { clock }),
    ...(cycles && clock !== undefined && { seconds: cycles.value / (1e6 * clock) }),
    ...(wrapper && { wrapper }),
    ...(critical && { critical }),
    ...(rescheduled && { rescheduled }),
    ...(lines && { lines }),
    ...(lacks !== undefined && { lacks }),
  };
}

function loopOf({
  name,
  source,
  line,
  ii,
  details,
  trips,
  fill,
  repeated,
  schedule,
}: LoopReport): HardwareLoop {
  const place = source
    ? `${source.file}:${source.line}`
    : line === undefined
      ? name
      : `${name}, line ${line}`;
  return {
    place,
    ...(ii !== undefined && { ii }),
    ...(details !== undefined && { limit: details }),
    ...(trips !== undefined && { trips }),
    ...(repeated && fill !== undefined && { fill }),
    ...(schedule && { schedule }),
  };
}

// ---------------------------------------------------------------- vendors

/** A vendor's image may hold several kernels. */
const imageName = (kernels: readonly TranslatedKernel[], kernel: TranslatedKernel): string =>
  imageGroups(kernels, true).find((group) => group.kernels.includes(kernel))?.name ?? "";

/** The vendor's report on one kernel, else on the whole image, and the action that made it. */
function vendorOf(
  engine: Engine,
  variant: Address,
  image: string,
  region: string,
): [Report | undefined, Address] {
  for (const { address, output } of [
    vendorReportOf(variant, image, region),
    vendorReportOf(variant, image),
  ]) {
    const report = resultOf<Report>(engine, address, output);
    if (report !== undefined) return [report, address];
  }
  return [undefined, estimateAddress(variant)];
}

/** The vendor's figures where available; loops, cycles and time from the estimate, else from the open tools. */
function vendorFigures(
  estimate: Estimate | undefined,
  kernel: KernelEstimate | undefined,
  vendor: Report | undefined,
  netlist: Report | undefined,
): Omit<HardwareRow, "variant" | "kind" | "region" | "kernel"> {
  const run = kernel?.runs.find(({ launches }) => launches > 0);
  const loops =
    [vendor?.loops.map(loopOf), run?.loops.map(estimatedLoop), netlist?.loops.map(loopOf)].find(
      (list) => list !== undefined && list.length > 0,
    ) ?? [];
  const hasReport = vendor !== undefined && Object.keys(vendor.resources).length > 0;
  const own: Resources = hasReport ? vendor.resources : { ...kernel?.resources };
  const clock = vendor?.fmax ?? estimate?.clock;
  return {
    from: vendor !== undefined ? "report" : estimate !== undefined ? "estimate" : "schedule",
    loops,
    ...(clock !== undefined && { clock }),
    resources: own,
    percent: hasReport ? vendor.percent : sharesOf(own, { ...estimate?.available }),
    ...(run && { seconds: run.seconds / run.launches }),
    ...(kernel && { launches: run?.launches ?? 0 }),
  };
}

const sharesOf = (used: Resources, all: Resources): Resources =>
  Object.fromEntries(
    Object.entries(used).flatMap(([what, n]) => (all[what] ? [[what, (100 * n) / all[what]]] : [])),
  );

const estimatedLoop = ({ line, ii, trips, limit }: LoopEstimate): HardwareLoop => ({
  place: `line ${line}`,
  ii,
  trips,
  limit: limit === undefined ? "" : `${limit.through.join(", ")} (line ${limit.line})`,
});

function toolsOf(
  engine: Engine,
  address: Address,
  how: ReadonlyMap<Address, How>,
): Pick<HardwareRow, "tools" | "how"> {
  const seconds = resultAt(engine, address)?.seconds;
  const one = how.get(address);
  return { ...(seconds !== undefined && { tools: seconds }), ...(one && { how: one }) };
}

// ---------------------------------------------------------------- runs

interface Counted {
  readonly launches: number;
  /** Average per launch. */
  readonly cycles: number;
}

/** Counts of the first run that was simulated, by kernel. */
function countsOf(engine: Engine, variant: Address, runs: readonly string[]): ReadonlyMap<string, Counted> {
  for (const run of runs) {
    const lines = linesOf<{ kernel: string; cycles: number }>(engine, runAddress(variant, run), countsName);
    if (lines.length === 0) continue;
    const found = new Map<string, Counted>();
    for (const { kernel, cycles } of lines) {
      const { launches = 0, cycles: average = 0 } = found.get(kernel) ?? {};
      found.set(kernel, { launches: launches + 1, cycles: (average * launches + cycles) / (launches + 1) });
    }
    return found;
  }
  return new Map();
}
