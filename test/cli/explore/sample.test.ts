import { describe, expect, it } from "vitest";
import { neighbours, sampleOf } from "../../../cli/explore/sample.ts";
import { vocabulary } from "../../../rules/vocabulary.ts";
import { expandVariants, type Variant } from "../../../schema/contract/variants.ts";

const widths = [0, 1, 2, 4, 8, 16, 32, 64];
const space = {
  all: {
    values: { window: widths, unroll: widths.slice(1), hoist: [false, true], clock: [0, 50, 80, 90, 100] },
    exclude: [],
  },
  kernels: [
    { kernel: "rows", choice: { values: { "share-mul": widths, elim: [false, true] }, exclude: [] } },
  ],
  named: [{ name: "mine", all: { window: 64, unroll: 64 }, kernels: { rows: { "share-mul": 64 } } }],
};
const variants = [...expandVariants(space, "rtl", vocabulary.axes).variants];
const differing = (a: Variant, b: Variant): readonly string[] =>
  Object.keys(a.kernels.rows ?? {}).filter((key) => a.kernels.rows?.[key] !== b.kernels.rows?.[key]);

describe("a sample of a space", () => {
  it("has the first variant, what has a name, and others by the seed", () => {
    expect(variants).toHaveLength(8 * 7 * 2 * 5 * 8 * 2);
    const chosen = sampleOf(variants, 7, 100);
    expect(new Set(chosen.map(({ name }) => name)).size).toBe(100);
    expect(chosen[0]).toBe(variants[0]);
    expect(chosen.filter(({ called }) => called)).toHaveLength(1);
    expect(sampleOf(variants, 7, 100)).toEqual(chosen);
    expect(sampleOf(variants, 8, 100)).not.toEqual(chosen);
    for (const width of widths) expect(chosen.some(({ all }) => all.window === width)).toBe(true);
  });

  it("of a small one is all of it", () => {
    expect(sampleOf(variants.slice(0, 100), 1, 100)).toHaveLength(100);
  });
});

it("neighbours differ in one choice, and are not known yet", () => {
  const [one, other] = [variants[1000], variants[2000]] as [Variant, Variant];
  const all = neighbours(variants, [one, other], () => false, 1000);
  // Of each axis every other value: seven, six, one, four, seven and one.
  expect(all).toHaveLength(2 * (7 + 6 + 1 + 4 + 7 + 1));
  for (const near of all) expect([differing(one, near).length, differing(other, near).length]).toContain(1);
  const known = new Set(all.slice(0, 10));
  expect(neighbours(variants, [one, other], (variant) => known.has(variant), 20)).toEqual(all.slice(10, 30));
});
