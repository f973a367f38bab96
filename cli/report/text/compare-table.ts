/** Variants compared with a baseline: `1.2 ms (-12 %)`, one column per figure. */
import type { Change, VariantComparison } from "../model/compare.ts";
import { figures } from "../model/figures.ts";
import { changeText, figureText } from "./figure.ts";

/** `against`: name in the first line, if one variant is the baseline of all. */
export function compareRows(comparisons: readonly VariantComparison[]): readonly (readonly string[])[] {
  const shown = figures.filter(({ key }) =>
    comparisons.some(({ changes }) =>
      changes.some(({ figure, before, after }) => figure.key === key && (before ?? after) !== 0),
    ),
  );
  return [
    ["variant", ...shown.map(({ title }) => title)],
    ...comparisons.map(({ variant, changes }) => [
      variant.address,
      ...shown.map(({ key }) => {
        const change = changes.find(({ figure }) => figure.key === key);
        return change === undefined ? "" : cellOf(change);
      }),
    ]),
  ];
}

function cellOf({ figure, before, after, relative, verdict }: Change): string {
  if (after === undefined) return `was ${figureText(before, figure)}`;
  const now = figureText(after, figure);
  if (before === undefined) return `${now} (new)`;
  if (verdict === "same") return now;
  return `${now} (${relative === undefined ? `was ${figureText(before, figure)}` : changeText(relative)}, ${verdict})`;
}
