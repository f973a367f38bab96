/** Predictions for hardware built for a clock, and what layouts teach the model. */
import { describe, expect, it } from "vitest";
import { meanOf } from "../../../cli/explore/distribution.ts";
import type { Candidate, Outcome } from "../../../cli/explore/model.ts";
import { Model } from "../../../cli/explore/model.ts";
import { nextCandidate } from "../../../cli/explore/search.ts";

/** An iteration per cycle up to 120 MHz; beyond it only every other cycle. */
const clocks = [50, 70, 90, 110, 130, 150, 170, 190];
const cyclesAt = (clock: number): number => (clock > 120 ? 2000 : 1000);
const candidates = clocks.map(
  (clock): Candidate => ({
    id: String(clock),
    axes: { clock },
    predicted: [cyclesAt(clock) / (1e6 * clock)],
    clocked: { cycles: cyclesAt(clock), clock },
  }),
);
const at = (clock: number): Candidate => candidates[clocks.indexOf(clock)] as Candidate;

/** All layouts reach this; what misses its clock is scheduled again, and has the cycles of a faster one. */
function outcomeOf(clock: number, reach: number): Outcome {
  const isMet = clock <= reach;
  const seconds = isMet ? cyclesAt(clock) / (1e6 * reach) : 2000 / (1e6 * clock);
  return { id: String(clock), values: [seconds], stretch: Math.log(clock / reach) };
}

const secondsOf = (model: Model, clock: number): number => Math.exp(meanOf(model.expect(at(clock), 0)));

describe("the time of a clock", () => {
  it("is that of what the layout reaches, once one is known", () => {
    const model = new Model(candidates, [outcomeOf(50, 80)]);
    // 80 MHz, not 50; and requesting 70 makes it no faster.
    expect(secondsOf(model, 50) * 80e6).toBeCloseTo(1000, -1);
    expect(secondsOf(model, 70)).toBeGreaterThan(0.8 * secondsOf(model, 50));
  });

  it("grows where a clock is missed, as the second schedule takes the cycles of a faster one", () => {
    const known = [outcomeOf(50, 80), outcomeOf(110, 80)];
    const model = new Model(candidates, known);
    expect(secondsOf(model, 90)).toBeGreaterThan(secondsOf(model, 70));
    // Requesting more than a missed clock promises nothing.
    const next = nextCandidate(candidates, known, { seed: 1, worth: 0 });
    expect(Number(next?.id)).toBeLessThan(110);
  });

  it("is one of two, apart from each other, where the clock may be missed", () => {
    const model = new Model(candidates, [outcomeOf(50, 100)]);
    const parts = model.expect(at(110), 0);
    const met = parts.filter(({ mean }) => Math.exp(mean) < 1200 / 110e6);
    const missed = parts.filter(({ mean }) => Math.exp(mean) > 1800 / 110e6);
    const chance = (list: typeof parts) => list.reduce((sum, { weight }) => sum + weight, 0);
    expect(chance(met)).toBeGreaterThan(0.1);
    expect(chance(missed)).toBeGreaterThan(0.1);
    expect(chance(parts)).toBeCloseTo(1, 5);
  });

  it("grows with the size of the design, which lengthens its wires", () => {
    const sized = [300, 1200].map(
      (cells): Candidate => ({
        ...at(90),
        id: String(cells),
        axes: { cells },
        clocked: { cycles: 1000, clock: 90, cells },
      }),
    );
    const [small = 0, large = 0] = sized.map((one) => meanOf(new Model(sized, []).expect(one, 0)));
    expect(large).toBeGreaterThan(small);
  });

  it("counts several launches of a run by what the first build took", () => {
    const one = outcomeOf(50, 80) as {
      readonly id: string;
      readonly values: number[];
      readonly stretch: number;
    };
    const many = { ...one, values: one.values.map((seconds) => 40 * seconds) };
    const model = new Model(candidates, [many]);
    expect(secondsOf(model, 70) * 80e6).toBeGreaterThan(30 * 1000);
  });
});

it("a design that was built is not built again for another clock", () => {
  const twins = candidates.map((candidate) => ({ ...candidate, design: "one" }));
  expect(nextCandidate(twins, [outcomeOf(50, 80)], { seed: 1, worth: 0 })).toBeUndefined();
});
