/**
 * Measurements that `arc bench` and `arc explore` stored for the present programs: times of runs, kernels and transfers.
 */
import type { VariantPlan } from "../../../rules/plan/variant.ts";
import { countOperations } from "../../../rules/steps/operation-counts.ts";
import { inputDigests } from "../../bench/bench.ts";
import { type Measurement, measurementKey, readMeasurements } from "../../bench/measurements.ts";
import { summarise } from "../../bench/statistics.ts";
import { inputText } from "../../project/results.ts";
import type { Workspace } from "../../project/workspace.ts";
import type { MeasuredRun } from "./page-data.ts";

/** Excludes runs that were not measured, or only with another program, input, device or driver. */
export async function measuredRuns(
  { engine, project, settings, plan }: Workspace,
  addresses: ReadonlySet<string>,
): Promise<readonly MeasuredRun[]> {
  const inputs = project.runs.map((run) => ({ run, digests: inputDigests(project.root, run) }));
  const variants = plan.variants.filter(({ address }) => addresses.has(address));
  const measured = variants.flatMap((variant) =>
    inputs.flatMap(({ run, digests }) => {
      const key = measurementKey(engine, variant, run, digests);
      const all = key === undefined ? [] : readMeasurements(settings.store, key);
      return all.length === 0 ? [] : [measuredRun(variant, run.name, all)];
    }),
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

function measuredRun({ address }: VariantPlan, run: string, all: readonly Measurement[]): MeasuredRun {
  const of = (pick: (one: Measurement) => number | undefined) =>
    summarise(all.flatMap((one) => pick(one) ?? []));
  const program = of(({ seconds }) => seconds);
  const launches = of((one) => one.launches);
  const transfers = of((one) => one.transfers);
  const rows = all.findLast((one) => one.rows !== undefined)?.rows;
  return {
    variant: address,
    run,
    ...(program && { program }),
    ...(launches && { launches }),
    ...(transfers && { transfers }),
    ...(rows && { rows }),
  };
}
