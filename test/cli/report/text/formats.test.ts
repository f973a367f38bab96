import { expect, it } from "vitest";
import { csv } from "../../../../cli/report/text/csv.ts";
import { changeText, figureText } from "../../../../cli/report/text/figure.ts";
import { markdownTable } from "../../../../cli/report/text/markdown.ts";
import { columnTexts } from "../../../../cli/report/text/rows.ts";
import { variant } from "../variants.ts";

it("columns are the axes that differ and the figures that somebody has", () => {
  const { header, lines } = columnTexts([
    variant("f:default", { seconds: 2e-3, from: "cycles" }, { axes: { window: "auto", unroll: 2 } }),
    variant("f:sw4", { area: 4 }, { axes: { window: 4, unroll: 2, "rows.hoist": true } }),
  ]);
  expect(header).toEqual(["variant", "window", "rows.hoist", "time", "area", "time from"]);
  expect(lines).toEqual([
    ["f:default", "auto", "", "2.00 ms", "", "cycles and clock"],
    ["f:sw4", "4", "yes", "", "4.0 %", ""],
  ]);
});

it("CSV has plain numbers with units in the header, and quotes what needs it", () => {
  const [header = "", line = ""] = csv([
    variant("f:a", { seconds: 0.5, resources: { luts: 3 } }, { axes: { note: 'a,"b"' } }),
  ]).split("\r\n");
  const cells = Object.fromEntries(header.split(",").map((name, i) => [name, line.split(/,(?![^"]*"")/)[i]]));
  expect(cells).toMatchObject({
    variant: "f:a",
    note: '"a,""b"""',
    time_s: "0.5",
    luts: "3",
    area_percent: "",
  });
});

it("Markdown cells cannot end their cell", () => {
  expect(markdownTable([["a|b"], ["x_y*"]])).toBe("| a\\|b |\n| --- |\n| x\\_y\\* |\n");
});

it.each([
  [-0.125, "-13 %"],
  [0.021, "+2.1 %"],
  [1.5, "x 2.50"],
  [1399, "x 1400"],
  [0.0001, "0 %"],
])("a change of %s is %s", (relative, text) => expect(changeText(relative)).toBe(text));

it("a figure has its unit", () => {
  expect(figureText(1.2e-5, { unit: "seconds" })).toBe("12.0 µs");
  expect([2300, 12.34, 0.0123, 6.79e-5, 4e-8].map((value) => figureText(value, { unit: "joules" }))).toEqual([
    "2.30 kJ",
    "12.3 J",
    "12.3 mJ",
    "67.9 µJ",
    "40.0 nJ",
  ]);
  expect([0.0512, 0.6, 12].map((value) => figureText(value, { unit: "times" }))).toEqual([
    "0.051 x",
    "0.60 x",
    "12.0 x",
  ]);
  expect(figureText(undefined, { unit: "count" })).toBe("");
});
