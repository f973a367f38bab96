/** The figures by which variants are sorted, chosen and compared: one table for all output formats. */
import { itemAt } from "../../../core/checked/access.ts";
import { resourceWords } from "../../../rules/steps/kernels/resource-words.ts";
import type { VariantReport } from "./report.ts";

export interface Figure {
  /** As in `--sort time`. */
  readonly key: string;
  /** Title of its column. */
  readonly title: string;
  readonly unit: "seconds" | "percent" | "MHz" | "count" | "bytes" | "times";
  /** Whether smaller or greater values are better. */
  readonly better: "less" | "more";
  readonly of: (variant: VariantReport) => number | undefined;
}

const general: readonly Figure[] = [
  { key: "time", title: "time", unit: "seconds", better: "less", of: ({ totals }) => totals.seconds },
  { key: "speedup", title: "speed-up", unit: "times", better: "more", of: ({ totals }) => totals.speedup },
  { key: "cycles", title: "cycles", unit: "count", better: "less", of: ({ totals }) => totals.cycles },
  { key: "clock", title: "MHz", unit: "MHz", better: "more", of: ({ totals }) => totals.clock },
  { key: "area", title: "area", unit: "percent", better: "less", of: ({ totals }) => totals.area },
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

/** The best variant of each target that has the figure. */
export function bestOf(variants: readonly VariantReport[], figure: Figure): readonly VariantReport[] {
  const known = sorted(
    variants.filter((variant) => figure.of(variant) !== undefined),
    figure,
  );
  const targets = [...new Set(variants.map(({ target }) => target))];
  return targets.flatMap((target) => known.find((variant) => variant.target === target) ?? []);
}

/**
 * Each target's Pareto front: variants for which no other is at least as good in all figures and better in one.
 * Variants that lack a figure are left out.
 */
export function paretoOf(
  variants: readonly VariantReport[],
  by: readonly Figure[],
): readonly VariantReport[] {
  const points = variants.flatMap((variant) => {
    const values = by.map(({ of, better }) => {
      const value = of(variant);
      return value === undefined ? undefined : better === "less" ? value : -value;
    });
    return values.every((value) => value !== undefined) ? [{ variant, values }] : [];
  });
  return points
    .filter(
      (point) =>
        !points.some(
          (other) => other.variant.target === point.variant.target && dominates(other.values, point.values),
        ),
    )
    .map(({ variant }) => variant);
}

/** Smaller values are better. */
export const dominates = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, i) => value <= itemAt(b, i)) && a.some((value, i) => value < itemAt(b, i));
