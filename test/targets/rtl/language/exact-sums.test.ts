/** Sums of floats without rounding: against sums of big integers, rounded once. */
import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { lint } from "../lint.ts";
import { designed, designsOf, type Given, ideal, simulate } from "../simulation.ts";

const bits = new Uint32Array(1);
const number = new Float32Array(bits.buffer);
const codeOf = (x: number): number => {
  number[0] = x;
  return bits[0] as number;
};
const floats = (values: readonly number[]): Given => ({ bytes: 4, values: values.map(codeOf) });

/** The float nearest to the exact sum. */
function exact(values: readonly number[]): number {
  let sum = 0n;
  for (const value of values) {
    const code = codeOf(value);
    const exponent = (code >>> 23) & 255;
    const digits =
      BigInt(exponent ? (code & 0x7fffff) | 0x800000 : code & 0x7fffff) <<
      BigInt(exponent ? exponent - 1 : 0);
    sum += code >>> 31 ? -digits : digits;
  }
  const negative = sum < 0n;
  const magnitude = negative ? -sum : sum;
  const more = Math.max(0, magnitude.toString(2).length - 24);
  const unit = 1n << BigInt(more);
  let kept = magnitude / unit;
  const rest = 2n * (magnitude % unit);
  if (rest > unit || (rest === unit && kept % 2n === 1n)) kept += 1n;
  const value = Number(kept) * 2 ** (more - 149);
  return Math.fround(negative ? -value : value);
}

const source = `void work(int n, float *x, float *s) {
  float total = s[0];
#pragma acc parallel loop reduction(+:total) copyin(x[0:n])
  for (int i = 0; i < n; i++) total += x[i];
  s[0] = total;
}`;

describe("exact sums", () => {
  const made = designed(source, { "exact-sums": true });
  const sumOf = (start: number, values: readonly number[], design = made): number | undefined => {
    const given = { n: values.length, x: floats(values), total: floats([start]) };
    const run = simulate(design, given, ideal);
    bits[0] = Number(run.arrays.total?.[0]);
    return number[0];
  };
  const some = Array.from({ length: 40 }, (_, k) =>
    Math.fround(Math.sin(k * k) * 2 ** ((k * 37) % 90) * (k % 3 ? 1 : -1)),
  );

  it("start an iteration in every cycle", () => {
    expect(lint(made.design.text)).toBe("");
    const plan = made.design.plans[0] as HardwarePlan;
    expect(plan.pipelines.find((p) => p.pipeline.loop)?.ii).toBe(1);
    expect(made.design.text).not.toMatch(/arc_fadd/);
    expect(new Set([...made.design.kernel.locations.values()].map((loc) => loc.line))).toEqual(
      new Set([3, 4]),
    );
  });

  it.each([
    ["numbers of all sizes", 0.75, some],
    ["the same in another order", 0.75, [...some].reverse()],
    ["numbers that cancel", 0, [1e30, 1, -1e30, 2 ** -149, -1]],
    ["sums beyond the largest float on the way", 3e38, [3e38, 3e38, -3e38, -3e38, 7]],
    ["subnormal numbers", 2 ** -149, [2 ** -140, -(2 ** -149), 2 ** -127, 2 ** -126]],
    ["a tie with something below", 1, [2 ** -24, 2 ** -149]],
    ["negative ones", -5, [-0, -(2 ** -30), -1e10]],
  ])("are the float nearest to the sum: %s", (_, start, values) => {
    expect(sumOf(start, values)).toBe(exact([start, ...values]));
  });

  it("are the same where iterations are unrolled", () => {
    const unrolled = designed(source, { "exact-sums": true, unroll: 2 });
    expect(sumOf(0.75, some, unrolled)).toBe(exact([0.75, ...some]));
  });

  it("subtract unsigned numbers, which have no negative", () => {
    const less = designed(source.replace("float *x", "unsigned *x").replace("+=", "-="), {
      "exact-sums": true,
    });
    const given = { n: 3, x: { bytes: 4, values: [1, 2, 3] }, total: floats([1000]) };
    bits[0] = Number(simulate(less, given, ideal).arrays.total?.[0]);
    expect(number[0]).toBe(994);
  });

  it("are refused where the variable is used other than for adding", () => {
    const [outcome] = designsOf(source.replace("total += x[i]", "total = total * 2 + x[i]"), {
      "exact-sums": true,
    });
    const found = outcome && "diagnostics" in outcome ? outcome.diagnostics : [];
    expect(found.map((d) => `${d.loc.line}: ${d.code}`)).toEqual(["4: not-a-sum"]);
  });

  it.each([
    [[Infinity, 1], Infinity],
    [[Infinity, -Infinity], NaN],
  ])("add infinities and NaNs as IEEE 754 does: %s", (values, want) => {
    expect(sumOf(0, values)).toBe(want);
  });
});
