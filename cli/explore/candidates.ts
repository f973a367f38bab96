/** Variants as candidates of a search: predictions before they are built, and results after. */
import type { Engine } from "../../core/build/engine-interface.ts";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { launchEnergy } from "../../rules/steps/kernels/energy.ts";
import { allKernels, kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { resultOf } from "../project/results.ts";
import type { VariantReport } from "../report/model/report.ts";
import type { Goal } from "./goals.ts";
import type { Candidate, Outcome } from "./model.ts";

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
    if (report.totals.from === "estimate") return [{ ...head, predicted: pick(goal, report.totals) }];
    // Only first schedules are compared: changes made after tools ran belong to the outcome.
    const kernels =
      resultOf<readonly TranslatedKernel[]>(engine, kernelsAddress(report.address), allKernels) ?? [];
    const { power, reschedule } = plan.kind.toolchain(plan.target.options);
    const clock = reschedule?.clock;
    const cycles = sumOf(kernels.map(({ facts }) => facts?.cycles));
    const cells = sumOf(kernels.map(({ facts }) => facts?.cells));
    const clocked =
      clock === undefined || cycles === undefined
        ? undefined
        : { cycles, clock, ...(cells !== undefined && { cells }) };
    const seconds = clocked && clocked.cycles / (1e6 * clocked.clock);
    const energy =
      power && cells !== undefined && cycles !== undefined && seconds !== undefined
        ? launchEnergy(power, cells, cycles, seconds)
        : undefined;
    return [
      {
        ...head,
        predicted: pick(goal, { seconds, area: cells, energy }),
        proportional: goal.flatMap((objective, i) => (objective === "time" ? [] : [i])),
        ...(clocked && goal[0] === "time" && { clocked }),
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
  const values = pick(goal, totals);
  if (
    isBuilt &&
    totals.area !== undefined &&
    totals.area <= 100 &&
    values.every((value) => value !== undefined)
  )
    return { id: address, values, ...stretchOf(hardware, clock) };
  const isFailed = hardware.some(({ failure }) => failure !== undefined) || (totals.area ?? 0) > 100;
  return isFailed ? { id: address, failed: true } : undefined;
}

interface Values {
  readonly seconds?: number | undefined;
  readonly area?: number | undefined;
  readonly energy?: number | undefined;
}

function pick(goal: Goal, { seconds, area, energy }: Values): readonly (number | undefined)[] {
  return goal.map((objective) => ({ time: seconds, area, energy })[objective]);
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
