import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

interface Program {
  readonly name: string;
  readonly source: string;
  readonly choice?: Assignment;
  readonly given: Readonly<Record<string, Given>>;
  /** Whether lanes are stored depends on data: words with gaps take cycles of their own. */
  readonly gaps?: true;
  /** Bytes of the read and write ports. */
  readonly ports: readonly [reads: readonly number[], writes: readonly number[]];
}

const array = (bytes: number, n: number, f: (k: number) => number) => ({
  bytes,
  values: Array.from({ length: n }, (_, k) => f(k) & (2 ** (8 * bytes - 1) - 1)),
});

/** `from` to `to` of arrays of 64 elements, `unroll` at a time. */
const copies = (type: string, bytes: number, unroll: number, from: number, to: number): Program => ({
  name: `${type} ${from} to ${to} by ${unroll}`,
  source: `void work(int from, int to, ${type} *restrict a, ${type} *restrict b) {
#pragma acc parallel loop copyin(a[0:64]) copy(b[0:64])
#pragma unroll ${unroll}
  for (int i = from; i < to; i++) b[i + 1] = a[i] + 1;
}`,
  given: { from, to, a: array(bytes, 64, (k) => k * 7 + 3), b: array(bytes, 66, () => 9) },
  ports: [[bytes * unroll], [bytes * unroll]],
});

const sobel = (unroll: number): Program => ({
  name: `Sobel, window of ${unroll}`,
  source: `int abs(int);
void work(unsigned char *restrict in, unsigned char *restrict out) {
#pragma acc parallel loop collapse(2) copyin(in[0:156]) copyout(out[0:156])
#pragma openarc transform window(in, out)
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 12; j++) {
      int x = i * 12 + j;
      int g = 0;
      if (i > 0 && i < 12 && j > 0 && j < 11) {
        int gx = -in[x - 13] + in[x - 11] - 2 * in[x - 1] + 2 * in[x + 1] - in[x + 11] + in[x + 13];
        int gy = -in[x - 13] - 2 * in[x - 12] - in[x - 11] + in[x + 11] + 2 * in[x + 12] + in[x + 13];
        g = abs(gx) + abs(gy);
        if (g > 255) g = 255;
      }
      out[x] = g;
    }
}`,
  choice: { window: unroll },
  given: { in: array(1, 156, (k) => (k * 7919 + 13) % 251), out: array(1, 156, () => 99) },
  ports: [[unroll], [unroll]],
});

const programs: Program[] = [
  copies("short", 2, 4, 0, 64),
  copies("short", 2, 4, 3, 62),
  copies("unsigned char", 1, 8, 5, 12),
  copies("int", 4, 4, 1, 2),
  copies("int", 4, 2, 9, 9),
  copies("int", 4, 8, 1, 60),
  sobel(2),
  sobel(4),
  {
    name: "pairs of an array of structures",
    source: `void work(int *restrict a, int *restrict b) {
#pragma acc parallel loop copyin(a[0:40]) copyout(b[0:20])
  for (int i = 0; i < 20; i++) b[i] = a[2 * i] * a[2 * i + 1];
}`,
    given: { a: array(4, 40, (k) => k * 3 - 20), b: array(4, 20, () => 0) },
    ports: [[8], [4]],
  },
  {
    name: "stores of lanes that data choose",
    source: `void work(short *restrict a, short *restrict b) {
#pragma acc parallel loop copyin(a[0:61]) copy(b[0:62])
#pragma unroll 4
  for (int i = 0; i < 61; i++) {
    short x = a[i];
    if (x & 1 || i == 60) b[i + 1] = x;
  }
}`,
    given: { a: array(2, 61, (k) => (k * 2654435761) >> 7), b: array(2, 62, (k) => k) },
    gaps: true,
    ports: [[8], [8]],
  },
];

const rounds = (unroll: number, from: number, end: string): Program => ({
  name: `counters that go round, and sums under conditions, by ${unroll}`,
  source: `void work(int n, int *restrict a, int *restrict b, int *restrict s) {
#pragma acc serial copyin(a[0:64]) copyout(b[0:64]) copy(s[0:3])
  {
    int m = ${from}, c = 0, sum = s[0];
#pragma unroll ${unroll}
    for (int i = 0; i < ${end}; i++) {
      int x = a[i];
      if (x > 40) sum += x; else if (x & 1) sum -= 3;
      b[i] = 16 * c + m;
      if (m < 6) m++; else { m = 0; c++; }
    }
    s[0] = sum; s[1] = c; s[2] = m;
  }
}`,
  given: {
    n: 59,
    a: array(4, 64, (k) => (k * 7919) % 97),
    b: array(4, 64, () => 1),
    s: array(4, 3, () => 8),
  },
  ports: [
    [4, 4 * unroll],
    [4 * unroll, 4],
  ],
});
programs.push(rounds(2, 0, "n"), rounds(4, 3, "60"));

describe("accesses side by side", () => {
  const serial = serialArrays(programs);
  it.each(programs.map((p, k) => [p.name, p, k] as const))(
    "are words, an iteration per cycle, in the cycles that the schedule predicts: %s",
    (_, program, k) => {
      const made = designed(program.source, program.choice ?? {}, "separate", 50);
      const { plans, kernel, text } = made.design;
      expect(lint(text)).toBe("");
      const plan = plans[0] as HardwarePlan;
      expect(plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual([1]);
      expect([kernel.reads, kernel.writes].map((ports) => ports.map((p) => p.bytes))).toEqual(program.ports);
      for (const latency of [1, 4]) {
        const run = simulate(made, program.given, { ...ideal, latency });
        expect(run.arrays).toEqual(serial[k]);
        const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
        if (!program.gaps) expect(predictCycles(plan, runs, { latency })).toBe(run.cycles);
      }
      expect(simulate(made, program.given, { latency: 3, stalls: 5, seed: 7 }).arrays).toEqual(serial[k]);
    },
  );
  it.each(programs.map((p, k) => [p.name, p, k] as const))(
    "go through one memory port of narrower words: %s",
    (_, program, k) => {
      const made = designed(program.source, program.choice ?? {}, "one", 50);
      expect(lint(made.design.text)).toBe("");
      expect(simulate(made, program.given, { latency: 3, stalls: 3, seed: 7 }).arrays).toEqual(serial[k]);
    },
  );
});
