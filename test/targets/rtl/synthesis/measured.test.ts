/** nextpnr's report of a layout, compared with the device's table. */
import { describe, expect, it } from "vitest";
import { measuredOf } from "../../../../targets/rtl/measured.ts";
import { hx8k } from "../../../../targets/rtl/parts.ts";

const { logic } = hx8k;
const cell = (port: string) => ({ cell: "kernel.x", port });
const step = (type: string, delay: number, to: string, from = "I0") => ({
  type,
  delay,
  from: cell(from),
  to: cell(to),
});
const wire = (delay: number, from = "O") => step("routing", delay, "I0", from);

const reportOf = (path: readonly object[], achieved = 70) =>
  new Map([
    [
      "timing.json",
      JSON.stringify({
        fmax: { clk: { achieved } },
        critical_paths: [{ from: "posedge clk", to: "posedge clk", path }],
      }),
    ],
  ]);

describe("a layout's slowest path against the table", () => {
  it("has the table's register, level of logic and setup", () => {
    const files = reportOf([
      step("clk-to-q", 0.5, "O"),
      wire(4),
      step("logic", 0.3, "O"),
      wire(1),
      step("setup", 0.2, "D"),
    ]);
    const { reached, stretch } = measuredOf(files, logic) ?? {};
    expect(reached).toBe(70);
    expect(stretch).toBeCloseTo(6 / (logic.register + logic.lut + logic.setup));
  });
  it("counts entry, length and exit of a carry chain once", () => {
    const along = Array.from({ length: 7 }, () => [
      { ...wire(0, "COUT"), to: cell("CIN") },
      step("logic", 0.13, "COUT", "CIN"),
    ]).flat();
    const files = reportOf([
      step("clk-to-q", 0.5, "O"),
      wire(1),
      step("logic", 0.3, "COUT", "I1"),
      ...along,
      wire(0.3, "COUT"),
      step("logic", 0.3, "O", "I3"),
      step("setup", 0.2, "D"),
    ]);
    const expected = logic.register + logic.carry + 8 * logic.carryBit + logic.setup;
    expect(measuredOf(files, logic)?.stretch).toBeCloseTo(
      (0.5 + 1 + 0.3 + 7 * 0.13 + 0.3 + 0.3 + 0.2) / expected,
    );
  });
  it("starts with the read time of a block RAM", () => {
    const files = reportOf([step("clk-to-q", 2.4, "RDATA_3"), wire(1), step("setup", 0.2, "D")]);
    expect(measuredOf(files, logic)?.stretch).toBeCloseTo(3.6 / (logic.ram + logic.setup));
  });
  it("of another family has a clock, and no comparison", () => {
    const files = reportOf([step("clk-to-q", 0.5, "Q"), step("logic", 0.3, "F")]);
    expect(measuredOf(files, logic)).toEqual({ reached: 70 });
  });
  it("is unknown without a layout", () => expect(measuredOf(new Map(), logic)).toBeUndefined());
});
