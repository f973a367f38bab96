/** Chains of time steps as hardware: the serial result, an element per cycle, and less traffic. */
import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../core/hw/schedule/predict.ts";
import { lint } from "./lint.ts";
import { serialArrays } from "./serial.ts";
import { designed, type Given, ideal, loadsAt, simulate } from "./simulation.ts";

const numbers = (n: number, f: (k: number) => number) => ({
  bytes: 2,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

const source = `void work(int steps, short *restrict a, short *restrict b, short *restrict p) {
#pragma acc serial copy(a[0:88], b[0:88]) copyin(p[0:88])
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 7; i++)
      for (int j = 1; j < 10; j++) {
        int x = i * 11 + j;
        b[x] = ((a[x - 11] + a[x + 11] + a[x - 1] + a[x + 1]) >> 2) + p[x];
      }
    for (int i = 1; i < 7; i++)
      for (int j = 1; j < 10; j++) a[i * 11 + j] = b[i * 11 + j];
  }
}`;

const given = (steps: number): Readonly<Record<string, Given>> => ({
  steps,
  a: numbers(88, (k) => (k * 7919) % 1000),
  b: numbers(88, (k) => k),
  p: numbers(88, (k) => (k * 29) % 11),
});

describe("steps of time in a chain", () => {
  const steps = [0, 1, 3, 4, 6];
  const serial = serialArrays(steps.map((n) => ({ source, given: given(n) })));
  it.each([2, 4])("give the serial result, an element per cycle: %i in a pass", (stages) => {
    const made = designed(source, { "time-steps": stages }, "separate", 40);
    expect(lint(made.design.text)).toBe("");
    const { plans, kernel } = made.design;
    const plan = plans[0] as HardwarePlan;
    const loops = plan.pipelines.flatMap((p, k) => (p.pipeline.loop ? [k] : []));
    expect(loops.map((k) => plan.pipelines[k]?.ii)).toEqual([1]);
    steps.forEach((n, k) => {
      const run = simulate(made, given(n), ideal);
      expect(run.arrays.a).toEqual(serial[k]?.a);
      expect(run.arrays.b).toEqual(serial[k]?.b);
      expect(loops.map((k) => run.pipelines[k]?.starts)).toEqual([Math.ceil(n / stages)]);
      const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
      expect(predictCycles(plan, runs, ideal)).toBe(run.cycles);
    });
    const slow = simulate(made, given(6), { latency: 5, stalls: 4, seed: stages });
    expect(slow.arrays.a).toEqual(serial[4]?.a);
  });
});
