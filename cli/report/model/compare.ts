/** Compares variants with a baseline: another variant, or themselves in an earlier report. */
import { basisOf } from "./basis.ts";
import { type Figure, figures } from "./figures.ts";
import type { VariantReport } from "./report.ts";

export interface Change {
  readonly figure: Figure;
  readonly before?: number;
  readonly after?: number;
  /** `after / before - 1`; absent where no ratio is defined. */
  readonly relative?: number;
  /** What each is by, where that is not the same: then they are not compared. */
  readonly bases?: readonly [before: string, after: string];
  readonly verdict: "better" | "worse" | "same" | "unknown";
}

export interface VariantComparison {
  readonly variant: VariantReport;
  readonly changes: readonly Change[];
}

/** Figures that neither variant has are left out. */
export function compare(variant: VariantReport, base: VariantReport | undefined): VariantComparison {
  const changes = figures.flatMap((figure): Change[] => {
    const [before, after] = [base && figure.of(base), figure.of(variant)];
    if (before === undefined && after === undefined) return [];
    const known = before !== undefined && after !== undefined;
    const bases = base && known ? differingBases(figure, base, variant) : undefined;
    const isComparable = known && bases === undefined;
    // Beside next to nothing a ratio may have no number.
    const relative = isComparable ? after / before - 1 : Number.NaN;
    return [
      {
        figure,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        ...(Number.isFinite(relative) && { relative }),
        ...(bases && { bases }),
        verdict: isComparable ? verdictOf(figure, before, after) : "unknown",
      },
    ];
  });
  return { variant, changes };
}

/** Of a figure that is by one thing in one variant, and by another in the other, as far as both say. */
export function differingBases(
  figure: Figure,
  base: VariantReport,
  variant: VariantReport,
): readonly [before: string, after: string] | undefined {
  const [before, after] = [basisOf(figure, base), basisOf(figure, variant)];
  return before === undefined || after === undefined || before === after ? undefined : [before, after];
}

/** A smaller relative change counts as none: it would be printed as 0 %. */
const SAME = 0.0005;

function verdictOf({ better }: Figure, before: number, after: number): Change["verdict"] {
  if (Math.abs(after - before) <= SAME * Math.abs(before)) return "same";
  return after < before === (better === "less") ? "better" : "worse";
}
