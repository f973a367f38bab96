/** Totals of variants as rows of text, for the terminal and for Markdown. */
import type { Totals, VariantReport } from "../model/report.ts";
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
  const metered = shown.some(({ key }) => key === "energy");
  return {
    header: [
      "variant",
      ...axes,
      ...shown.map(({ title }) => title),
      ...(timed ? ["time from"] : []),
      ...(metered ? ["energy from"] : []),
    ],
    lines: variants.map((variant) => [
      calledAddress(variant),
      ...axes.map((axis) => axisText(variant.axes[axis])),
      ...shown.map((figure) => figureText(figure.of(variant), figure)),
      ...(timed ? [variant.totals.from === undefined ? "" : sources[variant.totals.from]] : []),
      ...(metered
        ? [variant.totals.energyFrom === undefined ? "" : energies[variant.totals.energyFrom]]
        : []),
    ]),
    figures: shown.length,
  };
}

/** The address with its names in arc.yaml. */
const calledAddress = ({ address, called = [] }: VariantReport): string =>
  called.length === 0 ? address : `${address} (${called.join(", ")})`;
