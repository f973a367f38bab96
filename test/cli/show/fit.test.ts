import fc from "fast-check";
import { expect, it } from "vitest";
import { fitted, withoutEmptyColumns } from "../../../cli/show/fit.ts";

it("a table that fits is unchanged, and has complete lines in a pipe", () => {
  expect(
    fitted(
      [
        ["a", "b"],
        ["one two", "3"],
      ],
      20,
    ),
  ).toBe("a        b\none two  3\n");
  expect(fitted([["a"], ["x ".repeat(500).trim()]], Number.POSITIVE_INFINITY).split("\n")[1]).toHaveLength(
    999,
  );
});

it("long cells are wrapped before columns go below", () => {
  const text = fitted(
    [
      ["name", "limited by", "II"],
      ["row", "the latency of an addition that waits for the next", "8"],
    ],
    40,
  );
  expect(text).toBe(
    "name  limited by                  II\nrow   the latency of an addition  8\n      that waits for the next\n",
  );
});

it("columns that do not fit are printed below, with the first column repeated", () => {
  const header = ["variant", ...Array.from({ length: 12 }, (_, i) => `figure${i}`)];
  const text = fitted([header, ["f:default", ...header.slice(1).map((_, i) => String(i))]], 60);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  expect(text.match(/^f:default/gm)?.length).toBeGreaterThan(1);
  for (const name of header) expect(text).toContain(name);
});

it("a column of which only the header says something can be left out", () => {
  const lines = [
    ["a", "b", "", "c"],
    ["1", "", "x", ""],
    ["2", "", "y", "3"],
  ];
  expect(withoutEmptyColumns(lines)).toEqual([
    ["a", "", "c"],
    ["1", "x", ""],
    ["2", "y", "3"],
  ]);
  expect(withoutEmptyColumns([["a", "b"]])).toEqual([["a", "b"]]);
});

it("loses no word of any table at any width from 60", () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const cell = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  const table = fc
    .integer({ min: 1, max: 9 })
    .chain((n) => fc.array(fc.array(cell, { minLength: n, maxLength: n }), { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(table, fc.integer({ min: 60, max: 200 }), (lines, width) => {
      const text = fitted(lines, width);
      for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
      const found = text.split(/\s+/);
      for (const one of lines.flat().flatMap((c) => c.split(" ")))
        if (one !== "") expect(found).toContain(one);
    }),
    { numRuns: 60 },
  );
});
