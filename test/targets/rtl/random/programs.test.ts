import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { inTurn } from "../../../sampled.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

interface Program {
  readonly name: string;
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
  /** Values of the hardware's arguments if they differ from those of `work`. */
  readonly device?: Readonly<Record<string, Given>>;
  /** Initiation intervals of the loops that are pipelined. */
  readonly intervals: readonly number[];
}

const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});
const chars = (n: number, f: (k: number) => number) => ({
  bytes: 1,
  values: Array.from({ length: n }, (_, k) => f(k) & 255),
});

const programs: readonly Program[] = [
  {
    name: "vector add",
    source: `void work(int n, int *restrict a, int *restrict b, int *restrict c) {
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copyout(c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}`,
    given: { n: 37, a: ints(37, (k) => k * 7919), b: ints(37, (k) => -k * k), c: ints(37, () => 5) },
    intervals: [1],
  },
  {
    name: "loops with names that no one jumps to, and constant tables inside",
    source: `static int weight(int k) {
  static const short weights[5] = {1, -3, [3] = 7};
  return weights[k];
}
void work(int n, const int *restrict a, int *restrict c) {
#pragma acc serial copyin(a[0:n]) copyout(c[0:n])
  {
    static const int taps[2][2] = {{5, -6}, {7, 100}};
  rows: for (int i = 0; i < n; i++) {
      int sum = 0;
    columns: for (int k = 0; k < 5; k++) sum += weight(k) * (a[i] >> k);
    done: c[i] = sum + taps[i & 1][a[i] & 1];
    }
  end: ;
  }
}`,
    given: { n: 23, a: ints(23, (k) => k * 7919), c: ints(23, () => 5) },
    intervals: [1],
  },
  {
    name: "constants of the program, which need no port and no general multiplier",
    source: `static const int taps[8] = {3, -7, 12, 19, [4] = 44, -63, 'a', sizeof(long)};
const unsigned char square[2][3] = {{1, 2}, {200, 3, 4}};
static const short gain = 5;
static int tap(int k) { return taps[k] * gain; }
void work(int n, const int *restrict a, int *restrict c) {
  const double half = 0.5;
  static const char name[4] = "abc";
#pragma acc parallel loop copyin(a[0:n], taps) copyout(c[0:n])
  for (int i = 0; i < n; i++) {
    int sum = (int)(half * 8) + name[i & 3];
    for (int k = 0; k < 8; k++) sum += tap(k) * (a[i] >> k);
    c[i] = sum + square[i & 1][(unsigned)a[i] % 3] * gain;
  }
}`,
    given: { n: 23, a: ints(23, (k) => k * 7919), c: ints(23, () => 5) },
    intervals: [1],
  },
  {
    name: "dot product",
    source: `void work(int n, int *a, int *b, int *s) {
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copy(s[0:1])
  for (int once = 0; once < 1; once++) {
    int sum = s[0];
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    s[0] = sum;
  }
}`,
    given: {
      n: 41,
      a: ints(41, (k) => k * 31 - 300),
      b: ints(41, (k) => 17 - k * k),
      s: ints(1, () => 1000),
    },
    intervals: [1],
  },
  {
    name: "arguments of which some bits are read",
    source: `void work(int n, int k, int low, const int *restrict a, int *restrict c) {
#pragma acc parallel loop copyin(a[0:n]) copyout(c[0:n])
  for (int i = 0; i < n; i++) c[i] = (a[i] << (k & 3)) + ((low >> 4) & 7) + (k < 0);
}`,
    given: {
      ...{ n: 9, k: -6, low: 0x155 },
      ...{ a: ints(9, (k) => k * 7919), c: ints(9, () => 5) },
    },
    intervals: [1],
  },
  {
    name: "what an iteration reads back of what it stored",
    source: `void work(int n, const int *restrict a, signed char *restrict b, int *restrict c) {
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n], c[0:n])
  for (int i = 0; i < n; i++) {
    b[i] = a[i] * 3;
    if (a[i] & 1) b[i] = b[i] - 5;
    c[i] = b[i];
    c[i] += a[i];
    if (c[i] > 40) c[i] = (unsigned char)b[i];
  }
}`,
    given: {
      n: 53,
      a: ints(53, (k) => k * 7919 - 90000),
      b: chars(53, (k) => k),
      c: ints(53, (k) => 3 * k),
    },
    intervals: [1],
  },
  {
    name: "what an iteration reads back where it may not have stored it",
    source: `void work(int n, const int *restrict a, int *restrict c) {
#pragma acc parallel loop copyin(a[0:n]) copy(c[0:n])
  for (int i = 0; i < n; i++) {
    if (a[i] > 0) c[i] = a[i];
    if (a[i] % 3 == 0) c[i] = c[i] * 2 + 1;
    c[i] = c[i] ^ 21;
  }
}`,
    given: { n: 53, a: ints(53, (k) => 26 - k), c: ints(53, (k) => 1000 - k) },
    intervals: [1],
  },
  {
    name: "Sobel through a window",
    source: `int abs(int);
void work(unsigned char *restrict in, unsigned char *restrict out) {
#pragma acc parallel loop collapse(2) copyin(in[0:143]) copyout(out[0:143])
#pragma openarc transform window(in, out)
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 11; j++) {
      int x = i * 11 + j;
      int g = 0;
      if (i > 0 && i < 12 && j > 0 && j < 10) {
        int gx = -in[x - 12] + in[x - 10] - 2 * in[x - 1] + 2 * in[x + 1] - in[x + 10] + in[x + 12];
        int gy = -in[x - 12] - 2 * in[x - 11] - in[x - 10] + in[x + 10] + 2 * in[x + 11] + in[x + 12];
        g = abs(gx) + abs(gy);
        if (g > 255) g = 255;
      }
      out[x] = g;
    }
}`,
    given: { in: chars(143, (k) => (k * 7919 + 13) % 251), out: chars(143, () => 99) },
    intervals: [1],
  },
  {
    name: "Sobel without a window",
    source: `int abs(int);
void work(unsigned char *restrict in, unsigned char *restrict out) {
#pragma acc parallel loop collapse(2) copyin(in[0:143]) copyout(out[0:143])
  for (int i = 1; i < 12; i++)
    for (int j = 1; j < 10; j++) {
      unsigned char *above = in + (i - 1) * 11 + j, *here = above + 11, *below = here + 11;
      int gx = above[1] + 2 * here[1] + below[1] - above[-1] - 2 * here[-1] - below[-1];
      int gy = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
      int g = abs(gx) + abs(gy);
      out[i * 11 + j] = g > 255 ? 255 : g;
    }
}`,
    given: { in: chars(143, (k) => (k * 7919 + 13) % 251), out: chars(143, () => 99) },
    intervals: [1],
  },
  {
    name: "a recurrence through memory",
    source: `void work(int n, int *a) {
#pragma acc serial copy(a[0:n])
  for (int i = 3; i < n; i++) a[i] = a[i - 3] * 3 + i;
}`,
    given: { n: 20, a: ints(20, (k) => k + 1) },
    intervals: [2],
  },
  {
    name: "a gather through indices",
    source: `void work(int n, int *restrict p, short *restrict a, int *restrict out) {
#pragma acc parallel loop copyin(p[0:n], a[0:n]) copyout(out[0:n])
  for (int i = 0; i < n; i++) out[i] = a[p[i]] - p[i];
}`,
    given: {
      n: 16,
      p: ints(16, (k) => (k * 7) % 16),
      a: { bytes: 2, values: Array.from({ length: 16 }, (_, k) => k * 500 - 3000) },
      out: ints(16, () => 0),
    },
    intervals: [1],
  },
  {
    name: "a matrix product with division and remainder",
    source: `void work(int n, unsigned char *restrict a, unsigned char *restrict b, unsigned short *restrict c) {
#pragma acc parallel loop collapse(2) copyin(a[0:n*n], b[0:n*n]) copyout(c[0:n*n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      unsigned short sum = 0;
      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum / 7 + sum % 5;
    }
}`,
    given: {
      n: 3,
      a: chars(9, (k) => k * 3 + 1),
      b: chars(9, (k) => k * k),
      c: { bytes: 2, values: Array.from({ length: 9 }, () => 0) },
    },
    intervals: [1],
  },
  {
    name: "elements of several sizes",
    source: `void work(int n, long long *restrict a, unsigned char *restrict b, short *restrict c, long long *restrict d) {
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copy(c[0:n]) copyout(d[0:n])
  for (int i = 0; i < n; i++) { d[i] = a[i] - b[i]; c[i] = c[i] + (a[i] >> 35) + b[n - 1 - i]; }
}`,
    given: {
      n: 13,
      a: { bytes: 8, values: Array.from({ length: 13 }, (_, k) => BigInt(k - 6) * 123456789123n) },
      b: chars(13, (k) => k * 37 + 5),
      c: { bytes: 2, values: Array.from({ length: 13 }, (_, k) => 1000 - k * 99) },
      d: { bytes: 8, values: Array.from({ length: 13 }, () => 0) },
    },
    intervals: [1],
  },
  {
    name: "loops that break, continue and never run",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:4])
  {
    int found = -1, odd = 0, none = 7;
    for (int i = 0; i < n; i++) { if (a[i] == 42) { found = i; break; } }
    for (int i = 0; i < n; i++) { if (a[i] & 1) continue; odd += a[i]; }
    for (int i = n; i < n; i++) none = a[i];
    int steps = 0, x = n * 9 + 1;
    while (x != 1) { x = x & 1 ? 3 * x + 1 : x >> 1; steps++; }
    out[0] = found; out[1] = odd; out[2] = none; out[3] = steps;
  }
}`,
    given: { n: 12, a: ints(12, (k) => (k === 8 ? 42 : k * 5 - 9)), out: ints(4, () => 0) },
    // The first one waits for what it loads, so that its iterations run one by one.
    intervals: [1, 1, 2],
  },
];

describe("designs", () => {
  const serial = serialArrays(programs);
  it.each(programs.map((p, k) => [p.name, p, k] as const))(
    "give the serial result in the cycles that the schedule predicts: %s",
    (_, program, k) => {
      const made = designed(program.source);
      expect(lint(made.design.text)).toBe("");
      const { plans, kernel } = made.design;
      const plan = plans[0] as HardwarePlan;
      expect(plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual(program.intervals);
      for (const latency of [1, 4]) {
        const run = simulate(made, program.given, { ...ideal, latency });
        expect(run.arrays).toEqual(serial[k]);
        const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
        expect(predictCycles(plan, runs, { latency })).toBe(run.cycles);
      }
      expect(simulate(made, program.given, { latency: 3, stalls: 5, seed: 7 }).arrays).toEqual(serial[k]);
    },
  );
  const takesTurns = programs.map((p, k) => [p.name, p, k] as const).filter((_, k) => inTurn(k, 2));
  it.each(takesTurns)("give the serial result through one memory port that stalls: %s", (_, program, k) => {
    const made = designed(program.source, {}, "one");
    expect(lint(made.design.text)).toBe("");
    expect(simulate(made, program.given, { latency: 3, stalls: 3, seed: 7 }).arrays).toEqual(serial[k]);
  });

  it("hold mapped scalars in registers while the region runs", () => {
    const a = ints(23, (k) => (k * 7919) % 101);
    const made = designed(`void work(int n, const int *restrict a, int *restrict c) {
  int most = -5, last;
#pragma acc serial copyin(a[0:n]) copyout(c[0:n], last) copy(most)
  for (int i = 0; i < n; i++) {
    if (a[i] > most) most = a[i];
    c[i] = most;
    last = a[i];
  }
}`);
    const [plan] = made.design.plans;
    expect(plan?.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual([1]);
    const given = { n: 23, a, c: ints(23, () => 5), most: ints(1, () => 60), last: ints(1, () => 0) };
    const { arrays } = simulate(made, given, ideal);
    const most = a.values.map((_, k) => Math.max(60, ...a.values.slice(0, k + 1)));
    expect(arrays.c).toEqual(most.map(BigInt));
    expect([arrays.most, arrays.last]).toEqual([
      [BigInt(most[22] as number)],
      [BigInt(a.values[22] as number)],
    ]);
  });
});
