/** Totals of variants as rows of text, for the terminal and for Markdown. */

import { plural } from "../../show/words.ts";
import { isWrong } from "../model/figures.ts";
import type { DifferingRun, Totals, VariantReport } from "../model/report.ts";
import { axisText, shownFigures, varyingAxes } from "./columns.ts";
import { figureText } from "./figure.ts";

interface TextTable {
  readonly header: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** Number of columns that are figures. */
  readonly figures: number;
}

const energies: Readonly<Record<NonNullable<Totals["energyFrom"]>, string>> = {
  RAPL: "counted (RAPL)",
  NVML: "counted (NVML)",
  model: "model of the part",
};

const sources: Readonly<Record<NonNullable<Totals["from"]>, string>> = {
  program: "run of the program",
  bench: "median of arc bench",
  cycles: "cycles and clock",
  estimate: "estimate",
};

export function columnTexts(variants: readonly VariantReport[]): TextTable {
  const axes = varyingAxes(variants);
  const shown = shownFigures(variants);
  const timed = shown.some(({ key }) => key === "time");
  const differing = variants.some(isWrong);
  const metered = shown.some(({ key }) => key === "energy");
  return {
    header: [
      "variant",
      ...axes,
      ...shown.map(({ title }) => title),
      ...(differing ? ["results"] : []),
      ...(timed ? ["time from"] : []),
      ...(metered ? ["energy from"] : []),
    ],
    lines: variants.map((variant) => [
      calledAddress(variant),
      ...axes.map((axis) => axisText(variant.axes[axis])),
      ...shown.map((figure) => figureText(figure.of(variant), figure)),
      ...(differing ? [resultWords(variant)] : []),
      ...(timed ? [variant.totals.from === undefined ? "" : sources[variant.totals.from]] : []),
      ...(metered
        ? [variant.totals.energyFrom === undefined ? "" : energies[variant.totals.energyFrom]]
        : []),
    ]),
    figures: shown.length,
  };
}

/** Figures of a program that computes something else must not look like any others. */
export function resultWords({ comparisons, differing = [] }: VariantReport): string {
  const wrong = comparisons.flatMap(({ run, result }) => (result === "differs" ? [run] : []));
  return [
    ...(wrong.length === 0 ? [] : [`wrong in ${wrong.join(", ")}`]),
    ...differing.map(differingRunWords),
  ].join("; ");
}

/** `differ in 3 of 10 runs of small`. */
export const differingRunWords = ({ run, runs, of }: DifferingRun): string =>
  `differ in ${runs} of ${plural(of, "run")} of ${run}`;

/** The address with its names in arc.yaml. */
const calledAddress = ({ address, called = [] }: VariantReport): string =>
  called.length === 0 ? address : `${address} (${called.join(", ")})`;
