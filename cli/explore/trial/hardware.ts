/** Judges hardware by what its tools say of it, and where it is simulated by the cycles of a run. */
import { entryOf } from "../../../core/checked/access.ts";
import { runAddress, verifyAddress } from "../../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../../rules/plan/variant.ts";
import { estimateAddress } from "../../../rules/steps/estimate.ts";
import { kernelsAddress } from "../../../rules/steps/kernels/kernels.ts";
import { buildWorkspace } from "../../build/build.ts";
import type { Call } from "../../call/call.ts";
import { UsageError } from "../../call/usage-error.ts";
import type { Workspace } from "../../project/workspace.ts";
import { variantReport } from "../../report/model/collect.ts";
import type { Figure } from "../../report/model/figures.ts";
import { figureText } from "../../report/text/figure.ts";
import { columnTexts } from "../../report/text/rows.ts";
import { candidatesOf, outcomeOf } from "../candidates.ts";
import type { Goal, Objective } from "../goals.ts";
import type { Judge } from "./judge.ts";
import type { Request } from "./request.ts";
import { going, planOf } from "./space.ts";

export function hardwareJudge({ engine, project, plan }: Workspace, call: Call, request: Request): Judge {
  const { target } = request;
  const goal: Goal = request.goal === "pareto" ? ["time", "area"] : request.goal;
  if (goal.includes("energy")) refuseUnlessModelled(plan.variants, call, target);
  if (request.run !== undefined)
    throw new UsageError(
      `${target} is hardware: runs of it are not measured`,
      "leave out the run; `verify.runs` of arc.yaml says which run is simulated",
    );
  return {
    goal,
    done: "built",
    firstFirst: false,
    budget: (designs) =>
      request.budget ?? { designs: Math.max(3, Math.ceil(designs / 3)), time: Number.POSITIVE_INFINITY },
    drafts: ({ address, kind }) => [
      kernelsAddress(address),
      ...(kind.estimated ? [estimateAddress(address)] : []),
    ],
    candidates: (plans, reports) => candidatesOf(engine, plans, reports, goal),
    known: async ({ candidates, reports }) =>
      candidates.flatMap(({ id, clocked }) => outcomeOf(entryOf(reports, id), goal, clocked?.clock) ?? []),
    async outcome(chosen, space) {
      const plan = planOf(space, chosen);
      const built = await buildWorkspace(space.workspace, going(call), {
        patterns: [],
        quiet: "if-up-to-date",
        goals: goalsOf(space.workspace, plan),
      });
      if (built.interrupted) return undefined;
      const report = await variantReport(plan, engine, project);
      space.reports.set(chosen.id, report);
      const outcome = outcomeOf(report, goal, chosen.clocked?.clock);
      if (outcome === undefined && built.counts.skipped > 0) {
        // Other variants would fail the same way.
        call.err(`arc: the tools for ${target} are not here: this is by estimates alone\n`);
        return undefined;
      }
      return outcome ?? { id: chosen.id, failed: true };
    },
    estimates: ({ candidates, reports }) =>
      candidates.flatMap(({ id, predicted }) =>
        reports.get(id)?.estimate !== undefined && predicted.every((value) => value !== undefined)
          ? [{ id, values: predicted }]
          : [],
      ),
    isRight: async () => true,
    summary: (outcome) =>
      "failed" in outcome
        ? "cannot be built"
        : goal.map((objective, i) => figureText(outcome.values[i], { unit: units[objective] })).join(", "),
    table(valued, { reports }) {
      const { header, lines } = columnTexts(valued.flatMap(({ id }) => reports.get(id) ?? []));
      return [header, ...lines];
    },
    fields: () => ({}),
  };
}

/** The energy of hardware is computed, not measured. */
function refuseUnlessModelled(variants: readonly VariantPlan[], call: Call, target: string): void {
  const [first] = variants;
  const power = first?.kind.toolchain(first.target.options).power;
  if (power === undefined)
    throw new UsageError(
      `the energy of ${target} is not known: arc has the figures of iCE40 parts only`,
      "say --goal time, area or `time,area`, or name a `part` of that family",
    );
  call.err("arc: joules are those of a model, from the cells, cycles and clock of each design\n");
}

const units: Readonly<Record<Objective, Figure["unit"]>> = {
  time: "seconds",
  area: "percent",
  energy: "joules",
};

/** The products to build, and the run that tells how often kernels are launched. */
function goalsOf(
  { project }: Workspace,
  { address, products, kind, target }: VariantPlan,
): readonly string[] {
  const [name] = project.verify.runs;
  const simulated = kind.device(target.options).counts !== undefined;
  return [
    ...products,
    ...(name === undefined || !simulated ? [] : [runAddress(address, name), verifyAddress(address, name)]),
  ];
}
