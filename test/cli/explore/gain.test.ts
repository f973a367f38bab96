/** Expected gains beside what a direct sum over many values gives. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  between,
  type Distribution,
  deviationOf,
  exactly,
  expectedBelow,
  meanOf,
} from "../../../cli/explore/distribution.ts";
import { dominatedArea, dominatedVolume, expectedGrowth, gainOver } from "../../../cli/explore/gain.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const normal = fc.record({
  mean: fc.double({ min: 0, max: 10, noNaN: true }),
  deviation: fc.double({ min: 0.3, max: 3, noNaN: true }),
});
/** A design that may miss its clock has two times. */
const mixture = fc.tuple(normal, normal, share).map(
  ([one, other, weight]): Distribution => [
    { ...one, weight },
    { ...other, weight: 1 - weight },
  ],
);
const front = fc
  .array(fc.tuple(share, share), { maxLength: 6 })
  .map((points) => points.map(([x, y]) => [10 * x, 10 * y] as const));
const corner = [10, 10] as const;

/** Values with their probabilities: each part as 400 slices between -8 and 8 deviations. */
function slices(parts: Distribution): readonly { readonly value: number; readonly weight: number }[] {
  return parts.flatMap(({ mean, deviation, weight }) => {
    const heights = Array.from({ length: 400 }, (_, i) => {
      const z = (i + 0.5) / 25 - 8;
      return { value: mean + z * deviation, weight: Math.exp(-(z ** 2) / 2) };
    });
    const all = heights.reduce((sum, one) => sum + one.weight, 0);
    return heights.map((one) => ({ ...one, weight: (weight * one.weight) / all }));
  });
}
const sumOf = (parts: Distribution, of: (value: number) => number): number =>
  slices(parts).reduce((sum, { value, weight }) => sum + weight * of(value), 0);

describe("a mixture of normal distributions", () => {
  it("has the mean, the deviation and the share below a limit that a sum over its values has", () => {
    fc.assert(
      fc.property(mixture, fc.double({ min: -2, max: 12, noNaN: true }), (parts, limit) => {
        const mean = sumOf(parts, (value) => value);
        expect(meanOf(parts)).toBeCloseTo(mean, 6);
        expect(deviationOf(parts) ** 2).toBeCloseTo(
          sumOf(parts, (value) => (value - mean) ** 2),
          3,
        );
        expect(expectedBelow(parts, limit)).toBeCloseTo(
          sumOf(parts, (value) => Math.max(0, limit - value)),
          2,
        );
      }),
    );
  });

  it("is the same when it is cut at bounds and put together again", () => {
    fc.assert(
      fc.property(
        normal,
        fc.array(fc.double({ min: -5, max: 15, noNaN: true }), { maxLength: 5 }),
        (one, at) => {
          const bounds = [
            Number.NEGATIVE_INFINITY,
            ...[...at].sort((a, b) => a - b),
            Number.POSITIVE_INFINITY,
          ];
          const cut = bounds.slice(1).map((to, i) => between(one, bounds[i] as number, to));
          for (const [i, { mean }] of cut.entries()) {
            expect(mean).toBeGreaterThanOrEqual(bounds[i] as number);
            expect(mean).toBeLessThanOrEqual(bounds[i + 1] as number);
          }
          expect(cut.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 5);
          expect(meanOf(cut)).toBeCloseTo(one.mean, 3);
          expect(deviationOf(cut)).toBeCloseTo(one.deviation, 2);
        },
      ),
    );
  });

  it("of no deviation lies between two bounds or not", () => {
    const one = { mean: 2, deviation: 0 };
    expect(between(one, 1, 2)).toEqual({ ...one, weight: 1 });
    expect(between(one, 2, 3).weight).toBe(0);
  });
});

describe("the expected gain", () => {
  it("of a certain point is the growth of the dominated area", () => {
    fc.assert(
      fc.property(front, share, share, (points, x, y) => {
        const point = [12 * x, 12 * y];
        const grown = dominatedArea([...points, point], corner) - dominatedArea(points, corner);
        const sorted = [...points].sort(([a], [b]) => a - b);
        const certain = point.map(exactly);
        // Dominated points change nothing.
        expect(expectedGrowth(sorted, corner, certain)).toBeCloseTo(grown, 9);
        // The gain is a share of the area so far, which may be next to nothing: it is the growth that has digits.
        const whole = dominatedArea(points, corner) || 1;
        expect(gainOver(points, corner)(certain) * whole).toBeCloseTo(grown, 9);
      }),
    );
  });

  it("of an uncertain point is the mean of that of its values", () => {
    fc.assert(
      fc.property(front, mixture, mixture, (points, first, second) => {
        const sorted = [...points].sort(([a], [b]) => a - b);
        const before = dominatedArea(points, corner);
        const coarse = (parts: Distribution) => slices(parts).filter((_, i) => i % 8 === 4);
        let [sum, weights] = [0, 0];
        for (const x of coarse(first))
          for (const y of coarse(second)) {
            sum += x.weight * y.weight * (dominatedArea([...points, [x.value, y.value]], corner) - before);
            weights += x.weight * y.weight;
          }
        const growth = expectedGrowth(sorted, corner, [first, second]);
        expect(Math.abs(growth - sum / weights)).toBeLessThan(0.01 * (1 + growth));
      }),
      { numRuns: 25 },
    );
  });

  it("of three objectives is the growth of the dominated volume, which is a count of unit cubes", () => {
    const at = fc.integer({ min: 0, max: 5 });
    const limit = [5, 5, 5];
    const counted = (points: readonly (readonly number[])[]): number => {
      let count = 0;
      for (let cube = 0; cube < 125; cube++) {
        const place = [cube % 5, Math.floor(cube / 5) % 5, Math.floor(cube / 25)];
        if (points.some((point) => point.every((value, i) => value <= (place[i] ?? 0)))) count += 1;
      }
      return count;
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(at, at, at), { maxLength: 7 }), fc.tuple(at, at, at), (points, point) => {
        const before = counted(points);
        expect(dominatedVolume(points, limit)).toBe(before);
        const grown = counted([...points, point]) - before;
        expect(gainOver(points, limit)(point.map(exactly)) * (before || 1)).toBeCloseTo(grown, 9);
        // Of two cases it is the mean.
        const twice = point.map(
          (value): Distribution => [
            { mean: value, deviation: 0, weight: 0.5 },
            { mean: 5, deviation: 0, weight: 0.5 },
          ],
        );
        expect(gainOver(points, limit)(twice) * (before || 1)).toBeCloseTo(grown / 8, 9);
      }),
    );
  });

  it("of one objective is what is saved on the best, and on the corner while nothing is known", () => {
    expect(gainOver([[3], [2]], [9])([exactly(1.5)])).toBeCloseTo(0.5);
    expect(gainOver([[3], [2]], [9])([exactly(4)])).toBe(0);
    expect(gainOver([], [9])([exactly(4)])).toBeCloseTo(5);
  });

  it("of a point that is far better in one of two cases is not that of their mean", () => {
    const known = [[5, 5]];
    const missed: Distribution = [
      { mean: 4, deviation: 0.1, weight: 0.5 },
      { mean: 8, deviation: 0.1, weight: 0.5 },
    ];
    const area = exactly(6);
    const gain = gainOver(known, corner);
    expect(gain([missed, area])).toBeCloseTo(0.5 * gain([exactly(4), area]), 2);
    expect(gain([exactly(meanOf(missed)), area])).toBe(0);
  });
});
