/** How much of what a space's whole front dominates some of its designs do, and what the best choice of them could. */
import { dominatedArea } from "../../../cli/explore/gain.ts";
import type { Space } from "./recorded.ts";

type Points = readonly (readonly number[])[];

/** Of the whole front, when it counts as found. */
export const FOUND = 0.99;

export function frontOf({ candidates, valuesOf }: Space) {
  const logsOf = (ids: readonly string[]): Points =>
    ids.flatMap((id) => {
      const values = valuesOf(id);
      return values === undefined ? [] : [values.map(Math.log)];
    });
  const built = logsOf(candidates.map(({ id }) => id));
  const corner = [0, 1].map((i) => Math.max(...built.map((point) => point[i] as number)) + 0.1);
  const whole = dominatedArea(built, corner);
  const shareOf = (ids: readonly string[]): number => dominatedArea(logsOf(ids), corner) / whole;
  const bestBeside = (others: Points) =>
    built.reduce((a, b) =>
      dominatedArea([...others, b], corner) > dominatedArea([...others, a], corner) ? b : a,
    );
  /** As many designs dominate so much at best: chosen one by one, and each again beside the others. */
  const mostOf = (budget: number): number => {
    const chosen: (readonly number[])[] = [];
    while (chosen.length < Math.min(budget, built.length)) chosen.push(bestBeside(chosen));
    for (let round = 0; round < 4; round++)
      for (const [i] of chosen.entries()) chosen[i] = bestBeside(chosen.filter((_, k) => k !== i));
    return dominatedArea(chosen, corner) / whole;
  };
  return {
    built,
    shareOf,
    mostOf,
    /** With so few builds a choice that knows all would have found the front. */
    fewest(): number {
      for (let n = 1; ; n++) if (mostOf(n) >= FOUND || n > built.length) return n;
    },
  };
}

/** After how many builds the front was found; infinite if it was not. */
export function foundAfter(order: readonly string[], shareOf: (ids: readonly string[]) => number): number {
  for (let n = 1; n <= order.length; n++) if (shareOf(order.slice(0, n)) >= FOUND) return n;
  return Number.POSITIVE_INFINITY;
}
