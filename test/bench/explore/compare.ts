/** Compares searches on fully known spaces: what each finds with how many builds. Started by run.mjs. */
import * as madeUp from "../../cli/explore/made-up.ts";
import { publishedSpaces } from "../../cli/explore/published-spaces.ts";
import { FOUND, foundAfter, frontOf } from "./front.ts";
import { generated } from "./generated.ts";
import { recorded, type Space } from "./recorded.ts";
import { searches } from "./searches.ts";

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
/** Spaces of the generator, and seeds in each of those that choose by chance. */
const GENERATED = 60;
const CHANCES = 5;

for (const space of spaces) {
  const { candidates, name } = space;
  const { built, shareOf, mostOf, fewest } = frontOf(space);
  const [tenth, third] = budgetsOf(space);
  console.log(`\n${name}, ${built.length} of which can be built; mean of ${SEEDS} seeds (least)`);
  const most = [tenth, third].map((budget) => `${(100 * mostOf(budget)).toFixed(1)} %`);
  console.log(
    `\n| search | of the front with ${tenth} builds | with ${third} | builds until 99 % | all found it |`,
  );
  console.log("|---|---|---|---|---|");
  console.log(`| the best there can be | ${most.join(" | ")} | ${fewest()} | |`);
  for (const [title, search] of Object.entries(searches)) {
    const isEnough = (ids: readonly string[]) => ids.length >= third && shareOf(ids) >= FOUND;
    const seeds = title === "arc" && candidates.length > LARGE ? FEW_SEEDS : SEEDS;
    const orders = Array.from({ length: seeds }, (_, seed) =>
      search(space, candidates.length, seed + 1, isEnough),
    );
    // NSGA-II's generations depend on its budget, so each budget is a separate run.
    const share = (budget: number) =>
      orders.map((order, seed) => {
        const ids =
          title === "nsga-ii" ? search(space, budget, seed + 1, () => false) : order.slice(0, budget);
        return shareOf(ids);
      });
    const found = orders.map((order) => foundAfter(order, shareOf)).filter(Number.isFinite);
    console.log(
      `| ${title}${seeds < SEEDS ? `, ${seeds} seeds` : ""} | ${told(share(tenth))} | ${told(share(third))} | ${found.length === 0 ? "" : mean(found).toFixed(1)} | ${found.length} of ${seeds} |`,
    );
  }
}

const made = Array.from({ length: GENERATED }, (_, i) => generated(i + 1)).map((space) => ({
  space,
  ...frontOf(space),
}));
console.log(`\n${GENERATED} spaces of the generator, mean (least) of all\n`);
console.log(
  "| search | with a tenth of the builds | with a third | 99 % found with a third |\n|---|---|---|---|",
);
row(
  "the best there can be",
  made.map(({ space, mostOf }) => budgetsOf(space).map((budget) => mostOf(budget))),
);
for (const [title, search] of Object.entries(searches))
  row(
    title,
    made.flatMap(({ space, shareOf }) =>
      Array.from({ length: title === "arc" ? 1 : CHANCES }, (_, seed) =>
        budgetsOf(space).map((budget) => shareOf(search(space, budget, seed + 1, () => false))),
      ),
    ),
  );

/** `shares`: of each search, with a tenth and with a third of the builds. */
function row(title: string, shares: readonly (readonly number[])[]): void {
  const [tenths, thirds] = [0, 1].map((i) => shares.map((one) => one[i] as number));
  const found = (thirds as readonly number[]).filter((share) => share >= FOUND).length;
  console.log(
    `| ${title} | ${told(tenths as number[])} | ${told(thirds as number[])} | ${Math.round((100 * found) / shares.length)} % |`,
  );
}

/** A tenth of the designs, and a third. */
function budgetsOf({ candidates }: Space): readonly [number, number] {
  return [Math.max(1, Math.floor(candidates.length / 10)), Math.floor(candidates.length / 3)];
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function told(shares: readonly number[]): string {
  return `${(100 * mean(shares)).toFixed(1)} % (${(100 * Math.min(...shares)).toFixed(1)} %)`;
}
