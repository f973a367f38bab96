/** What is compared: arc's search, random choice, and NSGA-II. */
import type { Candidate, Outcome } from "../../../cli/explore/model.ts";
import { nextCandidate } from "../../../cli/explore/search.ts";
import { nsga2 } from "./nsga.ts";
import type { Space } from "./recorded.ts";

/** The ids that are built, in order, until there are as many as the budget, or enough. */
export type Search = (
  space: Space,
  budget: number,
  seed: number,
  isEnough: (ids: readonly string[]) => boolean,
) => readonly string[];

const generator = (seed: number): (() => number) => {
  let state = seed * 7919 + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

export const searches: Readonly<Record<string, Search>> = {
  arc({ candidates, valuesOf, stretchOf }, budget, seed, isEnough) {
    const outcomes: Outcome[] = [];
    while (outcomes.length < budget && !isEnough(outcomes.map(({ id }) => id))) {
      const next = nextCandidate(candidates, outcomes, { seed, worth: 0 });
      if (next === undefined) break;
      const values = valuesOf(next.id);
      const stretch = stretchOf?.(next.id);
      outcomes.push(
        values === undefined
          ? { id: next.id, failed: true }
          : { id: next.id, values, ...(stretch !== undefined && { stretch }) },
      );
    }
    return outcomes.map(({ id }) => id);
  },
  random({ candidates }, budget, seed) {
    const random = generator(seed);
    const left = candidates.map(({ id }) => id);
    return Array.from(
      { length: Math.min(budget, left.length) },
      () => left.splice(Math.floor(random() * left.length), 1)[0] as string,
    );
  },
  "nsga-ii"({ candidates, valuesOf }, budget, seed) {
    const names = [...new Set(candidates.flatMap((one) => Object.keys(one.axes)))];
    const combinations = names.reduce(
      (product, axis) => product * new Set(candidates.map((one) => String(one.axes[axis]))).size,
      1,
    );
    // Where hardly any combination exists, all axes together are one gene: crossing them would give none of these.
    const rows =
      combinations > 4 * candidates.length
        ? candidates.map(({ id }) => [id])
        : candidates.map((one) => names.map((axis) => String(one.axes[axis])));
    const lists = (rows[0] ?? []).map((_, i) => [...new Set(rows.map((row) => row[i] as string))]);
    const ids = new Map(
      rows.map((row, i) => [
        row.map((value, k) => (lists[k] as string[]).indexOf(value)).join(),
        (candidates[i] as Candidate).id,
      ]),
    );
    const values = (genome: readonly number[]) => {
      const id = ids.get(genome.join());
      return id === undefined ? "no such" : valuesOf(id);
    };
    const sizes = lists.map((list) => list.length);
    const population = Math.max(4, Math.min(16, Math.floor(budget / 3)));
    return nsga2(sizes, values, budget, generator(seed), population).map(
      (genome) => ids.get(genome.join()) as string,
    );
  },
};
