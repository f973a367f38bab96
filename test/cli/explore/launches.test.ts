/** What a manifest tells of launches before sizes are known, and what too few work-items are expected to cost. */
import { expect, it } from "vitest";
import { scalesOf } from "../../../cli/explore/gaussian-process.ts";
import { launchesOf } from "../../../cli/explore/launches.ts";
import { parallelismOf, slowdown } from "../../../cli/explore/parallelism.ts";

const launches = (...texts: readonly (readonly [group: string, grid: string])[]) =>
  launchesOf(texts.map(([group, grid]) => `kernel k\ngroup ${group} ; 1\ngrid ${grid} ; 1\n`).join(""));

it.each([
  ["a number that the variant gives", "66 ; 1", 256 * 66],
  ["a product of numbers", "6 7 * ; 2", 256 * 84],
  ["what the trip count decides", "1 t0 0 max 256 ceildiv max ; 1", Number.POSITIVE_INFINITY],
  ["what the trip count decides, up to a number", "t0 256 ceildiv 264 min ; 1", 256 * 264],
  ["what drivers take at most, which limits nothing", "t0 65535 min ; 1", Number.POSITIVE_INFINITY],
  ["either of two", "t0 12 24 ? ; 1", 256 * 24],
  ["a count of 0, which is one group", "0 ; 1", 256],
  ["a remainder", "t0 8 % ; 1", 256 * 8],
  ["a part of a known number", "100 t0 / ; 1", 256 * 100],
])("items of a launch: %s", (_, grid, items) => {
  expect(launches(["64 ; 4", grid])).toEqual([{ group: [64, 4], items }]);
});

it("tells of each kernel", () => {
  const found = launches(["64 ; 1", "2 ; 1"], ["32 ; 2", "t0 ; 1"]);
  expect(found.map(({ items }) => items)).toEqual([128, Number.POSITIVE_INFINITY]);
});

it.each([1 << 11, 1 << 14, 1 << 18])(
  "learns that a device has room for %i items, and what of the energy grows with the time",
  (room) => {
    const share = 0.25;
    const observed = [-5, -4, -3, -2, -1, 0, 1, 2].map((step) => {
      const own = [{ group: [1, 1] as const, items: room * 2 ** step }];
      return { launches: own, point: [step / 7 + 0.7], error: slowdown(own, { room, share }) };
    });
    const doubt = { all: 10, axis: 0.4, rest: 0.3 };
    const found = parallelismOf(observed, scalesOf(doubt, 1));
    expect(Math.abs(Math.log2(found.room / room))).toBeLessThan(1);
    expect(found.share).toBeGreaterThan(0);
    expect(found.share).toBeLessThan(0.75);
  },
);

it("keeps the usual room while all that was measured has items enough for it", () => {
  const observed = [0, 0.3, 0.6, 1].map((place) => {
    const own = [{ group: [64, 4] as const, items: Number.POSITIVE_INFINITY }];
    return { launches: own, point: [place], error: place / 10 };
  });
  const found = parallelismOf(observed, scalesOf({ all: 10, axis: 0.4, rest: 0.3 }, 1));
  expect(found).toEqual(parallelismOf([], scalesOf({ all: 10, axis: 0.4, rest: 0.3 }, 1)));
});

it("expects nothing of items where sizes decide, and half the speed of half the items", () => {
  const parallelism = { room: 4096, share: 1 };
  expect(slowdown(launches(["64 ; 1", "t0 ; 1"]), parallelism)).toBe(0);
  expect(slowdown(launches(["64 ; 1", "32 ; 1"]), parallelism)).toBeCloseTo(Math.log(2));
});
