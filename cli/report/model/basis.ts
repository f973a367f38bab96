/**
 * What a figure of a variant is by. Figures by different things cannot be compared: a time by an estimate that becomes one
 * by a run would look like a program that became slower.
 */
import type { Figure } from "./figures.ts";
import type { VariantReport } from "./report.ts";

/** As in `3.1 ms by an estimate`; undefined where there is only one way to know the figure. */
export function basisOf({ key }: Figure, variant: VariantReport): string | undefined {
  const { from, energyFrom } = variant.totals;
  switch (key) {
    case "time":
      return from === undefined || from === "cycles"
        ? cyclesBasis(variant)
        : from === "estimate"
          ? "an estimate"
          : "a clock on the wall";
    case "energy":
      return energyFrom === "model" ? cyclesBasis(variant) : energyFrom;
    case "cycles":
      return cyclesBasis(variant);
    case "speedup":
    case "images":
    case "tools":
      return undefined;
    default:
      return sizeBasis(variant);
  }
}

const cyclesBasis = ({ hardware = [] }: VariantReport): string | undefined =>
  hardware.length === 0
    ? undefined
    : hardware.every(({ cycles }) => cycles?.from === "run")
      ? "the cycles of a run"
      : "predicted cycles of a launch";

const bases = {
  schedule: "arc's schedule",
  estimate: "an estimate",
  report: "the vendor's report",
  synthesis: "synthesis",
  layout: "place and route",
} as const;

function sizeBasis({ hardware = [], estimate }: VariantReport): string | undefined {
  if (estimate !== undefined) return estimate.vendor === undefined ? bases.estimate : bases.report;
  const from = [...new Set(hardware.map((row) => bases[row.from]))];
  return from.length === 0 ? undefined : from.sort().join(" and ");
}
