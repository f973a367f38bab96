/** Variants compared with a baseline: `1.2 ms (-12 %)`, one column per figure. */
import type { Change, VariantComparison } from "../model/compare.ts";
import { figures, isWrong } from "../model/figures.ts";
import { changeText, figureText } from "./figure.ts";
import { resultWords } from "./rows.ts";

/** With their own earlier figures, or with another variant's, which are nobody else's earlier ones. */
export type Against = "earlier" | "another";

export function compareRows(
  comparisons: readonly VariantComparison[],
  against: Against,
): readonly (readonly string[])[] {
  const shown = figures.filter(({ key }) =>
    comparisons.some(({ changes }) =>
      changes.some(({ figure, before, after }) => figure.key === key && (before ?? after) !== 0),
    ),
  );
  const differing = comparisons.some(({ variant }) => isWrong(variant));
  return [
    ["variant", ...shown.map(({ title }) => title), ...(differing ? ["results"] : [])],
    ...comparisons.map(({ variant, changes }) => [
      variant.address,
      ...shown.map(({ key }) => {
        const change = changes.find(({ figure }) => figure.key === key);
        return change === undefined ? "" : cellOf(change, against);
      }),
      ...(differing ? [resultWords(variant)] : []),
    ]),
  ];
}

function cellOf({ figure, before, after, relative, bases, verdict }: Change, against: Against): string {
  const other = `${against === "earlier" ? "was" : "against"} ${figureText(before, figure)}`;
  if (after === undefined) return against === "earlier" ? other : "";
  const now = figureText(after, figure);
  if (before === undefined) return against === "earlier" ? `${now} (new)` : now;
  if (bases !== undefined) return `${now} by ${bases[1]} (${other} by ${bases[0]})`;
  if (verdict === "same") return now;
  return `${now} (${relative === undefined ? other : changeText(relative)}, ${verdict})`;
}
