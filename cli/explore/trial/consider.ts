/** Brings variants into the space of a search, and finds the best of those that are there. */
import { firstOf } from "../../../core/checked/access.ts";
import type { Variant } from "../../../schema/contract/variants.ts";
import { buildWorkspace } from "../../build/build.ts";
import type { Call } from "../../call/call.ts";
import type { Workspace } from "../../project/workspace.ts";
import { collect } from "../../report/model/collect.ts";
import type { Outcome } from "../model.ts";
import { isValued, type Judge } from "./judge.ts";
import { going, type Space } from "./space.ts";

/** Considers variants in addition to those considered before. */
export async function consider(
  first: Workspace,
  call: Call,
  judge: Judge,
  target: string,
  variants: readonly Variant[],
  before?: Space,
): Promise<Space> {
  const names = new Set([...(before?.names ?? []), ...variants.map(({ name }) => name)]);
  const workspace = first.withVariants([...names].map((name) => `${target}:${name}`));
  const plans = workspace.plan.variants;
  const fresh = plans.filter(({ variant }) => before?.names.has(variant.name) !== true);
  const { interrupted } = await buildWorkspace(workspace, going(call), {
    patterns: [],
    quiet: "unless-failed",
    goals: [...new Set(fresh.flatMap((plan) => judge.drafts(plan)))],
  });
  const reports = new Map((await collect(workspace)).map((report) => [report.address, report]));
  const candidates = judge.candidates(plans, [...reports.values()]);
  return { workspace, names, plans, candidates, reports, interrupted };
}

/** The best variants: of those with outcomes, or, if there are none, of those estimated. */
export function bestOf({ plans, candidates }: Space, outcomes: readonly Outcome[]): readonly Variant[] {
  const tried = outcomes.filter(isValued);
  const judged =
    tried.length > 0
      ? tried.map(({ id, values }) => ({ id, value: firstOf(values) }))
      : candidates.map(({ id, predicted }) => ({ id, value: predicted[0] ?? Number.POSITIVE_INFINITY }));
  const order = [...judged].sort((a, b) => a.value - b.value).slice(0, 4);
  return order.flatMap(({ id }) => plans.find(({ address }) => address === id)?.variant ?? []);
}
