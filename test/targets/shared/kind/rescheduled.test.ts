import { describe, expect, it } from "vitest";
import { marginsFor, rescheduledWords, slowerLoops } from "../../../../targets/shared/kind/rescheduled.ts";

describe("margins", () => {
  it("begin with what was measured and the spread of layouts, in steps of 0.05, and end with 1.5", () => {
    const margins = marginsFor(80, { reached: 76.9 });
    expect(margins[0]).toBe(1.15);
    expect(margins.at(-1)).toBe(1.5);
    expect(margins).toEqual([...margins].sort((a, b) => a - b));
  });
  it("cover the stretch of a path that is shorter than the period by the table", () =>
    expect(marginsFor(80, { reached: 76.9, stretch: 1.24 })[0]).toBe(1.25));
  it("are not stretched by a path that meets the table's delay", () =>
    expect(marginsFor(80, { reached: 72, stretch: 0.9 })[0]).toBe(1.2));
  it("are one where a design is far from its clock", () =>
    expect(marginsFor(80, { reached: 30, stretch: 2.8 })).toEqual([1.5]));
  it("are the same for layouts that differ by little", () =>
    expect(marginsFor(80, { reached: 76 })).toEqual(marginsFor(80, { reached: 75.2 })));
});

it("loops with a longer interval are named, others are not", () => {
  const loop = (line: number, ii?: number) => ({
    name: "",
    source: { file: "a.c", line },
    ...(ii !== undefined && { ii }),
  });
  expect(slowerLoops([loop(3, 1), loop(5, 7), loop(9)], [loop(3, 1), loop(5, 9), loop(9)])).toEqual([
    { source: { file: "a.c", line: 5 }, from: 7, to: 9 },
  ]);
});

describe("in words", () => {
  const missed = { clock: 80, reached: 76.94, margin: 1.1, slower: [] };
  it("what the second schedule reaches", () =>
    expect(rescheduledWords(missed, 83.12)).toBe(
      "clock 80 MHz missed at 76.9; scheduled again with 1.10x delays: 83.1 MHz",
    ));
  it("that it misses the clock too, and stays", () =>
    expect(rescheduledWords(missed, 78)).toMatch(
      /78\.0 MHz, which misses it too: there is no third schedule$/,
    ));
  it("that a loop is slower for it", () =>
    expect(
      rescheduledWords({ ...missed, slower: [{ source: { file: "a.c", line: 5 }, from: 1, to: 2 }] }),
    ).toMatch(/, an iteration every 2 cycles, not 1, at a\.c:5$/));
  it("that there is no other schedule", () =>
    expect(rescheduledWords({ clock: 80, reached: 70, slower: [] })).toBe(
      "clock 80 MHz missed at 70.0; no schedule with longer delays differs from this one",
    ));
});
