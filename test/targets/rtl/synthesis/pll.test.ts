/** Clocks of boards that a PLL makes of an oscillator's, against Project IceStorm's icepll. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { pllFor } from "../../../../targets/rtl/verilog/board/pll.ts";
import { Rig } from "../../../cli/rig.ts";

/** What it finds for a clock, in MHz. */
function icepll(oscillator: number, clock: number) {
  const output = execFileSync("icepll", ["-i", `${oscillator}`, "-o", `${clock}`], { encoding: "utf8" });
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1]);
  return {
    made: number(/([\d.]+) MHz \(achieved\)/),
    divr: number(/^DIVR: +(\d+)/m),
    filter: number(/^FILTER_RANGE: +(\d+)/m),
  };
}

describe("an iCE40's PLL", () => {
  it.each([
    [12, 50],
    [12, 80],
    [12, 17],
    [16, 47],
    [25, 100],
    [100, 33],
    [133, 275],
    [10, 61],
  ])("makes the highest clock from %d MHz up to %d MHz that icepll makes", (oscillator, clock) => {
    const pll = pllFor(oscillator, clock);
    if (pll === undefined) throw new Error("no setting");
    expect(pll.clock).toBeCloseTo((oscillator / (pll.divr + 1)) * ((pll.divf + 1) / 2 ** pll.divq), 9);
    expect(pll.clock).toBeLessThanOrEqual(clock);
    const same = icepll(oscillator, pll.clock);
    expect(same.made).toBeCloseTo(pll.clock, 2);
    if (same.divr === pll.divr) expect(same.filter).toBe(pll.filter);
    // icepll takes the nearest, which may be above.
    const { made } = icepll(oscillator, clock);
    if (made <= clock) expect(pll.clock).toBeCloseTo(made, 2);
    else expect(clock - pll.clock).toBeGreaterThan(made - clock - 0.01);
  });

  it.each([
    [9, 50],
    [134, 50],
    [12, 15],
  ])("makes no clock from %d MHz for %d MHz", (oscillator, clock) => {
    expect(pllFor(oscillator, clock)).toBeUndefined();
  });

  it.each([
    ["part: ice40-hx8k, oscillator: 12", /has no board with a PLL[\s\S]*wrapper: uart/],
    ["part: ice40-hx8k, wrapper: uart, oscillator: 8", /no clock of 80 MHz or somewhat less of 8 MHz/],
    ['part: ice40-hx8k, pins: "clk=J3"', /this target has no board[\s\S]*wrapper: uart/],
  ])("is refused where there can be none: %s", async (options, message) => {
    const rig = new Rig({
      "arc.yaml": `arc: 1\nproject: p\nsources: [p.c]\ntargets: { ice: { kind: rtl, ${options} } }\n`,
      "p.c": "int main(void) { return 0; }\n",
    });
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });
});
