/** Figures that are by different things are never told better or worse: all pairs of the ways in which one can be known. */
import { describe, expect, it } from "vitest";
import type { HardwareRow } from "../../../../cli/hardware/rows.ts";
import { basisOf } from "../../../../cli/report/model/basis.ts";
import { type Budget, brokenBudgets, parseBudget } from "../../../../cli/report/model/budgets.ts";
import { compare } from "../../../../cli/report/model/compare.ts";
import { type Figure, figures } from "../../../../cli/report/model/figures.ts";
import type { VariantReport } from "../../../../cli/report/model/report.ts";
import { brokenText } from "../../../../cli/report/text/budgets.ts";
import { compareRows } from "../../../../cli/report/text/compare-table.ts";
import { variant } from "../variants.ts";

const row = (from: HardwareRow["from"], cycles?: "run" | "predicted"): HardwareRow => ({
  ...{ address: "f:a/k", variant: "f:a", kind: "rtl", region: "k", kernel: "k", loops: [] },
  ...{ from, resources: { luts: 7 }, percent: { luts: 1 } },
  ...(cycles && { cycles: { value: 100, from: cycles } }),
});
const sizes = { clock: 50, area: 3, resources: { luts: 7 } };
const states: Readonly<Record<string, (scale: number) => VariantReport>> = {
  unknown: () => variant("f:a"),
  ran: (n) => variant("f:a", { seconds: n, from: "program", speedup: 2 / n, energy: n, energyFrom: "RAPL" }),
  benched: (n) => variant("f:a", { seconds: n, from: "bench", energy: n, energyFrom: "NVML" }),
  estimated: (n) =>
    variant("f:a", { seconds: n, from: "estimate", ...sizes, area: n }, {
      estimate: { resources: { luts: 7 }, available: { luts: 100 } },
    } as unknown as VariantReport),
  reported: (n) =>
    variant("f:a", { seconds: n, from: "estimate", ...sizes, area: n }, {
      estimate: { vendor: { resources: { luts: 9 } }, resources: {}, available: {} },
    } as unknown as VariantReport),
  scheduled: (n) =>
    variant("f:a", { cycles: n, seconds: n, from: "cycles" }, { hardware: [row("schedule", "predicted")] }),
  "laid out": (n) =>
    variant(
      "f:a",
      { cycles: n, seconds: n, from: "cycles", ...sizes, area: n, energy: n, energyFrom: "model" },
      { hardware: [row("layout", "predicted")] },
    ),
  simulated: (n) =>
    variant(
      "f:a",
      { cycles: n, seconds: n, from: "cycles", ...sizes, area: n, energy: n, energyFrom: "model" },
      { hardware: [row("layout", "run")] },
    ),
};
const names = Object.keys(states);
const pairs = names.flatMap((before) => names.map((after) => [before, after] as const));
const stateOf = (name: string, scale: number): VariantReport =>
  (states[name] as (n: number) => VariantReport)(scale);
const budgetOf = (text: string): Budget => parseBudget(text) as Budget;

describe.each(pairs)("%s, now %s", (before, after) => {
  const [base, now] = [stateOf(before, 1), stateOf(after, 2)];
  const isSameBasis = (figure: Figure): boolean => {
    const bases = [basisOf(figure, base), basisOf(figure, now)];
    return bases.includes(undefined) || bases[0] === bases[1];
  };

  it("is judged where both are by the same, and only there", () => {
    const comparison = compare(now, base);
    for (const { figure, before: x, after: y, verdict, relative, bases } of comparison.changes) {
      const isKnown = x !== undefined && y !== undefined;
      const isSame = isSameBasis(figure);
      expect(verdict !== "unknown", figure.key).toBe(isKnown && isSame);
      expect(relative !== undefined, figure.key).toBe(isKnown && isSame);
      expect(bases !== undefined, figure.key).toBe(isKnown && !isSame);
    }
    if (before === after) expect(comparison.changes.every(({ verdict }) => verdict !== "unknown")).toBe(true);
    const texts = (against: "earlier" | "another") => compareRows([comparison], against).join("\n");
    expect(texts("another")).not.toMatch(/was|new/);
    expect(texts("earlier")).not.toContain("against");
  });

  it("breaks a budget that cannot be judged, and says why", () => {
    for (const figure of figures) {
      const known = [base, now].map((one) => figure.of(one));
      const [broken] = brokenBudgets([budgetOf(`${figure.key} rises 50 %`)], [now], [base]);
      if (known.includes(undefined)) continue;
      const isSame = isSameBasis(figure);
      expect(broken?.why === "other bases", figure.key).toBe(!isSame);
      if (broken && !isSame)
        expect(brokenText(broken)).toMatch(/ by .*, and was .* by .*, which cannot be compared/);
    }
  });
});

it("a time of hardware by a schedule is none of a run", () => {
  const { changes } = compare(stateOf("simulated", 2), stateOf("laid out", 1));
  const [time] = compareRows([{ variant: variant("f:a"), changes }], "earlier")[1]?.slice(1) ?? [];
  expect(time).toBe("2.0 s by the cycles of a run (was 1.0 s by predicted cycles of a launch)");
});
