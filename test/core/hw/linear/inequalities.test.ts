/** Inequalities without a common solution: what is said of random ones is compared with all small integers. */
import { describe, expect, it } from "vitest";
import { type LinearForm, plus } from "../../../../core/hw/linear/form.ts";
import { haveNoSolution } from "../../../../core/hw/linear/inequalities.ts";
import { random } from "../../../targets/rtl/random/random-kernel.ts";

const [x, y, z] = ["x", "y", "z"].map((name) => ({ name })) as [object, object, object];
const form = (constant: number, ...factors: readonly number[]): LinearForm => ({
  constant: BigInt(constant),
  terms: new Map(
    factors.flatMap((by, k) => (by === 0 ? [] : [[[x, y, z][k] as object, BigInt(by)] as const])),
  ),
});
const valueOf = ({ constant, terms }: LinearForm, point: ReadonlyMap<object, number>): bigint =>
  [...terms].reduce((sum, [unknown, by]) => sum + by * BigInt(point.get(unknown) ?? 0), constant);

const range = Array.from({ length: 9 }, (_, k) => k - 4);
const points = range.flatMap((a) =>
  range.flatMap((b) =>
    range.map(
      (c) =>
        new Map([
          [x, a],
          [y, b],
          [z, c],
        ]),
    ),
  ),
);
const box = [0, 1, 2].flatMap((k) => {
  const one = [0, 0, 0].with(k, 1);
  return [form(4, ...one), form(4, ...one.map((by) => -by))];
});

describe("inequalities over integers", () => {
  it("have no solution only if no integers are one", () => {
    const verdicts = Array.from({ length: 600 }, (_, seed) => {
      const pick = random(seed + 1);
      const forms = Array.from({ length: 2 + pick(4) }, () =>
        form(pick(13) - 8, pick(7) - 3, pick(7) - 3, pick(5) - 2),
      );
      const given = [...box, ...forms];
      const solved = points.some((point) => given.every((one) => valueOf(one, point) >= 0n));
      const none = haveNoSolution(given);
      expect(none && solved, JSON.stringify(forms.map(({ terms }) => [...terms.values()].map(String)))).toBe(
        false,
      );
      return { none, solved };
    });
    const unsolved = verdicts.filter(({ solved }) => !solved);
    // Fractions may solve what integers do not.
    expect(unsolved.filter(({ none }) => none).length).toBeGreaterThan(unsolved.length * 0.9);
    expect(unsolved.length).toBeGreaterThan(100);
  });

  it("are rounded to what whole numbers reach", () => {
    // 1 <= 4 x <= 3
    expect(haveNoSolution([form(-1, 4), form(3, -4)])).toBe(true);
    expect(haveNoSolution([form(-1, 4), form(4, -4)])).toBe(false);
  });

  it("follow through several unknowns", () => {
    // x < y < z <= x
    expect(haveNoSolution([form(-1, -1, 1), form(-1, 0, -1, 1), form(0, 1, 0, -1)])).toBe(true);
    expect(haveNoSolution([form(-1, -1, 1), form(-1, 0, -1, 1), form(2, 1, 0, -1)])).toBe(false);
  });

  it("of two sums that cancel have no terms", () => {
    expect(plus(form(1, 2, 3), form(4, 2, 3), -1n)).toEqual({ constant: -3n, terms: new Map() });
  });
});
