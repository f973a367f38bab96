/** Kernels that channels join: one design, whose kernels run at the same time. */
import { describe, expect, it } from "vitest";
import { predictTogether } from "../../../../core/hw/schedule/predict.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designedTogether, type Given, ideal, type Run, simulate } from "../simulation.ts";

interface Program {
  readonly name: string;
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
  readonly choice?: Assignment;
  /** Of the loops, kernel by kernel. */
  readonly intervals: readonly number[];
  /** The first iteration of each kernel that uses its channels; default 0. */
  readonly from?: readonly number[];
}

const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

const programs: readonly Program[] = [
  {
    name: "a pair",
    source: `void work(int *restrict a, int *restrict b) {
  int t[41];
#pragma acc data copyin(a[0:41]) copyout(b[0:41]) pipe(t)
  {
#pragma acc serial loop pipeout(t)
    for (int i = 0; i < 41; i++) t[i] = a[i] * 3 + i;
#pragma acc serial loop pipein(t)
    for (int i = 0; i < 41; i++) b[i] = t[i] > 20 ? t[i] - 20 : -t[i];
  }
}`,
    given: { a: ints(41, (k) => (k * 7919) % 101), b: ints(41, () => 5) },
    intervals: [1, 1],
  },
  {
    name: "a slow consumer, which the producer waits for",
    source: `void work(int *restrict a, int *restrict b) {
  int t[60];
#pragma acc data copyin(a[0:60]) copyout(b[0:120]) pipe(t)
  {
#pragma acc serial loop pipeout(t)
    for (int i = 0; i < 60; i++) t[i] = a[i] ^ i;
#pragma acc serial loop pipein(t)
    for (int i = 0; i < 60; i++) { b[i] = t[i]; b[i + 60] = -t[i]; }
  }
}`,
    given: { a: ints(60, (k) => (k * 104729) % 1013), b: ints(120, () => 5) },
    intervals: [1, 2],
  },
  {
    name: "a slow producer",
    source: `void work(int *restrict a, int *restrict b) {
  int t[50];
#pragma acc data copyin(a[0:50]) copyout(b[0:50]) pipe(t)
  {
#pragma acc serial loop pipeout(t)
    for (int i = 0; i < 50; i++) t[i] = (a[i] & 1023) / 7;
#pragma acc serial loop pipein(t)
    for (int i = 0; i < 50; i++) b[i] = t[i] * 2;
  }
}`,
    given: { a: ints(50, (k) => k * k * 31), b: ints(50, () => 5) },
    intervals: [1, 1],
  },
  {
    name: "operations that take turns at both ends",
    source: `void work(unsigned char *restrict a, int *restrict b) {
  int t[40];
#pragma acc data copyin(a[0:40]) copyout(b[0:40]) pipe(t)
  {
#pragma acc serial loop pipeout(t)
    for (int i = 0; i < 40; i++) t[i] = (a[i] * (a[i] ^ i) + (a[i] & 15) * (i & 7)) & 63;
#pragma acc serial loop pipein(t)
    for (int i = 0; i < 40; i++) b[i] = t[i] * t[i] * (t[i] ^ (i & 15)) + t[i] * (i & 31);
  }
}`,
    given: {
      a: { bytes: 1, values: Array.from({ length: 40 }, (_, k) => (k * 37) % 256) },
      b: ints(40, () => 5),
    },
    choice: { "share-mul": 1 },
    intervals: [2, 3],
  },
  {
    name: "one split and joined again, over ways of different length",
    source: `void work(int *restrict a, int *restrict b, int *restrict c) {
  int t[64], u[64], w[64];
#pragma acc data copyin(a[0:64]) copyout(b[0:64], c[0:64]) pipe(t, u, w)
  {
#pragma acc serial loop pipeout(t, u)
    for (int i = 0; i < 64; i++) { t[i] = a[i] + 1; u[i] = a[i] - 1; }
#pragma acc serial loop pipein(t) pipeout(w)
    for (int i = 0; i < 64; i++) w[i] = (t[i] & 255) / (i + 1);
#pragma acc serial loop pipein(w, u)
    for (int i = 0; i < 64; i++) { b[i] = w[i] + u[i]; c[i] = w[i]; }
  }
}`,
    given: { a: ints(64, (k) => k * 977), b: ints(64, () => 5), c: ints(64, () => 6) },
    intervals: [1, 1, 1],
  },
  {
    name: "a window, whose first iterations send nothing",
    source: `void work(int *restrict a, int *restrict b) {
  int t[70], u[70];
#pragma acc data copyin(a[0:70]) copyout(b[0:70]) pipe(t, u)
  {
#pragma acc serial loop pipeout(t, u)
#pragma openarc transform window(a, t)
    for (int i = 1; i < 69; i++) {
      t[i] = a[i - 1] + 2 * a[i] + a[i + 1];
      u[i] = a[i] - a[i + 1];
    }
#pragma acc serial loop pipein(t, u)
    for (int i = 1; i < 69; i++) b[i] = t[i] - 3 * u[i];
  }
}`,
    given: { a: ints(70, (k) => (k * 7919) % 101), b: ints(70, () => 5) },
    intervals: [1, 1],
    from: [2],
  },
  {
    name: "a window behind the channel, whose first iterations take nothing",
    source: `void work(int *restrict a, int *restrict b, int *restrict c) {
  int t[70];
#pragma acc data copyin(a[0:70], b[0:70]) copyout(c[0:70]) pipe(t)
  {
#pragma acc serial loop pipeout(t)
    for (int i = 1; i < 69; i++) t[i] = a[i] * 5;
#pragma acc serial loop pipein(t)
#pragma openarc transform window(b, c)
    for (int i = 1; i < 69; i++) c[i] = t[i] + b[i - 1] - b[i + 1];
  }
}`,
    given: { a: ints(70, (k) => k ^ 19), b: ints(70, (k) => (k * 7919) % 101), c: ints(70, () => 5) },
    intervals: [1, 1],
    from: [0, 2],
  },
];

