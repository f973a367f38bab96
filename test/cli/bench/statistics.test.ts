import fc from "fast-check";
import { expect, it } from "vitest";
import { spreadOf, summarise } from "../../../cli/bench/statistics.ts";

it("takes the median, and between which order statistics it lies", () => {
  expect(summarise([])).toBeUndefined();
  expect(summarise([3, 1])).toEqual({ count: 2, least: 1, median: 2 });
  // Tables of the sign test: 1 and 6 of 6 (96.9 %), 2 and 9 of 10 (97.9 %), 6 and 15 of 20 (95.9 %).
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1).reverse();
  expect(summarise(upTo(5))?.interval).toBeUndefined();
  expect(summarise(upTo(6))?.interval).toEqual([1, 6]);
  expect(summarise(upTo(10))?.interval).toEqual([2, 9]);
  expect(summarise(upTo(20))?.interval).toEqual([6, 15]);
  expect(spreadOf({ count: 6, least: 1, median: 2, interval: [1, 3] })).toBe(1);
});

it("does not depend on the order, and its parts are in order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 }),
      (values) => {
        const summary = summarise(values);
        expect(summarise([...values].reverse())).toEqual(summary);
        const {
          least,
          median,
          interval = [least, Number.POSITIVE_INFINITY],
        } = summary as NonNullable<typeof summary>;
        expect(least).toBeLessThanOrEqual(interval[0]);
        expect(interval[0]).toBeLessThanOrEqual(median);
        expect(median).toBeLessThanOrEqual(interval[1]);
      },
    ),
  );
});
