/**
 * Chooses the variant to build next: the one that is expected to improve most on those built. The same candidates,
 * outcomes and seed give the same answer, so that a stopped search continues where it was.
 */

import { digestBytes } from "../../core/build/key/digest.ts";
import { itemAt } from "../../core/checked/access.ts";
import { deviationOf, exactly, meanOf } from "./distribution.ts";
import { gainOver } from "./gain.ts";
import { type Candidate, Model, type Outcome } from "./model.ts";

interface SearchOptions {
  /** Decides between variants that look equally good. */
  readonly seed: number;
  /** A candidate that promises a smaller relative gain is not worth a build. */
  readonly worth?: number;
}

const WORTH = 0.01;
/** A candidate is worth a build if it may be better than its prediction by so many standard deviations. */
const HOPE = 2;
/** Logarithm of how much worse than all the point is up to which areas are counted: the ends of the front count, too. */
const MARGIN = 0.2;

/**
 * The designs that follow `chosen` if all turn out as expected (Ginsbourger, Le Riche and Carraro, Kriging Is
 * Well-Suited to Parallelize Optimization, 2010).
 */
export function likelyNext(
  candidates: readonly Candidate[],
  outcomes: readonly Outcome[],
  chosen: Candidate,
  seed: number,
  count: number,
): readonly Candidate[] {
  const found: Candidate[] = [];
  const believed = [...outcomes];
  for (let next: Candidate | undefined = chosen; found.length < count; ) {
    const model = new Model(candidates, believed);
    const values = next.predicted.map((_, i) => Math.exp(meanOf(model.expect(next as Candidate, i))));
    believed.push({ id: next.id, values });
    next = nextCandidate(candidates, believed, { seed });
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

/** Undefined when no remaining candidate promises enough. */
export function nextCandidate(
  candidates: readonly Candidate[],
  outcomes: readonly Outcome[],
  { seed, worth = WORTH }: SearchOptions,
): Candidate | undefined {
  const done = new Set(outcomes.map(({ id }) => id));
  const model = new Model(candidates, outcomes);
  const objectives = candidates[0]?.predicted.length ?? 0;
  const builtDesigns = new Set(
    candidates.flatMap(({ id, design }) => (design !== undefined && done.has(id) ? [design] : [])),
  );
  const left = candidates
    .filter(({ id, design }) => !done.has(id) && (design === undefined || !builtDesigns.has(design)))
    .map((candidate) => ({
      candidate,
      expected: Array.from({ length: objectives }, (_, objective) => model.expect(candidate, objective)),
      chance: model.feasible(candidate),
      tie: digestBytes(`${seed} ${candidate.id}`),
    }))
    .sort((a, b) => (a.tie < b.tie ? -1 : 1));
  const known = outcomes.flatMap((outcome) => ("values" in outcome ? [outcome.values.map(Math.log)] : []));
  const all = [...known, ...left.map(({ expected }) => expected.map(meanOf))];
  const corner = Array.from(
    { length: objectives },
    (_, i) => Math.max(...all.map((point) => itemAt(point, i))) + MARGIN,
  );
  const gain = gainOver(known, corner);
  let best: { readonly candidate: Candidate; readonly gain: number } | undefined;
  for (const { candidate, expected, chance } of left) {
    const hoped = expected.map((one) => exactly(meanOf(one) - HOPE * deviationOf(one)));
    if (known.length > 0 && chance * gain(hoped) <= worth) continue;
    // The gain is weighted by the probability that the candidate can be built.
    const own = chance * gain(expected);
    if (best === undefined || own > best.gain) best = { candidate, gain: own };
  }
  return best?.candidate;
}
