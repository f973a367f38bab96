/** The report for a terminal. */
import { hardwareTable } from "../../hardware/table.ts";
import { sameDesignWords } from "../../project/same-designs.ts";
import { describeEstimate } from "../../show/estimates.ts";
import { fitted } from "../../show/fit.ts";
import { bytes, seconds } from "../../show/words.ts";
import type { RunReport, VariantReport } from "../model/report.ts";
import { columnTexts } from "./rows.ts";

/** `width`: in characters; infinite where lines need not be wrapped. */
export function terminalReport(variants: readonly VariantReport[], width: number): string {
  const runs = variants[0]?.comparisons.map(({ run }) => run) ?? [];
  const same = variants.flatMap(({ address, sameDesign }) =>
    sameDesign === undefined ? [] : [sameDesignWords({ address, as: sameDesign })],
  );
  const { header, lines, figures } = columnTexts(variants);
  const hardware = hardwareTable(
    variants.flatMap((variant) => variant.hardware ?? []),
    width,
  );
  return [
    fitted(
      [["target", "program", "images", ...runs.map((run) => `run ${run}`)], ...variants.map(builtLine)],
      width,
    ) + same.join(""),
    ...(figures === 0 ? [] : [fitted([header, ...lines], width)]),
    ...(hardware === "" ? [] : [hardware]),
    ...variants.flatMap(({ address, estimate }) =>
      estimate === undefined ? [] : [describeEstimate(address, estimate, width)],
    ),
  ].join("\n");
}

const builtLine = (variant: VariantReport): readonly string[] => [
  variant.address,
  variant.program === undefined ? "not built" : bytes(variant.program),
  variant.images === undefined ? (variant.built ? "none" : "not built") : bytes(variant.images),
  ...variant.comparisons.map(comparisonWords),
];

function comparisonWords({ result, seconds: took, worst }: RunReport): string {
  const time = took === undefined ? "" : `, ${seconds(took)}`;
  const error = worst === undefined || worst === 0 ? "" : `, off by ${worst.toExponential(1)}`;
  return `${result}${error}${time}`;
}