/** For each kernel, its pipelines, each of which ran once. */
function runsOf(run: Run, sizes: readonly number[], from: readonly number[] = []) {
  let first = 0;
  return sizes.map((size, kernel) => {
    const own = run.pipelines.slice(first, first + size);
    first += size;
    expect(own.map((p) => p.starts)).toEqual(own.map(() => 1));
    const happens = (_: object, iteration: number) => iteration >= (from[kernel] ?? 0);
    return own.map(({ iterations }, pipeline) => ({ pipeline, iterations, loads: () => true, happens }));
  });
}

describe("regions that channels join run together", () => {
  const serial = serialArrays(programs);
  it.each(programs.map((p, k) => [p.name, p, k] as const))(
    "%s: the serial result, in the cycles that the schedules predict",
    (_, program, k) => {
      const made = designedTogether(program.source, "separate", program.choice);
      expect(lint(made.design.text)).toBe("");
      const { plans, channels } = made.design;
      const loops = plans.flatMap((plan) => plan.pipelines.filter((p) => p.pipeline.loop));
      expect(loops.map((p) => p.ii)).toEqual(program.intervals);
      for (const latency of [1, 6]) {
        const run = simulate(made, program.given, { ...ideal, latency });
        expect(run.arrays).toEqual(serial[k]);
        const runs = runsOf(
          run,
          plans.map((plan) => plan.pipelines.length),
          program.from,
        );
        const kernels = plans.map((plan, n) => ({ plan, runs: runs[n] ?? [] }));
        const depth = (channel: string) => channels.get(channel) as number;
        expect(predictTogether(kernels, depth, { latency })).toBe(run.cycles);
        // One after the other they would take the sum.
        const busiest = Math.max(...loops.map((p) => p.ii)) * 64;
        expect(run.cycles).toBeLessThan(2 * busiest + 100);
      }
      for (const ports of ["separate", "one"] as const) {
        const stalling = designedTogether(program.source, ports, program.choice);
        const run = simulate(stalling, program.given, { latency: 3, stalls: 5, seed: 7 });
        expect(run.arrays).toEqual(serial[k]);
      }
    },
  );
});
