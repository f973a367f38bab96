/** The variants of a report that a call asks for: the best by a figure or of a front, and their order. */
import { nearest } from "../../schema/document/nearest.ts";
import type { Call } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import {
  bestOf,
  type Figure,
  figureOf,
  figures,
  fronts,
  isWrong,
  paretoOf,
  sorted,
} from "./model/figures.ts";
import type { VariantReport } from "./model/report.ts";

export type Chooser = (variants: readonly VariantReport[]) => readonly VariantReport[];

/** Selects the best variants first, then sorts; the default is the order of arc.yaml. */
export function chooserOf({ options }: Call): Chooser {
  const { sort, best } = options;
  const order = sort === undefined ? undefined : figure("figure to sort by", String(sort));
  const choose = best === undefined ? undefined : chosen(String(best));
  return (variants) => {
    const selected = choose === undefined ? variants : choose(variants);
    return order === undefined ? selected : sorted(selected, order);
  };
}

function chosen(key: string): Chooser {
  if (key === "pareto") return (variants) => weighed(variants, fronts(variants), "time, and area or energy,");
  if (key.includes(",")) {
    const by = key.split(",").map((word) => figure("figure to choose by", word.trim()));
    const titles = by.map(({ title }) => title);
    return (variants) =>
      weighed(variants, paretoOf(variants, by), `${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}`);
  }
  const by = figure("figure to choose by", key, ["pareto"]);
  return (variants) => weighed(variants, bestOf(variants, by), by.title);
}

/** Reports variants without data, as leaving them out silently would look as if they had lost. */
function weighed(
  variants: readonly VariantReport[],
  selected: readonly VariantReport[],
  what: string,
): readonly VariantReport[] {
  if (selected.length > 0 || variants.length === 0) return selected;
  throw new UsageError(
    variants.some(isWrong)
      ? `of no variant whose results are right is ${what} known`
      : `of no variant is ${what} known`,
    "`arc build --all` builds them, and `arc verify --all` runs them",
  );
}

function figure(what: string, key: string, more: readonly string[] = []): Figure {
  const found = figureOf(key);
  if (found !== undefined) return found;
  throw unknownWord(what, key, [...figures.map((one) => one.key), ...more]);
}

export function unknownWord(what: string, word: string, known: readonly string[]): UsageError {
  const near = nearest(word, known);
  return new UsageError(
    `there is no ${what} \`${word}\``,
    near === undefined ? `there are ${known.join(", ")}` : `did you mean ${near}?`,
  );
}
