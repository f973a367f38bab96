import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../../../../cli/report/model/compare.ts";
import type { Figure } from "../../../../cli/report/model/figures.ts";
import {
  bestOf,
  dominates,
  figureOf,
  fronts,
  paretoOf,
  sorted,
} from "../../../../cli/report/model/figures.ts";
import { compareRows } from "../../../../cli/report/text/compare-table.ts";
import { columnTexts } from "../../../../cli/report/text/rows.ts";
import { variant } from "../variants.ts";

const [time, area, clock, energy] = ["time", "area", "clock", "energy"].map(
  (key) => figureOf(key) as Figure,
) as [Figure, Figure, Figure, Figure];
const names = (list: readonly { address: string }[]) => list.map(({ address }) => address);

describe("variants", () => {
  const all = [
    variant("f:a", { seconds: 3, clock: 80 }),
    variant("f:b", {}),
    variant("f:c", { seconds: 1, clock: 60 }),
    variant("g:d", { seconds: 2 }),
  ];

  it("are sorted with the best first and the unknown last", () => {
    expect(names(sorted(all, time))).toEqual(["f:c", "g:d", "f:a", "f:b"]);
    expect(names(sorted(all, clock))).toEqual(["f:a", "f:c", "f:b", "g:d"]);
  });

  it("have one best of each target that has the figure", () => {
    expect(names(bestOf(all, time))).toEqual(["f:c", "g:d"]);
    expect(names(bestOf(all, clock))).toEqual(["f:a"]);
  });

  it("are neither best nor on a front where their results differ from the serial program's", () => {
    const wrong = { comparisons: [{ run: "r", result: "differs" }] } as const;
    const some = [
      variant("f:a", { seconds: 1, area: 1 }, wrong),
      variant("f:b", { seconds: 2, area: 2 }, { comparisons: [{ run: "r", result: "same" }] }),
      variant("f:c", { seconds: 3, area: 1 }, { comparisons: [{ run: "r", result: "not run" }] }),
      variant("g:a", { seconds: 1, area: 1 }, wrong),
    ];
    expect(names(bestOf(some, time))).toEqual(["f:b"]);
    expect(names(fronts(some))).toEqual(["f:b", "f:c"]);
    const { header, lines } = columnTexts(some);
    expect(lines.map((line) => line[header.indexOf("results")])).toEqual([
      "wrong in r",
      "",
      "",
      "wrong in r",
    ]);
    const compared = compareRows(
      some.map((one) => compare(one, some[1])),
      "another",
    );
    expect(compared.map((line) => line.at(-1))).toEqual(["results", "wrong in r", "", "", "wrong in r"]);
  });

  it("have fronts in time and area where they have one, and in time and energy elsewhere", () => {
    const mixed = [
      variant("f:a", { seconds: 1, area: 9, energy: 9 }),
      variant("f:b", { seconds: 2, area: 8, energy: 1 }),
      variant("f:c", { seconds: 3, area: 9, energy: 0.5 }),
      variant("g:a", { seconds: 1, energy: 9 }),
      variant("g:b", { seconds: 2, energy: 8 }),
      variant("g:c", { seconds: 3, energy: 9 }),
    ];
    expect(names(fronts(mixed))).toEqual(["f:a", "f:b", "g:a", "g:b"]);
  });

  it("on the Pareto front beat all others in something, and every other is beaten by one of them", () => {
    const point = fc.record({
      seconds: fc.integer({ min: 1, max: 6 }),
      area: fc.integer({ min: 1, max: 6 }),
      energy: fc.integer({ min: 1, max: 6 }),
    });
    const by = fc.subarray([time, area, energy], { minLength: 1 });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 20 }), by, (points, figures) => {
        const variants = points.map((totals, i) => variant(`f:${i}`, totals));
        const front = paretoOf(variants, figures);
        const values = (one: (typeof variants)[number]) => figures.map(({ of }) => of(one) ?? 0);
        for (const one of variants) {
          const beaten = front.some((best) => dominates(values(best), values(one)));
          expect(beaten).toBe(!front.includes(one));
        }
      }),
    );
  });
});

it("a change says whether it is better, by what the figure is", () => {
  const { changes } = compare(
    variant("f:b", { seconds: 1, clock: 50, cycles: 7 }),
    variant("f:a", { seconds: 2, clock: 100, cycles: 7, area: 3 }),
  );
  expect(changes.map(({ figure, verdict, relative }) => [figure.key, verdict, relative])).toEqual([
    ["time", "better", -0.5],
    ["cycles", "same", 0],
    ["clock", "worse", -0.5],
    ["area", "unknown", undefined],
  ]);
});

it("reports of other variants, kernels and figures are compared without a number that is none", () => {
  const value = fc.option(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e9, noNaN: true })));
  const kernel = fc.record({
    from: fc.constantFrom("layout" as const, "synthesis" as const, "schedule" as const),
    kernel: fc.constantFrom("k (a.c:1)", "m (a.c:2)"),
  });
  const one = fc
    .record({
      name: fc.constantFrom("a", "b", "日本", "x|y"),
      totals: fc.record({ seconds: value, area: value, clock: value, energy: value }),
      luts: value,
      hardware: fc.array(kernel, { maxLength: 3 }),
      wrong: fc.boolean(),
    })
    .map(({ name, totals, luts, hardware, wrong }) =>
      variant(
        `f:${name}`,
        {
          ...Object.fromEntries(Object.entries(totals).filter(([, known]) => known !== null)),
          ...(luts !== null && { resources: { luts } }),
        },
        {
          comparisons: wrong ? [{ run: "small", result: "differs" }] : [],
          hardware: hardware.map((row) => ({
            ...{ variant: `f:${name}`, kind: "rtl", region: "r" },
            ...{ loops: [], resources: {}, percent: {}, ...row },
          })),
        },
      ),
    );
  const report = fc.uniqueArray(one, { selector: ({ address }) => address, maxLength: 5 });
  fc.assert(
    fc.property(report, report, (now, then) => {
      const compared = now.map((each) =>
        compare(
          each,
          then.find(({ address }) => address === each.address),
        ),
      );
      for (const against of ["earlier", "another"] as const) {
        const rows = compareRows(compared, against);
        expect(new Set(rows.map((row) => row.length)).size).toBe(1);
        expect(rows.flat().join("\n")).not.toMatch(/NaN|Infinity|undefined|object/);
      }
    }),
  );
});
