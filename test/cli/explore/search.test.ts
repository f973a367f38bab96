import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dominatedArea } from "../../../cli/explore/gain.ts";
import type { Candidate, Outcome } from "../../../cli/explore/model.ts";
import { nextCandidate } from "../../../cli/explore/search.ts";
import { candidates, feasible, space, truth } from "./made-up.ts";

function outcomeOf({ id }: Candidate, objectives: readonly number[]): Outcome {
  const values = objectives.map((j) => (truth[Number(id)] as readonly number[])[j] as number);
  return feasible(id) ? { id, values } : { id, failed: true };
}

const corner = [0, 1].map((j) => Math.log(Math.max(...truth.map((point) => point[j] as number))) + 0.1);
const areaOf = (outcomes: readonly Outcome[]): number =>
  dominatedArea(
    outcomes.flatMap((outcome) => ("values" in outcome ? [outcome.values.map(Math.log)] : [])),
    corner,
  );

function search(
  budget: number,
  seed: number,
  list = candidates,
  objectives: readonly number[] = [0, 1],
): Outcome[] {
  const outcomes: Outcome[] = [];
  while (outcomes.length < budget) {
    const next = nextCandidate(list, outcomes, { seed, worth: 0.001 });
    if (next === undefined) break;
    outcomes.push(outcomeOf(next, objectives));
  }
  return outcomes;
}

/** The mean of many, so that luck decides nothing. */
function randomArea(budget: number): number {
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const tries = Array.from({ length: 50 }, () => {
    const left = [...candidates];
    const drawn = Array.from(
      { length: budget },
      () => left.splice(Math.floor(random() * left.length), 1)[0] as Candidate,
    );
    return areaOf(drawn.map((one) => outcomeOf(one, [0, 1])));
  });
  return tries.reduce((a, b) => a + b, 0) / tries.length;
}

describe("a search", () => {
  const whole = areaOf(candidates.map((candidate) => outcomeOf(candidate, [0, 1])));

  it("dominates 99 % of what the whole front does with a tenth of the builds, random choice less than 88 %", () => {
    expect(areaOf(search(24, 1)) / whole).toBeGreaterThan(0.99);
    expect(randomArea(24) / whole).toBeLessThan(0.88);
  });

  it("is not misled by predictions that have another unit", () => {
    const scaled = candidates.map((one, i) => ({
      ...one,
      predicted: [one.predicted[0], 3000 * ((truth[i] as readonly number[])[1] as number) ** 0.5],
      proportional: [1],
    }));
    expect(areaOf(search(24, 1, scaled)) / whole).toBeGreaterThan(0.97);
  });

  it("finds the fastest, and stops before a tenth is built", () => {
    const times = candidates.map(({ predicted: [seconds], ...rest }) => ({ ...rest, predicted: [seconds] }));
    const built = search(24, 1, times, [0]).flatMap((outcome) =>
      "values" in outcome ? [outcome.values[0] as number] : [],
    );
    const best = Math.min(
      ...space.flatMap((_, i) => (feasible(String(i)) ? [(truth[i] as readonly number[])[0] as number] : [])),
    );
    expect(built.length).toBeLessThan(24);
    expect(Math.min(...built)).toBe(best);
  });

  it("continues where it was stopped, builds nothing twice, and is the same for the same seed", () => {
    const one = search(12, 7);
    expect(search(12, 7)).toEqual(one);
    expect(new Set(one.map(({ id }) => id)).size).toBe(12);
    const next = nextCandidate(candidates, one.slice(0, 5), { seed: 7, worth: 0.001 });
    expect(next?.id).toBe(one[5]?.id);
  });

  it("begins with what the compiler takes by itself, where nothing is estimated", () => {
    const axes = ["a", "b"].flatMap((tile) => [1, 2, 4].map((unroll) => ({ tile, unroll })));
    const list = axes.map(
      (one, i): Candidate => ({
        id: String(i),
        axes: one,
        predicted: [undefined],
        departures: Number(one.tile !== "b") + Number(one.unroll !== 2),
      }),
    );
    for (const seed of [1, 2, 3])
      expect(nextCandidate(list, [], { seed })?.axes).toEqual({ tile: "b", unroll: 2 });
  });

  it("ends when nothing is left, even if nothing can be built", () => {
    const few = candidates.slice(0, 3);
    const outcomes = few.map(({ id }): Outcome => ({ id, failed: true }));
    expect(nextCandidate(few, outcomes, { seed: 1 })).toBeUndefined();
    expect(nextCandidate([], [], { seed: 1 })).toBeUndefined();
  });
});

it("the dominated area is what a grid of points counts", () => {
  const coordinate = fc.integer({ min: 0, max: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(coordinate, coordinate), { maxLength: 8 }), (points) => {
      let counted = 0;
      for (let x = 0; x < 10; x++)
        for (let y = 0; y < 10; y++) if (points.some(([a, b]) => a <= x && b <= y)) counted += 1;
      expect(dominatedArea(points, [10, 10])).toBe(counted);
    }),
  );
});
