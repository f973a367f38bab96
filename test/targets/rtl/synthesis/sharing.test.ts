/** Operations of a loop that take turns on few circuits: the serial result, in the cycles that the schedule predicts. */
import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { factsOf } from "../../../../targets/rtl/facts.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { type Designed, designed, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

const floats = (n: number, f: (k: number) => number) => {
  const values = new Uint32Array(new Float32Array(Array.from({ length: n }, (_, k) => f(k))).buffer);
  return { bytes: 4, values: [...values] };
};
/**
 * Halves: their circuits are small. Multiples of 1/16 from -8 to 8. What gcc computes in more bits is rounded where it is
 * assigned, so programs assign each result.
 */
const halves = (n: number, f: (k: number) => number) => ({
  bytes: 2,
  values: Array.from({ length: n }, (_, k) => halfOf(Math.round(16 * f(k)) / 16)),
});
function halfOf(x: number): number {
  if (x === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(x)));
  return (x < 0 ? 0x8000 : 0) + ((exponent + 15) << 10) + (Math.abs(x) / 2 ** exponent - 1) * 1024;
}

interface Program {
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
}

/** Four additions and four products, some with a constant operand. */
const polynomial: Program = {
  source: `void work(float *restrict x, float *restrict y, float *restrict z) {
#pragma acc parallel loop copyin(x[0:40], y[0:40]) copyout(z[0:40])
  for (int i = 0; i < 40; i++)
    z[i] = (x[i] + y[i]) * (x[i] - 3.25f) + (y[i] * 1.7f + x[i] * y[i]) * 0.3f;
}`,
  given: {
    x: floats(40, (k) => Math.sin(k) * 10),
    y: floats(40, (k) => Math.cos(3 * k) * 5),
    z: floats(40, () => 0),
  },
};

/** A window of three, and what one iteration hands to the next. */
const smoothed: Program = {
  source: `void work(_Float16 *restrict x, _Float16 *restrict y) {
#pragma acc serial copyin(x[0:50]) copyout(y[0:50])
  {
    _Float16 last = (_Float16)1.5;
#pragma openarc transform window(x, y)
    for (int i = 1; i < 49; i++) {
      _Float16 near = x[i - 1] + x[i + 1], here = last + x[i];
      near = near * (_Float16)0.25;
      here = here * (_Float16)0.5;
      last = near + here;
      y[i] = last * last;
    }
  }
}`,
  given: { x: halves(50, (k) => Math.sin(k * k)), y: halves(50, () => 0) },
};

/** Iterations that need what earlier ones stored, by addresses that are loaded. */
const scattered: Program = {
  source: `void work(int *restrict at, _Float16 *restrict x) {
#pragma acc serial copyin(at[0:20]) copy(x[0:8])
  for (int i = 0; i < 20; i++) {
    _Float16 a = x[i & 7] + (_Float16)1.5, b = x[at[i] & 3] - (_Float16)0.5, c = x[7] + x[6];
    a = a * b;
    x[at[i] & 7] = a - c;
  }
}`,
  given: {
    at: { bytes: 4, values: Array.from({ length: 20 }, (_, k) => (k * 7) % 11) },
    x: halves(8, (k) => k / 4),
  },
};

/** A loop inside another, and work before and after it. */
const nested: Program = {
  source: `void work(_Float16 *restrict x, _Float16 *restrict out) {
#pragma acc serial copyin(x[0:30]) copyout(out[0:5])
  for (int i = 0; i < 5; i++) {
    _Float16 a = x[i] * x[i + 1], b = x[i + 2] * x[i + 3], sum = a + b;
    for (int k = 0; k < 6; k++) {
      _Float16 c = x[k] + 1, d = (_Float16)0.5 * x[k];
      c = c * x[3 * i + k];
      d = d + c;
      sum = sum + d;
    }
    a = sum * x[i];
    b = sum + 1;
    a = a / b;
    b = x[i] + 3;
    b = x[2] / b;
    out[i] = a + b;
  }
}`,
  given: { x: halves(30, (k) => (k % 7) - 2.5), out: halves(5, () => 0) },
};

