/**
 * Chooses the variant to build next. With one objective, the one with the least lower confidence bound (Cox and John
 * 1992); with two, the one whose bounds would add most to the area that the front dominates (Emmerich et al. 2006). The
 * same candidates, outcomes and seed give the same answer, so that a stopped search continues where it was.
 */
import { digestBytes } from "../../core/build/key/digest.ts";
import { type Candidate, Model, type Outcome } from "./model.ts";

export interface SearchOptions {
  /** Decides between variants that look equally good. */
  readonly seed: number;
  /** A candidate that promises a smaller relative gain is not worth a build. */
  readonly worth?: number;
}

/**
 * By how many standard deviations a prediction may be too pessimistic. The first is used to choose; the second only
 * when the first promises nothing, so that a search does not end on a guess.
 */
const HOPES = [0.5, 1.5] as const;
const WORTH = 0.01;

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
  for (const optimism of HOPES) {
    const optimistic = left.map(({ candidate, expected, chance }) => ({
      candidate,
      chance,
      bounds: expected.map(({ mean, deviation }) => mean - optimism * deviation),
    }));
    const gain =
      objectives === 1
        ? gainOfOne(known)
        : gainOfTwo(
            known,
            optimistic.map(({ bounds }) => bounds),
          );
    let best: { readonly candidate: Candidate; readonly gain: number } | undefined;
    for (const { candidate, bounds, chance } of optimistic) {
      const own = gain(bounds);
      // The gain is weighted by the probability that the candidate can be built.
      const promised = own > 0 ? own * chance : own;
      if (best === undefined || promised > best.gain) best = { candidate, gain: promised };
    }
    if (best !== undefined && (known.length === 0 || best.gain > worth)) return best.candidate;
  }
  return undefined;
}

type Gain = (bounds: readonly number[]) => number;

/** The relative reduction of the best value; without results, smaller values rank higher. */
function gainOfOne(known: readonly (readonly number[])[]): Gain {
  const best = Math.min(...known.map(([value]) => value as number));
  return ([bound = 0]) => (known.length === 0 ? -bound : best - bound);
}

/** The relative growth of the dominated area. */
function gainOfTwo(known: readonly (readonly number[])[], left: readonly (readonly number[])[]): Gain {
  const all = [...known, ...left];
  const corner = [0, 1].map((i) => Math.max(...all.map((point) => point[i] as number)) + 0.1);
  const before = dominatedArea(known, corner);
  return (bounds) => {
    const grown = dominatedArea([...known, bounds], corner) - before;
    return before > 0 ? grown / before : grown;
  };
}

/**
 * Area dominated by points (smaller is better in both), up to a corner worse than all: the hypervolume in two
 * dimensions.
 */
export function dominatedArea(points: readonly (readonly number[])[], corner: readonly number[]): number {
  const [right = 0, top = 0] = corner;
  let area = 0;
  let low = top;
  for (const [x = 0, y = 0] of [...points].sort((a, b) => (a[0] as number) - (b[0] as number))) {
    if (y >= low || x >= right) continue;
    area += (right - x) * (low - y);
    low = y;
  }
  return area;
}
