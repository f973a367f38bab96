/** The search of one call: tries designs by turns, the most promising first, until the budget is spent. */
import { vocabulary } from "../../../rules/vocabulary.ts";
import type { Target } from "../../../schema/contract/project.ts";
import { expandVariants } from "../../../schema/contract/variants.ts";
import type { Call } from "../../call/call.ts";
import { UsageError } from "../../call/usage-error.ts";
import type { Workspace } from "../../project/workspace.ts";
import { plural } from "../../show/words.ts";
import type { Candidate, Outcome } from "../model.ts";
import { neighbours, sampleOf } from "../sample.ts";
import { likelyNext, nextCandidate } from "../search.ts";
import { bestOf, consider } from "./consider.ts";
import type { Judge } from "./judge.ts";
import type { Request } from "./request.ts";
import type { Space } from "./space.ts";

export interface Searched {
  readonly space: Space;
  readonly outcomes: readonly Outcome[];
  /** How many of them are of earlier calls. */
  readonly before: number;
}

/** Undefined if it was interrupted before anything could be tried. Throws UsageError. */
export async function search(
  first: Workspace,
  declared: Target,
  call: Call,
  { target, seed }: Request,
  judge: Judge,
): Promise<Searched | undefined> {
  const variants = [...expandVariants(declared.space, declared.kind, vocabulary.axes).variants];
  let space = await consider(first, call, judge, target, sampleOf(variants, seed));
  if (space.interrupted) return undefined;
  judge.check?.(space);
  if (space.candidates.length === 0)
    throw new UsageError("no variant could be translated", "`arc build --all` says why");
  const outcomes: Outcome[] = [...(await judge.known(space))];
  const before = outcomes.length;
  const budget = judge.budget(space.candidates.length);
  const end = Date.now() + 1000 * budget.time;
  const sampled =
    space.plans.length < variants.length ? `, ${space.plans.length} of them looked at first` : "";
  call.err(
    `arc: ${plural(variants.length, "variant")} of ${target}${sampled}, ${plural(space.candidates.length, "design")}, ${before} ${judge.done} before\n`,
  );
  const most = Number.isFinite(budget.designs) ? ` of at most ${budget.designs}` : "";
  for (let tried = 0; tried < budget.designs && !call.signal.aborted; tried++) {
    // However short the time, something is known at the end.
    if (Date.now() >= end && outcomes.length > 0) break;
    const more = neighbours(variants, bestOf(space, outcomes), ({ name }) => space.names.has(name));
    if (more.length > 0) {
      space = await consider(first, call, judge, target, more, space);
      if (space.interrupted) break;
    }
    const next = nextOf(space, outcomes, judge, seed);
    if (next === undefined) break;
    const { candidates } = space;
    const outcome = await judge.outcome(next, space, outcomes, (count) =>
      likelyNext(candidates, outcomes, next, seed, count),
    );
    if (outcome === undefined) break;
    outcomes.push(outcome);
    call.err(`arc: ${tried + 1}${most}: ${next.id}: ${judge.summary(outcome, space)}\n`);
  }
  return { space, outcomes, before };
}

function nextOf(
  { candidates }: Space,
  outcomes: readonly Outcome[],
  { firstFirst }: Judge,
  seed: number,
): Candidate | undefined {
  const [first] = candidates;
  if (firstFirst && first !== undefined && !outcomes.some(({ id }) => id === first.id)) return first;
  return nextCandidate(candidates, outcomes, { seed });
}
