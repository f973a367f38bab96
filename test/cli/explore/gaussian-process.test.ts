/** Positions of candidates on the axes that they are compared by. */
import { expect, it } from "vitest";
import { expectAt, fit, scalesOf } from "../../../cli/explore/gaussian-process.ts";
import { pointsOf } from "../../../cli/explore/points.ts";

const named = (axes: Record<string, string | number | boolean>, clock?: number) => ({
  id: JSON.stringify(axes),
  axes,
  ...(clock !== undefined && { clocked: { clock } }),
});

it("doubling is one step, wherever; 0 is no number but says that something is left out", () => {
  const list = [0, 1, 2, 4, 8, 16].map((window) => named({ window }));
  expect([...pointsOf(list).values()]).toEqual([["0"], [0], [0.25], [0.5], [0.75], [1]]);
});

it("a clock is the one that hardware is made for, also where the axis leaves it to the target", () => {
  const list = [named({ clock: 0 }, 50), named({ clock: 100 }, 100), named({ clock: 200 }, 200)];
  expect([...pointsOf(list).values()]).toEqual([[0], [0.5], [1]]);
});

it("axes that tell nothing apart, or the same as another, count for nothing", () => {
  const list = [1, 2, 4].map((window) =>
    named({ window, "update.window": window, twice: 2 * window, model: "swi", odd: window === 1 }),
  );
  const widths = [...pointsOf(list).values()].map((places) => places.length);
  // `window` and what tells the first from the others.
  expect(widths).toEqual([2, 2, 2]);
});

it("what all have in common is unknown only after a first result says how much it is", () => {
  const doubt = scalesOf({ all: 10, axis: 0.25, rest: 0.2 }, 1);
  const [a = [], b = []] = [...pointsOf([named({ window: 1 }), named({ window: 8 })]).values()];
  expect(expectAt(fit([], doubt), { point: a }).deviation).toBeLessThan(1);
  expect(expectAt(fit([{ point: a, error: 7 }], doubt), { point: b }).mean).toBeGreaterThan(6);
});

it("where values may have kinks, a result says less of what is beside it, and as much of itself", () => {
  const [smooth, rough] = [false, true].map((isRough) => {
    const known = fit(
      [{ point: [0.5], error: 1 }],
      scalesOf({ all: 0, axis: 0, curve: 1, rest: 0, isRough }, 1),
    );
    return [0.5, 0.55].map((at) => expectAt(known, { point: [at] }).deviation);
  });
  const [[there = 0, beside = 0] = [], [roughThere = 0, roughBeside = 0] = []] = [smooth, rough];
  expect(roughThere).toBeCloseTo(there);
  expect(roughBeside).toBeGreaterThan(3 * beside);
});
