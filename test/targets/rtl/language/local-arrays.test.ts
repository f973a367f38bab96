import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { factsOf } from "../../../../targets/rtl/facts.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});
const bytes = (n: number, f: (k: number) => number) => ({
  bytes: 1,
  values: Array.from({ length: n }, (_, k) => f(k) & 255),
});

interface Case {
  readonly name: string;
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
  /** Of the pipelined loops. */
  readonly intervals: readonly number[];
  /** Copies of all local arrays together. */
  readonly memories: number;
  /** Whether a step stores is not known: the prediction takes it that it does. */
  readonly untimed?: true;
}

const cases: readonly Case[] = [
  {
    name: "a histogram, which may meet the same bin twice in a row",
    source: `void work(int n, unsigned char *restrict data, int *restrict out) {
#pragma acc serial copyin(data[0:n]) copyout(out[0:256])
  {
    int bins[256];
    for (int i = 0; i < 256; i++) bins[i] = 0;
    for (int i = 0; i < n; i++) bins[data[i]]++;
    for (int i = 0; i < 256; i++) out[i] = bins[i];
  }
}`,
    given: { n: 90, data: bytes(90, (k) => ((k * k) >> 3) >> (k % 2)), out: ints(256, () => 7) },
    intervals: [1, 1, 1],
    memories: 1,
  },
  {
    name: "an array with an initialiser and one that is a table",
    source: `void work(int n, unsigned char *restrict data, int *restrict out) {
#pragma acc serial copyin(data[0:n]) copyout(out[0:80])
  {
    const short squares[72] = { 0, 1, 4, 9, 16, [10] = 100, 121, -1, [70] = -300 };
    int sums[80] = { 5, 0, -2, [79] = 9 };
    for (int i = 0; i < n; i++) sums[data[i] % 80] += squares[data[i] % 72];
    for (int i = 0; i < 80; i++) out[i] = sums[i];
  }
}`,
    given: { n: 60, data: bytes(60, (k) => k * 37), out: ints(80, () => 7) },
    intervals: [1, 1, 1],
    memories: 1,
  },
  {
    name: "an array whose initialiser has many values, and which is changed",
    source: `void work(int *restrict out) {
#pragma acc serial copyout(out[0:70])
  {
    unsigned char a[7][10] = { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, { 11, 12 }, [4] = { 41, 42, 43 } };
    for (int i = 1; i < 7; i++)
      for (int j = 0; j < 10; j++) a[i][j] += a[i - 1][j];
    for (int i = 0; i < 70; i++) out[i] = a[i / 10][i % 10];
  }
}`,
    given: { out: ints(70, () => 7) },
    // Its inner loops have so few iterations that they are unrolled.
    intervals: [10, 10, 1],
    memories: 2,
  },
  {
    name: "known distances: a delay of 70 elements, and a recurrence of one",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:n])
  {
    int line[200];
    for (int i = 0; i < 70; i++) line[i] = i;
    for (int i = 70; i < n; i++) line[i] = a[i] + line[i - 70];
    for (int i = 1; i < n; i++) line[i] = line[i - 1] - line[i];
    for (int i = 0; i < n; i++) out[i] = line[i];
  }
}`,
    given: { n: 160, a: ints(160, (k) => k * 31 - 700), out: ints(160, () => 0) },
    intervals: [1, 1, 1, 1],
    memories: 2,
  },
  {
    name: "several reads of an iteration, of two arrays",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:n])
  {
    int x[128];
    short y[128];
    for (int i = 0; i < 128; i++) { x[i] = a[i]; y[i] = a[127 - i]; }
    for (int i = 1; i < 127; i++) out[i] = x[i - 1] + 2 * x[i] + x[i + 1] - y[i] * y[127 - i];
    out[0] = x[y[3] & 127];
  }
}`,
    given: { n: 128, a: ints(128, (k) => (k * 997) % 300), out: ints(128, () => 0) },
    intervals: [1, 1],
    memories: 5,
  },
  {
    name: "more reads than there are copies",
    source: `void work(int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:100]) copyout(out[0:90])
  {
    int x[100];
    for (int i = 0; i < 100; i++) x[i] = a[i];
    for (int i = 0; i < 90; i++)
      out[i] = x[i] + x[i + 2] * 3 + x[99 - i] - x[i + 5] + x[i + 7] - x[i / 2] + x[i + 9];
  }
}`,
    given: { a: ints(100, (k) => (k * 997) % 300), out: ints(90, () => 0) },
    intervals: [1, 2],
    memories: 4,
  },
  {
    name: "writes before reads, and writes under conditions, in one iteration",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:n])
  {
    int x[100];
    for (int i = 0; i < 100; i++) x[i] = 3 * i;
    for (int i = 0; i < n; i++) {
      int p = a[i] & 63, q = a[i] >> 2 & 63;
      if (a[i] & 1) x[p] = a[i];
      int v = x[q];
      if (v > 100) { x[q] = v - 100; v = x[p]; }
      x[p + 3] += v;
      out[i] = x[q] + x[p];
    }
  }
}`,
    given: { n: 50, a: ints(50, (k) => (k * 7919) % 251), out: ints(50, () => 0) },
    intervals: [1, 6],
    memories: 2,
  },
  {
    name: "a word that an iteration and the one before have changed",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:n])
  {
    int t[100] = { 3 }, y = n - 19;
    for (int i = n - 1; i >= 0; i--) { t[y & 63] += a[i]; t[(i + 1) & 63] ^= 77; }
    for (int i = 0; i < n; i++) out[i] = t[i];
  }
}`,
    given: { n: 30, a: ints(30, (k) => (k * 13) % 90), out: ints(30, () => 0) },
    intervals: [1, 3, 1],
    memories: 1,
  },
  {
    name: "an array of each iteration of a loop around",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:4])
  for (int r = 0; r < 4; r++) {
    int seen[128] = { 0 };
    int found = 0;
    for (int i = 0; i < n; i++) {
      int at = (a[i] + r * i) & 127;
      if (!seen[at]) { seen[at] = 1; found++; }
    }
    out[r] = found;
  }
}`,
    given: { n: 60, a: ints(60, (k) => (k * 13) % 90), out: ints(4, () => 0) },
    intervals: [1, 1],
    memories: 1,
  },
  {
    name: "loops in steps that break and continue",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:n])
  {
    int next[100] = { 1 }, i = 0, found = 0;
    for (int k = 0; k < n; k++) next[k] = a[k];
    for (i = 0; i < n; i++) {
      if (next[i] % 3 == 0) { if (next[i] & 1) continue; found += 100; } else if (i > 9) found++;
      next[i + 1] += a[next[i] & 7];
      if (next[i] > 70) break;
      out[next[i] & 15] = a[next[i + 1] & 15];
      if (next[i] < 0) { found = -found; break; }
    }
    out[n - 2] = i; out[n - 1] = found;
  }
}`,
    given: { n: 40, a: ints(40, (k) => (k * 7) % 19), out: ints(40, () => 0) },
    intervals: [1, 1],
    // Those that ask memory ahead of the computation read copies of their own.
    memories: 3,
    untimed: true,
  },
  {
    name: "addresses of memory that stand in an array, and floating point",
    source: `void work(int n, float *restrict a, float *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:n])
  {
    int order[100];
    float sums[100];
    for (int i = 0; i < n; i++) { order[i] = n - 1 - i; sums[i] = 0; }
    for (int i = 0; i < n; i++) sums[i & 3] += a[order[i]];
    for (int i = 0; i < n; i++) out[i] = sums[i];
  }
}`,
    given: { n: 20, a: ints(20, (k) => 0x3f800000 + k * 4096), out: ints(20, () => 0) },
    intervals: [1, 5, 1],
    memories: 2,
  },
];

