/** Variants as candidates of a search: what is expected of each before it is built, and what it turned out to be. */
import type { Engine } from "../../core/build/engine.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { allKernels, kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { resultOf } from "../project/results.ts";
import type { VariantReport } from "../report/model/report.ts";
import type { Candidate, Outcome } from "./model.ts";

export const goals = ["time", "area", "pareto"] as const;
export type Goal = (typeof goals)[number];

/** Each design once, and only what could be translated. */
export function candidatesOf(
  engine: Engine,
  plans: readonly VariantPlan[],
  reports: readonly VariantReport[],
  goal: Goal,
): readonly Candidate[] {
  return reports.flatMap((report): readonly Candidate[] => {
    const plan = plans.find(({ address }) => address === report.address);
    if (plan === undefined || report.sameDesign !== undefined || (report.hardware ?? []).length === 0)
      return [];
    const [seconds, area] = [expectedSeconds(plan, report), expectedArea(engine, report)];
    const isEstimate = report.totals.from === "estimate";
    return [
      {
        id: report.address,
        axes: report.axes,
        predicted: pick(goal, seconds, area),
        ...(!isEstimate && goal !== "time" && { proportional: [goal === "area" ? 0 : 1] }),
      },
    ];
  });
}

/** Undefined where it was not built. What is larger than the device has failed, as has what the tools refused. */
export function outcomeOf(report: VariantReport, goal: Goal): Outcome | undefined {
  const { address, totals, hardware = [] } = report;
  const isBuilt = hardware.every(({ from }) => from === "layout" || from === "report");
  if (
    isBuilt &&
    totals.area !== undefined &&
    totals.area <= 100 &&
    (goal === "area" || totals.seconds !== undefined)
  )
    return { id: address, values: pick(goal, totals.seconds, totals.area) as number[] };
  const isFailed = hardware.some(({ failure }) => failure !== undefined) || (totals.area ?? 0) > 100;
  return isFailed ? { id: address, failed: true } : undefined;
}

function pick(
  goal: Goal,
  seconds: number | undefined,
  area: number | undefined,
): readonly (number | undefined)[] {
  return goal === "time" ? [seconds] : goal === "area" ? [area] : [seconds, area];
}

/** The estimate, else the cycles of arc's own schedule at the clock that the target asks for. */
function expectedSeconds(
  { kind, target }: VariantPlan,
  { totals, hardware = [] }: VariantReport,
): number | undefined {
  if (totals.from === "estimate") return totals.seconds;
  const clock = kind.toolchain(target.options).reschedule?.clock;
  const cycles = hardware.map((row) => row.cycles?.value);
  if (clock === undefined || cycles.some((value) => value === undefined)) return undefined;
  return cycles.reduce<number>((sum, value) => sum + (value ?? 0), 0) / (1e6 * clock);
}

/** The estimate, else the length of the hardware's text: no measure of cells, but what is longer tends to take more. */
function expectedArea(engine: Engine, { address, totals }: VariantReport): number | undefined {
  if (totals.from === "estimate") return totals.area;
  const kernels = resultOf<readonly TranslatedKernel[]>(engine, kernelsAddress(address), allKernels) ?? [];
  return kernels.reduce((sum, { text }) => sum + text.length, 0) || undefined;
}
