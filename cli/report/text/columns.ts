/** Columns for tables of variants: axes that differ, and figures that any variant has. */
import { type Figure, figures } from "../model/figures.ts";
import type { AxisValue, VariantReport } from "../model/report.ts";

/** Axes in which the variants differ, those of single kernels last. A missing value means the default. */
export function varyingAxes(variants: readonly VariantReport[]): readonly string[] {
  const all = [...new Set(variants.flatMap(({ axes }) => Object.keys(axes)))];
  const varying = all.filter((axis) => new Set(variants.map(({ axes }) => axes[axis])).size > 1);
  return [...varying.filter((axis) => !axis.includes(".")), ...varying.filter((axis) => axis.includes("."))];
}

export const axisText = (value: AxisValue | undefined): string =>
  value === undefined ? "" : value === true ? "yes" : value === false ? "no" : String(value);

/**
 * Lookup tables and flip-flops are left out if all variants count logic cells, which contain them; so are unused
 * resources.
 */
export function shownFigures(variants: readonly VariantReport[]): readonly Figure[] {
  const cells = variants.every(
    ({ totals: { resources } }) => resources.lcs !== undefined || resources.luts === undefined,
  );
  return figures.filter(
    (figure) =>
      figure.key !== "images" &&
      !(cells && /^(luts|ffs)$/.test(figure.key)) &&
      variants.some((variant) => (figure.of(variant) ?? 0) > 0),
  );
}
