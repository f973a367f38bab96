/** Adds up the figures of a variant's kernels. */
import type { Resources } from "../../../rules/steps/kernels/resource-words.ts";
import type { HardwareRow } from "../../hardware/rows.ts";
import type { EstimateRow } from "../../show/estimates.ts";
import type { DifferingRun, RunReport, Totals } from "./report.ts";

/** What `arc bench` measured of the run that counts: the time is a median in seconds. */
export interface BenchedRun {
  readonly seconds?: number;
  /** Of all runs of the project. */
  readonly differing?: readonly DifferingRun[];
  readonly energy?: { readonly median: number; readonly by: "RAPL" | "NVML" };
}

/**
 * Kernels run one after the other, so their times add up; each has hardware of its own, so areas and shares of the
 * device add up, too; the clock is that of the slowest kernel.
 */
export function totalsOf(
  hardware: readonly HardwareRow[],
  estimate: EstimateRow | undefined,
  runs: readonly RunReport[],
  benched: BenchedRun = {},
): Totals {
  if (hardware.length === 0) return programTotals(runs, benched);
  const { resources, percent } = estimate === undefined ? areasOf(hardware) : estimatedArea(estimate);
  const seconds = sumIfAll(hardware.map((row) => times(row.seconds, launchesOf(row))));
  const cycles = sumIfAll(hardware.map((row) => times(row.cycles?.value, launchesOf(row))));
  const energy = sumIfAll(hardware.map((row) => times(row.energy, launchesOf(row))));
  const clocks = hardware.flatMap(({ clock }) => clock ?? []);
  // arc makes estimates itself, without a tool.
  const tools = hardware.flatMap((row) => (row.from === "estimate" ? [] : (row.tools ?? [])));
  const shares = Object.values(percent);
  return {
    ...(seconds !== undefined && { seconds, from: estimate === undefined ? "cycles" : "estimate" }),
    ...(energy !== undefined && energy > 0 && { energy, energyFrom: "model" }),
    ...(cycles !== undefined && { cycles }),
    ...(clocks.length === hardware.length && { clock: Math.min(...clocks) }),
    resources,
    percent,
    ...(shares.length > 0 && { area: Math.max(...shares) }),
    ...(tools.length > 0 && { tools: tools.reduce((a, b) => a + b, 0) }),
  };
}

const areasOf = (hardware: readonly HardwareRow[]): Pick<Totals, "resources" | "percent"> => ({
  resources: sumOf(hardware.map((row) => row.resources)),
  percent: sumOf(hardware.map((row) => row.percent)),
});

/** Includes the board's own logic. The vendor's figures for all kernels together take precedence over the estimate. */
function estimatedArea({ vendor, resources, available }: EstimateRow): Pick<Totals, "resources" | "percent"> {
  const reported = vendor && Object.keys(vendor.resources).length > 0 ? vendor.resources : { ...resources };
  const capacity: Resources = { ...available };
  const shares = Object.entries(reported).flatMap(([what, n]) =>
    capacity[what] ? [[what, (100 * n) / capacity[what]]] : [],
  );
  return { resources: reported, percent: Object.fromEntries(shares) };
}

/** The time of a compared run counts, as everywhere; without one the median of `arc bench`. */
function programTotals(runs: readonly RunReport[], { seconds: median, energy }: BenchedRun): Totals {
  const ran = runs.find(({ seconds }) => seconds !== undefined);
  const seconds = ran?.seconds ?? median;
  const serial = ran?.serial;
  return {
    ...(seconds !== undefined && { seconds, from: ran === undefined ? "bench" : "program" }),
    ...(seconds !== undefined && serial !== undefined && seconds > 0 && { speedup: serial / seconds }),
    ...(energy && { energy: energy.median, energyFrom: energy.by }),
    resources: {},
    percent: {},
  };
}

/** 0 for a kernel that the run never launches. */
const launchesOf = ({ cycles, launches }: HardwareRow): number => cycles?.launches ?? launches ?? 1;

const times = (value: number | undefined, count: number): number | undefined =>
  count === 0 ? 0 : value === undefined ? undefined : value * count;

function sumIfAll(values: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}

function sumOf(all: readonly Resources[]): Resources {
  const sum: Record<string, number> = {};
  for (const one of all) for (const [what, n] of Object.entries(one)) sum[what] = (sum[what] ?? 0) + n;
  return sum;
}
