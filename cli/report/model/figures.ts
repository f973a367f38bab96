/** The figures by which variants are sorted, chosen and compared: one table for all output formats. */
import { itemAt } from "../../../core/checked/access.ts";
import { resourceWords } from "../../../rules/steps/kernels/resource-words.ts";
import type { VariantReport } from "./report.ts";

export interface Figure {
  /** As in `--sort time`. */
  readonly key: string;
  /** Title of its column. */
  readonly title: string;
  readonly unit: "seconds" | "joules" | "percent" | "MHz" | "count" | "bytes" | "times";
  /** Whether smaller or greater values are better. */
  readonly better: "less" | "more";
  readonly of: (variant: VariantReport) => number | undefined;
}

const time: Figure = {
  ...{ key: "time", title: "time", unit: "seconds", better: "less" },
  of: ({ totals }) => totals.seconds,
};
const energy: Figure = {
  ...{ key: "energy", title: "energy", unit: "joules", better: "less" },
  of: ({ totals }) => totals.energy,
};
const area: Figure = {
  ...{ key: "area", title: "area", unit: "percent", better: "less" },
  of: ({ totals }) => totals.area,
};

const general: readonly Figure[] = [
  time,
  { key: "speedup", title: "speed-up", unit: "times", better: "more", of: ({ totals }) => totals.speedup },
  { key: "cycles", title: "cycles", unit: "count", better: "less", of: ({ totals }) => totals.cycles },
  { key: "clock", title: "MHz", unit: "MHz", better: "more", of: ({ totals }) => totals.clock },
  energy,
  area,
];

const resources = Object.entries(resourceWords).map(
  ([what, word]): Figure => ({
    key: `${what}`,
    title: word,
    unit: "count",
    better: "less",
    of: ({ totals }) => totals.resources[what],
  }),
);

export const figures: readonly Figure[] = [
  ...general,
  ...resources,
  { key: "images", title: "images", unit: "bytes", better: "less", of: ({ images }) => images },
  { key: "tools", title: "tools", unit: "seconds", better: "less", of: ({ totals }) => totals.tools },
];

export const figureOf = (key: string): Figure | undefined => figures.find((figure) => figure.key === key);

/** Sorts the best first; variants without the figure come last in their old order. */
export function sorted(variants: readonly VariantReport[], { of, better }: Figure): readonly VariantReport[] {
  const sign = better === "less" ? 1 : -1;
  return [...variants].sort((a, b) => {
    const [left, right] = [of(a), of(b)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  });
}

/** Its results are not the serial program's, or not always the same: however fast it is, it is the best of nothing. */
export const isWrong = ({ comparisons, differing }: VariantReport): boolean =>
  differing !== undefined || comparisons.some(({ result }) => result === "differs");

/** The best variant of each target that has the figure, and whose results are right as far as they were compared. */
export function bestOf(variants: readonly VariantReport[], figure: Figure): readonly VariantReport[] {
  const known = sorted(
    variants.filter((variant) => figure.of(variant) !== undefined && !isWrong(variant)),
    figure,
  );
  const targets = [...new Set(variants.map(({ target }) => target))];
  return targets.flatMap((target) => known.find((variant) => variant.target === target) ?? []);
}

/**
 * Each target's Pareto front: variants for which no other is at least as good in all figures and better in one.
 * Variants that lack a figure, or whose results are wrong, are left out. By sorting, as a page may have thousands of variants.
 */
export function paretoOf(
  variants: readonly VariantReport[],
  by: readonly Figure[],
): readonly VariantReport[] {
  const front = new Set<VariantReport>();
  for (const target of new Set(variants.map((variant) => variant.target)))
    for (const variant of frontOf(
      variants.filter((one) => one.target === target),
      by,
    ))
      front.add(variant);
  return variants.filter((variant) => front.has(variant));
}

function frontOf(variants: readonly VariantReport[], by: readonly Figure[]): readonly VariantReport[] {
  const points = variants
    .flatMap((variant) => {
      const costs = by.map((figure) => costOf(variant, figure));
      const isKnown = costs.every((cost) => cost !== undefined);
      return isKnown && !isWrong(variant) ? [{ variant, costs: costs as readonly number[] }] : [];
    })
    .sort((a, b) => a.costs.reduce((order, cost, i) => order || cost - itemAt(b.costs, i), 0));
  const front: (typeof points)[number][] = [];
  for (const point of points) {
    // What dominates a point stands in front of it; of two figures the last one does, if any does. Equal points are on the
    // front together.
    const others = by.length === 2 ? front.slice(-1) : front;
    if (!others.some(({ costs }) => dominates(costs, point.costs))) front.push(point);
  }
  return front.map(({ variant }) => variant);
}

/** Smaller is better. */
function costOf(variant: VariantReport, { of, better }: Figure): number | undefined {
  const value = of(variant);
  return value === undefined || better === "less" ? value : -value;
}

/** Each target's front in what it is weighed by: hardware in time and area, what is measured in time and energy. */
export const fronts = (variants: readonly VariantReport[]): readonly VariantReport[] =>
  [...new Set(variants.map(({ target }) => target))].flatMap((target) => {
    const own = variants.filter((variant) => variant.target === target);
    return paretoOf(own, [time, own.some((variant) => area.of(variant) !== undefined) ? area : energy]);
  });

/** Smaller values are better. */
export const dominates = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, i) => value <= itemAt(b, i)) && a.some((value, i) => value < itemAt(b, i));
