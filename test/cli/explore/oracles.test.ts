/** The search on recorded tables: what it finds with how many builds, though it knows nothing but estimates beforehand. */
import { describe, expect, it } from "vitest";
import { dominatedArea } from "../../../cli/explore/gain.ts";
import type { Candidate, Outcome } from "../../../cli/explore/model.ts";
import { nextCandidate } from "../../../cli/explore/search.ts";
import { publishedSpaces } from "./published-spaces.ts";

/** In table 10, what is estimated to be best is five times slower, which costs one of four builds and misleads the next. */
const least: Readonly<Record<number, number>> = { 8: 0.99, 9: 0.99, 10: 0.93, 11: 0.99 };

describe.each(publishedSpaces())(
  "table $table.number: $table.program on $table.device",
  ({ table, candidates, valuesOf }) => {
    /** Until nothing promises more, or the budget is spent. */
    function search(list: readonly Candidate[], objectives: number, seed: number): readonly string[] {
      const outcomes: Outcome[] = [];
      while (outcomes.length < Math.floor(list.length / 3)) {
        const next = nextCandidate(list, outcomes, { seed });
        if (next === undefined) break;
        outcomes.push({ id: next.id, values: valuesOf(next.id).slice(0, objectives) });
      }
      return outcomes.map(({ id }) => id);
    }

    const best = [...table.rows].sort((a, b) => a.seconds - b.seconds)[0]?.name as string;
    const times = candidates.map((one) => ({ ...one, predicted: one.predicted.slice(0, 1) }));

    it.each([1, 2, 3, 4, 5])("finds the best variant with a third of the builds, with seed %i", (seed) => {
      expect(search(times, 1, seed)).toContain(best);
    });

    const points = (ids: readonly string[]) => ids.map((id) => valuesOf(id).map(Math.log));
    const all = points(table.rows.map(({ name }) => name));
    const corner = [0, 1].map((i) => Math.max(...all.map((point) => point[i] as number)) + 0.1);

    it.each([1, 2, 3])(
      "dominates most of what the whole front does with a third of the builds, with seed %i",
      (seed) => {
        const share = dominatedArea(points(search(candidates, 2, seed)), corner) / dominatedArea(all, corner);
        expect(share).toBeGreaterThan(least[table.number] as number);
      },
    );
  },
);