/** Adds up in as many partial results as the adder needs cycles. */
const products: Program = {
  source: `void work(_Float16 *restrict x, _Float16 *restrict out) {
#pragma acc parallel copyin(x[0:60]) copyout(out[0:2]) num_gangs(1) num_workers(1) vector_length(1)
  {
    _Float16 s = 0, q = 1;
#pragma acc loop reduction(+:s, q)
    for (int i = 0; i < 60; i++) { s += x[i]; q += x[i] * x[i]; }
    out[0] = s; out[1] = q;
  }
}`,
  given: { x: halves(60, (k) => (k % 7) - 2.5), out: halves(2, () => 0) },
};

/** Loop-invariant values, from what the loop leaves unchanged and from what a step before it sets. */
const alike: Program = {
  source: `void work(int n, float *restrict x, float *restrict y) {
#pragma acc serial copyin(x[0:40]) copy(y[0:40])
  {
    float q = x[3], r = q;
    for (int i = 0; i < n; i++) r = r + 0.5f;
    for (int i = 0; i < n; i++) y[i] = (x[i] + y[i]) * (q * (1 + q) + r) + x[i] * (r + 1);
  }
}`,
  given: { n: 40, x: floats(40, (k) => Math.sin(k) * 10), y: floats(40, (k) => Math.cos(3 * k) * 5) },
};

/** Integers of several widths, with signs and without. */
const integers: Program = {
  source: `void work(int n, signed char *restrict a, unsigned char *restrict b, short *restrict c, int *restrict d) {
#pragma acc serial copyin(a[0:12], b[0:12]) copy(c[0:12], d[0:12])
  for (int i = 0; i < n; i++) {
    int x = c[i] * a[i] + b[i] * -77731;
    unsigned y = (unsigned)d[i] * b[i] / (b[i] + 1u) + a[i] * b[i];
    d[i] = x / (a[i] | 1) + y % (b[i] | 2u);
    c[i] = c[i] % (a[i] * 4 + 1) + a[i] / 3;
  }
}`,
  given: {
    n: 12,
    a: { bytes: 1, values: Array.from({ length: 12 }, (_, k) => ((k * 37) % 255) - 127) },
    b: { bytes: 1, values: Array.from({ length: 12 }, (_, k) => (k * 99) % 256) },
    c: { bytes: 2, values: Array.from({ length: 12 }, (_, k) => k * 5957 - 32768) },
    d: { bytes: 4, values: Array.from({ length: 12 }, (_, k) => k * 357913941 - 2147483648) },
  },
};

const [
  polynomialSerial,
  smoothedSerial,
  scatteredSerial,
  nestedSerial,
  productsSerial,
  alikeSerial,
  integersSerial,
] = serialArrays([polynomial, smoothed, scattered, nested, products, alike, integers]);

const intervalsOf = ({ design }: Designed) =>
  (design.plans[0] as HardwarePlan).pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii);
const modules: Readonly<Record<string, string>> = { div: "divide" };
/** Circuits of an operator in the kernel's module. */
const circuits = ({ design }: Designed, op: string) =>
  design.text.match(new RegExp(`^ *arc_${modules[op] ?? op}\\w* (#\\(.*\\) )?\\w+ \\($`, "gm"))?.length ?? 0;

