/** Variants as candidates of a search: predictions before they are built, and results after. */
import type { Engine } from "../../core/build/engine-interface.ts";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { allKernels, kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { resultOf } from "../project/results.ts";
import type { VariantReport } from "../report/model/report.ts";
import type { Candidate, Outcome } from "./model.ts";

/** Hardware has time and area, and kernels that are measured have time and energy; `pareto` is both. */
export const goals = ["time", "area", "energy", "pareto"] as const;
export type Goal = (typeof goals)[number];

/** Each design once, and only those that could be translated. */
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
    const head = { id: report.address, axes: report.axes };
    if (report.totals.from === "estimate")
      return [{ ...head, predicted: pick(goal, report.totals.seconds, report.totals.area) }];
    // Only first schedules are compared: changes made after tools ran belong to the outcome.
    const kernels =
      resultOf<readonly TranslatedKernel[]>(engine, kernelsAddress(report.address), allKernels) ?? [];
    const { clock } = plan.kind.toolchain(plan.target.options).reschedule ?? {};
    const cycles = sumOf(kernels.map(({ facts }) => facts?.cycles));
    const cells = sumOf(kernels.map(({ facts }) => facts?.cells));
    const clocked =
      clock === undefined || cycles === undefined
        ? undefined
        : { cycles, clock, ...(cells !== undefined && { cells }) };
    const seconds = clocked && clocked.cycles / (1e6 * clocked.clock);
    return [
      {
        ...head,
        predicted: pick(goal, seconds, cells),
        ...(goal !== "time" && { proportional: [goal === "area" ? 0 : 1] }),
        ...(clocked && goal !== "area" && { clocked }),
        design: digestBytes(kernels.map(({ text }) => text).join("\n")),
      },
    ];
  });
}

const sumOf = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);

/**
 * Undefined for a variant that was not built. A design that is larger than the device, or refused by the tools, has
 * failed. `clock`: the clock that it was made for, in MHz.
 */
export function outcomeOf(report: VariantReport, goal: Goal, clock?: number): Outcome | undefined {
  const { address, totals, hardware = [] } = report;
  const isBuilt = hardware.every(({ from }) => from === "layout" || from === "report");
  if (
    isBuilt &&
    totals.area !== undefined &&
    totals.area <= 100 &&
    (goal === "area" || totals.seconds !== undefined)
  )
    return {
      id: address,
      values: pick(goal, totals.seconds, totals.area) as number[],
      ...stretchOf(hardware, clock),
    };
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

/** Determined by the kernel whose first layout was slowest. */
function stretchOf(
  hardware: NonNullable<VariantReport["hardware"]>,
  clock: number | undefined,
): { readonly stretch?: number } {
  const reached = hardware.flatMap((row) => row.rescheduled?.reached ?? row.clock ?? []);
  return clock === undefined || reached.length < hardware.length
    ? {}
    : { stretch: Math.log(clock / Math.min(...reached)) };
}
