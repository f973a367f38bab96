import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

/** A loop over `a` of 90 elements that it updates through a window. */
const inPlace = (loops: string, body: string, { collapse = 1, unroll = 1, type = "int" } = {}) =>
  `void work(${type} *restrict a, int *restrict b) {
#pragma acc serial loop collapse(${collapse}) copy(a[0:90]) copyin(b[0:90])
#pragma openarc transform window(a, a)
#pragma unroll ${unroll}
  ${loops} { ${body} }
}`;

const given: Readonly<Record<string, Given>> = {
  a: ints(90, (k) => (k * 7919) % 1000),
  b: ints(90, (k) => (k * 29) % 11),
};

const rows = "for (int i = 1; i < 9; i++) for (int j = 1; j < 10; j++)";
const cases = [
  {
    name: "the recurrence of sequence alignment",
    source: inPlace(
      rows,
      `int x = i * 10 + j, d = a[x - 11] + b[x], u = a[x - 10] - 3, l = a[x - 1] - 3, m = d > u ? d : u;
      a[x] = m > l ? m : l;`,
      { collapse: 2 },
    ),
    interval: 1,
  },
  {
    name: "a running sum",
    source: inPlace("for (int x = 1; x < 90; x++)", "a[x] = a[x - 1] + a[x];"),
    interval: 1,
  },
  {
    name: "relaxation in place, which reads ahead of what it writes",
    source: inPlace(
      "for (int i = 1; i < 8; i++) for (int j = 1; j < 9; j++)",
      "int x = i * 10 + j; a[x] = (a[x - 10] + a[x - 1] + a[x + 1] + a[x + 10]) >> 2;",
      { collapse: 2 },
    ),
    interval: 1,
  },
  {
    name: "stores under a condition",
    source: inPlace("for (int x = 2; x < 90; x++)", "if (b[x] & 1) a[x] += a[x - 2]; else b[0];"),
    interval: 1,
  },
  {
    name: "stores ahead of what is read",
    source: inPlace("for (int x = 0; x < 86; x++)", "a[x + 4] = a[x] + a[x + 1] - b[x];"),
    interval: 1,
  },
  {
    name: "two stores of an iteration",
    source: inPlace(
      "for (int x = 3; x < 90; x++)",
      "a[x] = a[x - 3] + a[x] * 2; if (b[x] > 4) a[x - 1] = a[x] - a[x - 2];",
    ),
    interval: 2,
  },
  {
    name: "downwards",
    source: inPlace("for (int x = 88; x >= 0; x--)", "a[x] = a[x + 1] - a[x];"),
    interval: 1,
  },
  {
    name: "two iterations per step",
    source: inPlace("for (int x = 4; x < 90; x++)", "a[x] = a[x - 3] + a[x - 1];", { unroll: 2 }),
    interval: 2,
  },
  {
    name: "narrow elements, which wrap around",
    source: inPlace("for (int x = 1; x < 90; x++)", "a[x] = a[x] + 3 * a[x - 1];", { type: "unsigned char" }),
    given: { ...given, a: { bytes: 1, values: Array.from({ length: 90 }, (_, k) => (k * 77) & 255) } },
    interval: 1,
  },
] as const;

describe("a window that is updated in place", () => {
  const serial = serialArrays(
    cases.map((c) => ({ source: c.source, given: "given" in c ? c.given : given })),
  );
  it.each(cases.map((c, k) => [c.name, c, k] as const))(
    "keeps what an iteration stores for later ones, and no one waits for memory: %s",
    (_, c, k) => {
      const made = designed(c.source, {}, "separate", 40);
      expect(lint(made.design.text)).toBe("");
      const { plans, kernel } = made.design;
      const plan = plans[0] as HardwarePlan;
      const loops = plan.pipelines.filter((p) => p.pipeline.loop);
      expect(loops.map((p) => p.pipeline.loop?.memory)).toEqual([undefined]);
      expect(loops.map((p) => p.ii)).toEqual([c.interval]);
      const arrays = "given" in c ? c.given : given;
      const run = simulate(made, arrays, ideal);
      expect(run.arrays.a).toEqual(serial[k]?.a);
      const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
      expect(predictCycles(plan, runs, ideal)).toBe(run.cycles);
      expect(simulate(made, arrays, { latency: 5, stalls: 4, seed: k + 1 }).arrays.a).toEqual(serial[k]?.a);
    },
  );
});
