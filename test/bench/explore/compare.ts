/** Compares searches on fully known spaces: what each finds with how many builds. Started by run.mjs. */
import { dominatedArea } from "../../../cli/explore/gain.ts";
import type { Candidate, Outcome } from "../../../cli/explore/model.ts";
import { nextCandidate } from "../../../cli/explore/search.ts";
import * as madeUp from "../../cli/explore/made-up.ts";
import { publishedSpaces } from "../../cli/explore/published-spaces.ts";
import { nsga2 } from "./nsga.ts";
import { recorded, type Space } from "./recorded.ts";

/** The ids that are built, in order, until there are as many as the budget, or enough. */
type Search = (
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

const searches: Readonly<Record<string, Search>> = {
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

const spaces: readonly Space[] = [
  {
    name: "made-up, 240 designs",
    candidates: madeUp.candidates,
    valuesOf: (id) => (madeUp.feasible(id) ? madeUp.truth[Number(id)] : undefined),
  },
  ...process.argv.slice(2).map(recorded),
  ...publishedSpaces().map(({ table: { number, program, device, rows }, candidates, valuesOf }) => ({
    name: `${program} on ${device} (published table ${number}), ${rows.length} designs`,
    candidates,
    valuesOf,
  })),
];

const SEEDS = 20;
/** Of arc in spaces of more than LARGE designs, where its choices take longest and a seed decides least. */
const FEW_SEEDS = 3;
const LARGE = 200;
/** Of the whole front, when it counts as found. */
const FOUND = 0.99;

for (const space of spaces) {
  const { candidates, valuesOf, name } = space;
  const built = candidates.flatMap(({ id }) => {
    const values = valuesOf(id);
    return values === undefined ? [] : [values];
  });
  const corner = [0, 1].map((i) => Math.log(Math.max(...pluck(built, i))) + 0.1);
  const areaOf = (ids: readonly string[]): number =>
    dominatedArea(
      ids.flatMap((id) => {
        const values = valuesOf(id);
        return values === undefined ? [] : [values.map(Math.log)];
      }),
      corner,
    );
  /** As many designs of the front as are named dominate so much at best: chosen one by one, and each again beside the others. */
  const chosenOf = (
    points: readonly (readonly number[])[],
    budget: number,
  ): readonly (readonly number[])[] => {
    const logs = points.map((point) => point.map(Math.log));
    const chosen: (readonly number[])[] = [];
    const bestBeside = (others: readonly (readonly number[])[]) =>
      logs.reduce((a, b) =>
        dominatedArea([...others, b], corner) > dominatedArea([...others, a], corner) ? b : a,
      );
    while (chosen.length < Math.min(budget, logs.length)) chosen.push(bestBeside(chosen));
    for (let round = 0; round < 4; round++)
      for (const [i] of chosen.entries()) chosen[i] = bestBeside(chosen.filter((_, k) => k !== i));
    return chosen;
  };
  const mostOf = (points: readonly (readonly number[])[], budget: number): number =>
    dominatedArea(chosenOf(points, budget), corner) / whole;
  const until99 = (points: readonly (readonly number[])[]): number => {
    for (let n = 1; ; n++) if (mostOf(points, n) >= FOUND || n > points.length) return n;
  };
  const whole = areaOf(candidates.map(({ id }) => id));
  const tenth = Math.max(1, Math.floor(candidates.length / 10));
  const third = Math.floor(candidates.length / 3);
  console.log(`\n${name}, ${built.length} of which can be built; mean of ${SEEDS} seeds (least)`);
  const most = [tenth, third].map((budget) => `${(100 * mostOf(built, budget)).toFixed(1)} %`);
  console.log(
    `\n| search | of the front with ${tenth} builds | with ${third} | builds until 99 % | all found it |`,
  );
  console.log("|---|---|---|---|---|");
  console.log(`| the best there can be | ${most.join(" | ")} | ${until99(built)} | |`);
  for (const [title, search] of Object.entries(searches)) {
    const isEnough = (ids: readonly string[]) => ids.length >= third && areaOf(ids) >= FOUND * whole;
    const seeds = title === "arc" && candidates.length > LARGE ? FEW_SEEDS : SEEDS;
    const orders = Array.from({ length: seeds }, (_, seed) =>
      search(space, candidates.length, seed + 1, isEnough),
    );
    // NSGA-II's generations depend on its budget, so each budget is a separate run.
    const share = (budget: number) =>
      orders.map((order, seed) => {
        const ids =
          title === "nsga-ii" ? search(space, budget, seed + 1, () => false) : order.slice(0, budget);
        return areaOf(ids) / whole;
      });
    const until = orders.map((order) => {
      for (let n = 1; n <= order.length; n++) if (areaOf(order.slice(0, n)) >= FOUND * whole) return n;
      return Number.POSITIVE_INFINITY;
    });
    const found = until.filter(Number.isFinite);
    console.log(
      `| ${title}${seeds < SEEDS ? `, ${seeds} seeds` : ""} | ${told(share(tenth))} | ${told(share(third))} | ${found.length === 0 ? "" : mean(found).toFixed(1)} | ${found.length} of ${seeds} |`,
    );
  }
}

function pluck(points: readonly (readonly number[])[], i: number): readonly number[] {
  return points.map((point) => point[i] as number);
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function told(shares: readonly number[]): string {
  return `${(100 * mean(shares)).toFixed(1)} % (${(100 * Math.min(...shares)).toFixed(1)} %)`;
}
