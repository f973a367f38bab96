/** Pointers that may lead to the same memory. */
import { describe, expect, it } from "vitest";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, type Run, simulate } from "../simulation.ts";

const ints = (f: (k: number) => number): Given => ({
  bytes: 4,
  values: Array.from({ length: 40 }, (_, k) => f(k)),
});
const region = (body: string) => `void work(int n, int *a, int *b) {
#pragma acc serial copy(a[0:n], b[0:n])
  for (int i = 1; i < n; i++) { ${body} }
}`;
const [one, other] = [ints((k) => k * k), ints((k) => 500 - k)];

const ran = ({ runs }: Run) => runs.map((run) => ({ ...run, loads: () => true }));

describe("a loop that reads through one pointer and writes through another", () => {
  const source = region("b[i] = a[i - 1] + 3;");
  const apart = { n: 40, a: one, b: other };
  const same = { n: 40, a: one, b: one };
  const serial = serialArrays([
    { source, given: apart },
    { source, given: same },
  ]);
  const made = designed(source);

  it("has an iteration per cycle where the launch finds their memory apart", () => {
    const memory = { latency: 3, stalls: 0, seed: 1, apart: true };
    const run = simulate(made, apart, memory);
    expect(run.arrays).toEqual(serial[0]);
    expect(run.cycles).toBeLessThan(40 + 40);
    const [plan] = made.design.plans;
    expect(plan && predictCycles(plan, ran(run), memory)).toBe(run.cycles);
  });

  it("waits for each iteration's stores where their memory is the same", () => {
    for (const stalls of [0, 5]) {
      const run = simulate(made, same, { latency: 3, stalls, seed: 2 });
      expect(run.arrays).toEqual(serial[1]);
      expect(run.cycles).toBeGreaterThan(40 * 8);
    }
  });
});

describe("stores through pointers that may lead to the same memory", () => {
  it.each([
    ["of one size", region("a[i] = i; b[i] = 7 * i + 1; a[i - 1] = -i;")],
    ["of several sizes", region("a[i] = i; ((char *)b)[4 * i + 1] = 7 * i + 1;")],
  ])("happen in their order, %s", (_, source) => {
    const given = { n: 40, a: one, b: one };
    const [serial] = serialArrays([{ source, given }]);
    for (const seed of [1, 2]) {
      const run = simulate(designed(source), given, { latency: 3, stalls: 6, seed });
      expect(run.arrays).toEqual(serial);
    }
  });
});
