/** Variants as comma-separated values (RFC 4180), with unrounded numbers in the units named in the header. */
import { type Figure, figures } from "../model/figures.ts";
import type { VariantReport } from "../model/report.ts";

const units: Readonly<Record<Figure["unit"], string>> = {
  seconds: "_s",
  joules: "_J",
  percent: "_percent",
  MHz: "_MHz",
  count: "",
  bytes: "_bytes",
  times: "_times",
};

export function csv(variants: readonly VariantReport[]): string {
  const axes = [...new Set(variants.flatMap((variant) => Object.keys(variant.axes)))];
  const runs = [...new Set(variants.flatMap(({ comparisons }) => comparisons.map(({ run }) => run)))];
  const header = [
    ...["variant", "kind", ...axes],
    ...figures.map(({ key, unit }) => `${key}${units[unit]}`),
    ...[
      "time_from",
      "energy_from",
      "program_bytes",
      ...runs.map((run) => `run_${run}`),
      "same_design",
      "differing_runs",
    ],
  ];
  const lines = variants.map((variant) => [
    ...[variant.address, variant.kind, ...axes.map((axis) => variant.axes[axis])],
    ...figures.map(({ of }) => of(variant)),
    ...[variant.totals.from, variant.totals.energyFrom, variant.program],
    ...runs.map((run) => variant.comparisons.find((one) => one.run === run)?.result),
    variant.sameDesign,
    variant.differing?.map(({ run }) => run).join(" "),
  ]);
  return [header, ...lines].map((cells) => `${cells.map(field).join(",")}\r\n`).join("");
}

function field(value: string | number | boolean | undefined): string {
  const text = value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
