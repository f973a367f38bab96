/** `arc bench`: builds programs, runs each repeatedly, one at a time, and reports how long they take. */

import { addressOf } from "../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import type { Project, Run } from "../../schema/contract/project.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { type Benched, benchVariant, LeftOut, WrongRun } from "../bench/bench.ts";
import { differingWords } from "../bench/compared-results.ts";
import { energyCells, energyColumns } from "../bench/device-energy.ts";
import { serialResults } from "../bench/expected-results.ts";
import { devicesOf } from "../bench/measurements.ts";
import { runNamed } from "../bench/run-named.ts";
import { type Summary, spreadOf } from "../bench/statistics.ts";
import { buildWorkspace } from "../build/build.ts";
import { buildStatus } from "../build/outcome.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { refuseUnknownTargets } from "../project/unknown-target.ts";
import { loadIfThere, type Workspace, withWorkspace } from "../project/workspace.ts";
import { fitted, withoutEmptyColumns } from "../show/fit.ts";
import { duration, plural } from "../show/words.ts";
import { statusLine } from "../ui/status-line.ts";

export function run(call: Call): Promise<Status> {
  const project = loadIfThere(call);
  const runs = project?.runs.map(({ name }) => name) ?? [];
  // The last argument is a run if a run has this name and no target does.
  const last = call.positionals.at(-1);
  const isRun =
    last !== undefined && runs.includes(last) && !project?.targets.some(({ name }) => name === last);
  const addresses = isRun ? call.positionals.slice(0, -1) : call.positionals;
  if (project !== undefined && last !== undefined && !isRun) refuseUnknown(last, project);
  const counts = {
    warmUp: countOf(call, "warm-up", 1),
    repetitions: countOf(call, "repetitions", 10),
    watched: countOf(call, "watched", 3),
  };
  return withWorkspace(call, addresses, async (workspace) => {
    refuseUnknownTargets(addresses, workspace.project, workspace.plan.variants);
    const chosen = runNamed(workspace.project, isRun ? last : undefined);
    const variants = workspace.plan.variants.filter((variant) => measurable(variant, call));
    if (variants.length === 0)
      throw new UsageError(
        "there is nothing to measure",
        "`arc report` has the time of hardware that is simulated or estimated: cycles at the clock that it reaches",
      );
    const goals = variants.flatMap(({ address, products, kind, target }) => [
      ...products,
      ...(kind.device(target.options).always ? [] : [addressOf(address, "device")]),
    ]);
    const result = await buildWorkspace(workspace, call, { patterns: [], goals, quiet: "if-up-to-date" });
    if (!result.ok) return buildStatus(result);
    return measure(workspace, variants, chosen, call, counts);
  });
}

async function measure(
  workspace: Workspace,
  variants: readonly VariantPlan[],
  chosen: Run,
  call: Call,
  counts: Parameters<typeof benchVariant>[4],
): Promise<Status> {
  const results: Benched[] = [];
  const serial = await serialResults(workspace, chosen, call.signal);
  const line = statusLine(call);
  let failed = false;
  for (const variant of variants) {
    const reason = devicesOf(workspace.engine, variant)?.find(({ name }) => name === undefined)?.reason;
    if (reason !== undefined) {
      call.err(`arc: ${variant.address} is left out: ${reason}\n`);
      continue;
    }
    try {
      const begins = (run: number, of: number): void =>
        line.show(`measuring ${variant.address}, ${chosen.name}: run ${run} of ${of}`);
      results.push(await benchVariant(workspace, variant, chosen, call, counts, serial, begins));
    } catch (error) {
      line.clear();
      if (call.signal.aborted) {
        call.err("arc: interrupted; what was measured is kept\n");
        break;
      }
      if (!(error instanceof WrongRun || error instanceof LeftOut)) throw error;
      failed ||= error instanceof WrongRun;
      call.err(`arc: ${error.message}\n`);
    }
  }
  line.clear();
  call.out(
    call.options.json === true
      ? `${JSON.stringify({ type: "measurements", results })}\n`
      : table(results, call.outColumns()),
  );
  if (results.some(({ launches }) => launches !== undefined)) call.err(`arc: ${otherRuns(results)}\n`);
  for (const [why, variants] of withoutEnergy(results))
    call.err(`arc: the energy of ${variants.join(", ")} is not known: ${why}\n`);
  for (const { variant, run, differing } of results)
    if (differing) call.err(`arc: ${variant}, ${run}: ${differingWords(differing)}\n`);
  return call.signal.aborted
    ? status.interrupted
    : failed || results.length === 0 || results.some(({ differing }) => differing !== undefined)
      ? status.failed
      : status.done;
}

