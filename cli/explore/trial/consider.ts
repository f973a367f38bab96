/** Brings variants into the space of a search, and finds the best of those that are there. */
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

const MOST = 4;

/** The best variants by each objective in turn: of those with outcomes, or, if there are none, of those estimated. */
export function bestOf({ plans, candidates }: Space, outcomes: readonly Outcome[]): readonly Variant[] {
  const tried = outcomes.filter(isValued);
  const judged: readonly { readonly id: string; readonly values: readonly (number | undefined)[] }[] =
    tried.length > 0 ? tried : candidates.map(({ id, predicted }) => ({ id, values: predicted }));
  const orders = (judged[0]?.values ?? []).map((_, i) =>
    [...judged].sort(
      (a, b) => (a.values[i] ?? Number.POSITIVE_INFINITY) - (b.values[i] ?? Number.POSITIVE_INFINITY),
    ),
  );
  const turns = Array.from({ length: MOST }, (_, at) => orders.flatMap((order) => order[at]?.id ?? []));
  return [...new Set(turns.flat())]
    .slice(0, MOST)
    .flatMap((id) => plans.find(({ address }) => address === id)?.variant ?? []);
}