describe("local arrays in block RAM", () => {
  const serial = serialArrays(cases);
  it.each(cases.map((c, k) => [c.name, c, k] as const))(
    "give the serial result, in the cycles that the schedule predicts where it can: %s",
    (_, { source, given, intervals, memories, untimed }, k) => {
      const made = designed(source, {}, "separate", 50);
      expect(lint(made.design.text)).toBe("");
      const { plans, kernel, text } = made.design;
      const plan = plans[0] as HardwarePlan;
      const run = simulate(made, given, ideal);
      expect(serial[k]).toMatchObject(run.arrays);
      const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
      if (!untimed) expect(predictCycles(plan, runs, ideal)).toBe(run.cycles);
      expect(serial[k]).toMatchObject(simulate(made, given, { latency: 3, stalls: 4, seed: 5 }).arrays);
      expect(plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual(intervals);
      expect(text.match(/^ *arc_ram #/gm)).toHaveLength(memories);
    },
  );

  it("of registers are read at any index within a cycle or two", () => {
    const source = `void work(const int *restrict a, int *restrict b) {
#pragma acc serial copyin(a[0:64]) copyout(b[0:64])
  {
    int t[64], i = 0, j = 32;
    for (int k = 0; k < 64; k++) t[k] = a[k];
    for (int k = 0; k < 64; k++) b[k] = j > 63 || (i < 32 && t[i] <= t[j & 63]) ? t[i++] : t[j++];
  }
}`;
    const given = { a: ints(64, (k) => (k % 32) * 9 + ((k * 5) % 7)), b: ints(64, () => 0) };
    const made = designed(source);
    const loops = made.design.plans[0]?.pipelines.filter((p) => p.pipeline.loop) ?? [];
    expect(loops.at(-1)?.ii).toBeLessThanOrEqual(3);
    expect(simulate(made, given).arrays).toEqual(serialArrays([{ source, given }])[0]);
  });

  it("are named where they decide the interval", () => {
    const { source } = cases.at(-1) as Case;
    const { loops } = factsOf(designed(source, {}, "separate", 50).design);
    expect(loops.map((l) => l.details)).toEqual([
      "an iteration per cycle",
      "recurrence: sums (line 7), fadd (line 7)",
      "an iteration per cycle",
    ]);
  });
});