/** Says which runs the device's times are of, as watching a device costs time. */
function otherRuns(results: readonly Benched[]): string {
  const counts = [...new Set(results.flatMap(({ launches }) => launches?.count ?? []))];
  const of =
    counts.length === 1
      ? plural(counts[0] ?? 0, "run")
      : `${Math.min(...counts)} to ${Math.max(...counts)} runs`;
  const energy = results.some((one) => "by" in one.energy && one.energy.by === "NVML") ? " and energy" : "";
  return `launches${energy === "" ? " and" : ","} transfers${energy} are medians of ${of} with device profiling, and not of those that the median time is of`;
}

/** Reasons, each with the variants of which it is true. */
function withoutEnergy(results: readonly Benched[]): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>();
  for (const { variant, energy } of results)
    if ("missing" in energy) reasons.set(energy.missing, [...(reasons.get(energy.missing) ?? []), variant]);
  return reasons;
}

/** The last argument is neither a run nor an address: it may be meant as either. */
function refuseUnknown(word: string, { targets, runs }: Project): void {
  const target = word.replace(/[:/#].*/, "");
  if (/[*?]/.test(target) || targets.some(({ name }) => name === target)) return;
  const names = [...runs, ...targets].map(({ name }) => name);
  const near = nearest(word, names);
  throw new UsageError(
    `no run or target is called ${word}`,
    near === undefined
      ? `there are the runs ${runs.map(({ name }) => name).join(", ") || "(none)"}, and the targets ${targets.map(({ name }) => name).join(", ")}`
      : `did you mean ${near}?`,
  );
}

/** Simulated variants cannot be measured: a simulator's run time says nothing about the hardware. */
function measurable({ address, kind, target }: VariantPlan, call: Call): boolean {
  if (kind.device(target.options).counts === undefined) return true;
  call.err(
    `arc: ${address} is simulated: its time is cycles at the clock that it reaches, and its energy that of a model; \`arc report\` has both\n`,
  );
  return false;
}

function countOf({ options }: Call, name: string, otherwise: number): number {
  const value = options[name];
  if (value === undefined) return otherwise;
  if (/^\d{1,6}$/.test(String(value)) && (name !== "repetitions" || Number(value) > 0)) return Number(value);
  throw new UsageError(
    `--${name} ${String(value)} is no number of runs`,
    `write a whole number, such as --${name} 5`,
  );
}

function table(results: readonly Benched[], width: number): string {
  if (results.length === 0) return "";
  const header = [
    "variant",
    "run",
    "runs",
    "median",
    "between (95 %)",
    "spread",
    "least",
    "launches",
    "transfers",
    ...energyColumns,
    "results",
  ];
  return fitted(
    withoutEmptyColumns([
      header,
      ...results.map(({ variant, run: name, program, launches, transfers, energy, differing }) => [
        variant,
        name,
        String(program.count),
        duration(program.median),
        program.interval === undefined ? "" : program.interval.map(duration).join(" and "),
        spreadText(program),
        duration(program.least),
        launches === undefined ? "" : duration(launches.median),
        transfers === undefined ? "" : duration(transfers.median),
        ...energyCells("missing" in energy ? undefined : energy),
        differing === undefined ? "" : `differ in ${differing.runs} of ${differing.of}`,
      ]),
    ]),
    width,
  );
}

const spreadText = (summary: Summary): string => {
  const spread = spreadOf(summary);
  return spread === undefined ? "" : `${(100 * spread).toFixed(1)} %`;
};
