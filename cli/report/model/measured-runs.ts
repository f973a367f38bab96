/**
 * Measurements that `arc bench` and `arc explore` stored for the present programs: times of runs, kernels and transfers.
 */
import type { Engine } from "../../../core/build/engine-interface.ts";
import type { Digest } from "../../../core/build/model/action.ts";
import type { VariantPlan } from "../../../rules/plan/variant.ts";
import { countOperations } from "../../../rules/steps/operation-counts.ts";
import type { Run } from "../../../schema/contract/project.ts";
import { inputDigests } from "../../bench/bench.ts";
import { differingOf, settingsOf } from "../../bench/compared-results.ts";
import { benchedEnergy, energySourceOf } from "../../bench/device-energy.ts";
import { devicesOf, type Measurement, measurementKey, readMeasurements } from "../../bench/measurements.ts";
import { summarise } from "../../bench/statistics.ts";
import { inputText } from "../../project/results.ts";
import type { Workspace } from "../../project/workspace.ts";
import type { MeasuredRun } from "./page-data.ts";
import type { BenchedRun } from "./totals.ts";

/** What was measured of the run that reports are about: the first that is compared, or else the first there is. */
export function benchedRuns({
  engine,
  project,
  settings,
}: Pick<Workspace, "engine" | "project" | "settings">): (variant: VariantPlan) => BenchedRun {
  const run = project.runs.find(({ name }) => name === project.verify.runs[0]) ?? project.runs[0];
  if (run === undefined) return () => ({});
  const inputs = inputsOf(project);
  return (variant) => {
    const measured = inputs.flatMap((one) => measuredRun(engine, settings.store, variant, one) ?? []);
    const { program, energy } = measured.find((one) => one.run === run.name) ?? {};
    const differing = measured.flatMap((one) =>
      one.differing === undefined ? [] : [{ run: one.run, ...one.differing }],
    );
    return {
      ...(differing.length > 0 && { differing }),
      ...(program && { seconds: program.median }),
      ...(energy && "by" in energy && { energy }),
    };
  };
}

/** Excludes runs that were not measured, or only with another program, input, device or driver. */
export async function measuredRuns(
  { engine, project, settings, plan }: Workspace,
  addresses: ReadonlySet<string>,
): Promise<readonly MeasuredRun[]> {
  const inputs = inputsOf(project);
  const variants = plan.variants.filter(({ address }) => addresses.has(address));
  const measured = variants.flatMap((variant) =>
    inputs.flatMap((one) => measuredRun(engine, settings.store, variant, one) ?? []),
  );
  const watched = measured.find(({ rows }) => rows !== undefined);
  if (watched === undefined) return measured;
  // A region performs the same operations in every variant, so one variant's sources are enough.
  const { actions = [] } = variants.find(({ address }) => address === watched.variant) ?? {};
  const counted = await countOperations(actions, project.runs, inputText(engine));
  return measured.map((one) => {
    const own = counted.filter(({ run }) => run === one.run);
    const assumed = [...new Set(own.flatMap((region) => region.assumed))];
    if (own.length === 0 || one.rows === undefined) return one;
    const operations = Object.fromEntries(own.map((region) => [region.region, region.operations]));
    return { ...one, operations, ...(assumed.length > 0 && { assumed }) };
  });
}

/** A run, with what decides which measurements are of it and how their results are compared. */
interface RunInputs {
  readonly run: Run;
  readonly digests: readonly Digest[];
  readonly settings: Digest;
}

const inputsOf = ({ root, runs, verify }: Workspace["project"]): readonly RunInputs[] =>
  runs.map((run) => ({ run, digests: inputDigests(root, run), settings: settingsOf(verify, run) }));

/** Undefined if nothing was measured of it. */
function measuredRun(
  engine: Engine,
  store: string,
  variant: VariantPlan,
  { run, digests, settings }: RunInputs,
): MeasuredRun | undefined {
  const key = measurementKey(engine, variant, run, digests);
  const all = key === undefined ? [] : readMeasurements(store, key);
  if (all.length === 0) return undefined;
  const of = (pick: (one: Measurement) => number | undefined) =>
    summarise(all.flatMap((one) => pick(one) ?? []));
  const program = of(({ seconds }) => seconds);
  const launches = of((one) => one.launches);
  const transfers = of((one) => one.transfers);
  const differing = differingOf(all, settings);
  const rows = medianOf(all.filter((one) => one.rows !== undefined))?.rows;
  return {
    variant: variant.address,
    run: run.name,
    ...(program && { program }),
    ...(launches && { launches }),
    ...(transfers && { transfers }),
    ...(differing && { differing }),
    ...(rows && { rows }),
    energy: benchedEnergy(all, energySourceOf(devicesOf(engine, variant) ?? [])),
  };
}

/** Of the runs with device profiling the one in the middle by its time in launches: the table has their median. */
function medianOf(watched: readonly Measurement[]): Measurement | undefined {
  const sorted = [...watched].sort((a, b) => (a.launches ?? 0) - (b.launches ?? 0));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