describe("operations that take turns", () => {
  it.each<[string, Program, unknown, Assignment, number[]]>([
    ["all additions on one adder", polynomial, polynomialSerial, { "share-fadd": 1 }, [4]],
    ["additions and products", polynomial, polynomialSerial, { "share-fadd": 1, "share-fmul": 1 }, [4]],
    ["a window and a recurrence", smoothed, smoothedSerial, { "share-fadd": 1, "share-fmul": 1 }, []],
    ["stores that later iterations load", scattered, scatteredSerial, { "share-fadd": 1 }, []],
    ["several loops", nested, nestedSerial, { "share-fadd": 1, "share-fmul": 1, "share-fdiv": 1 }, []],
    [
      "all but what iterations compute alike",
      alike,
      alikeSerial,
      { "share-fadd": 1, "share-fmul": 1 },
      [7, 2],
    ],
    ["integers", integers, integersSerial, { "share-mul": 1, "share-div": 1 }, []],
    ["partial results", products, productsSerial, { "share-fadd": 1 }, []],
  ])("%s", (_, { source, given }, serial, choice, intervals) => {
    const made = designed(source, choice);
    expect(lint(made.design.text)).toBe("");
    if (intervals.length > 0) expect(intervalsOf(made)).toEqual(intervals);
    for (const [operator, units] of Object.entries(choice))
      expect(circuits(made, operator.replace("share-", ""))).toBeLessThanOrEqual(Number(units));
    const { plans, kernel } = made.design;
    const memory = { ...ideal, latency: 5 };
    const run = simulate(made, given, memory);
    if (serial !== productsSerial) expect(run.arrays).toEqual(serial);
    const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
    expect(predictCycles(plans[0] as HardwarePlan, runs, memory)).toBe(run.cycles);
    const stalled = simulate(made, given, { latency: 3, stalls: 9, seed: 1 });
    expect(stalled.arrays).toEqual(run.arrays);
  });

  it.each([
    [2, 2],
    [3, 2],
    [4, 1],
    [9, 1],
  ])(
    "start in as many cycles as the busiest of %i circuits has of four operations: %i",
    (units, interval) => {
      const made = designed(polynomial.source, { "share-fadd": units, "share-fmul": units });
      expect(intervalsOf(made)).toEqual([interval]);
      expect(circuits(made, "fadd")).toBe(Math.min(4, units));
    },
  );

  it("take turns unasked where iterations are several cycles apart, and delay none", () => {
    const source = `void work(_Float16 *restrict x, _Float16 *restrict y) {
#pragma acc serial copyin(x[0:30]) copy(y[0:30])
  {
    _Float16 s = 1;
    for (int i = 0; i < 30; i++) {
      s = s / (x[i] + 3);
      _Float16 a = x[i] + y[i], b = x[i] - s, c = y[i] * s;
      a = a * b;
      y[i] = a - c;
    }
  }
}`;
    const given = { x: halves(30, (k) => k % 5), y: halves(30, (k) => Math.cos(k)) };
    const [serial] = serialArrays([{ source, given }]);
    const made = designed(source);
    expect([circuits(made, "fadd"), circuits(made, "fmul")]).toEqual([2, 1]);
    expect(intervalsOf(made)).toEqual(intervalsOf(designed(source, { "share-fadd": 64, "share-fmul": 64 })));
    const run = simulate(made, given, { latency: 3, stalls: 5, seed: 4 });
    expect(run.arrays).toEqual(serial);
  });

  it("are what the report names as the interval's limit", () => {
    const made = designed(polynomial.source, { "share-fadd": 1, "share-fmul": 2 });
    expect(factsOf(made.design).loops[0]?.details).toBe("operators: fadd x 4 on 1 (line 4)");
  });

  it("give the serial result as a netlist of gates", () => {
    const source = `void work(_Float16 *restrict x, _Float16 *restrict y) {
#pragma acc serial loop copyin(x[0:12]) copyout(y[0:12])
  for (int i = 0; i < 12; i++) {
    _Float16 a = x[i] + (_Float16)1.5;
    y[i] = a + x[i];
  }
}`;
    const given = { x: halves(12, (k) => k - 4.5), y: halves(12, () => 0) };
    const [serial] = serialArrays([{ source, given }]);
    const made = designed(source, { "share-fadd": 1 });
    expect(circuits(made, "fadd")).toBe(1);
    const run = simulate(made, given, { latency: 3, stalls: 5, seed: 4 }, "netlist");
    expect(run.arrays).toEqual(serial);
  });
});
