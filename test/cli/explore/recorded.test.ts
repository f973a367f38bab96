/** The search on spaces that were built as a whole: placed and routed, or measured on a GPU. */
import path from "node:path";
import { expect, it } from "vitest";
import { dominatedArea } from "../../../cli/explore/gain.ts";
import type { Outcome } from "../../../cli/explore/model.ts";
import { nextCandidate } from "../../../cli/explore/search.ts";
import { recorded } from "../../bench/explore/recorded.ts";

const bench = path.resolve(import.meta.dirname, "../../bench/explore");

it.each([
  ["slopes", 4, 0.92],
  ["slopes", 14, 0.99],
  ["sobel", 3, 0.87],
  ["sobel", 12, 0.99],
  ["product-gpu", 12, 0.97],
  ["hotspot-gpu", 8, 0.94],
] as const)("of %s, %i builds dominate more than %f of what all designs do", (name, builds, least) => {
  const { candidates, valuesOf, stretchOf } = recorded(path.join(bench, `${name}.json`));
  const logs = (ids: readonly string[]) => ids.map((id) => (valuesOf(id) as readonly number[]).map(Math.log));
  const all = logs(candidates.map(({ id }) => id));
  const corner = [0, 1].map((i) => Math.max(...all.map((point) => point[i] as number)) + 0.1);
  const outcomes: Outcome[] = [];
  while (outcomes.length < builds) {
    const { id = "" } = nextCandidate(candidates, outcomes, { seed: 1, worth: 0 }) ?? {};
    outcomes.push({ id, values: valuesOf(id) as readonly number[], stretch: stretchOf?.(id) as number });
  }
  const found = dominatedArea(logs(outcomes.map(({ id }) => id)), corner);
  expect(found / dominatedArea(all, corner)).toBeGreaterThan(least);
});
