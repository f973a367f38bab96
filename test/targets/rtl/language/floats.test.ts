/** Programs in floating point: bit for bit what gcc's program computes, in the cycles that the schedule predicts. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { evaluator } from "../../../../core/hw/dfg/evaluate.ts";
import { bfloat16, binary16, binary32, binary64, floatShape } from "../../../../core/hw/dfg/float-format.ts";
import type { FloatOp, Format, Shape, UnaryFloatOp, Variable } from "../../../../core/hw/dfg/value.ts";
import { operatorGraph } from "../../../../core/hw/operators/operator.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { hx8k } from "../../../../targets/rtl/parts.ts";
import { profileAt } from "../../../../targets/rtl/profile.ts";
import { referenceOf } from "../../../../targets/rtl/reference/reference.ts";
import type { LoweredRegion } from "../../../../targets/shared/device/device.ts";
import { isNan, reference } from "../../../core/hw/operators/reference.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { type Designed, designed, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

const floats = (n: number, f: (k: number) => number) => {
  const values = new Uint32Array(new Float32Array(Array.from({ length: n }, (_, k) => f(k))).buffer);
  return { bytes: 4, values: [...values], format: binary32 };
};
const doubles = (n: number, f: (k: number) => number) => {
  const values = new BigUint64Array(new Float64Array(Array.from({ length: n }, (_, k) => f(k))).buffer);
  return { bytes: 8, values: [...values], format: binary64 };
};
const ints = (n: number, f: (k: number) => number): Given => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

interface Program {
  readonly name: string;
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
  /** Codes of floating-point arguments. */
  readonly device?: Readonly<Record<string, Given>>;
  /** Initiation intervals of the loops that are pipelined, where they do not depend on operators' latencies. */
  readonly intervals?: readonly number[];
}

/** Operands for which remainders are 0, subnormal, the dividend itself, and none. */
const dividends = [
  7,
  -7,
  2.5e38,
  -1e-39,
  0,
  -0,
  Infinity,
  NaN,
  2 ** 101,
  -(2 ** 102),
  2 ** 99,
  1e32,
  -3e30,
  2e30,
  1e30,
  -1e38,
];

const programs: readonly Program[] = [
  {
    name: "a scaled vector added to another",
    source: `void work(int n, float s, float *restrict x, float *restrict y) {
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) y[i] += s * x[i];
}`,
    given: {
      n: 33,
      s: 3,
      x: floats(33, (k) => Math.sin(k) * 10 ** (k - 16)),
      y: floats(33, (k) => Math.cos(k) * 10 ** (16 - k)),
    },
    device: { s: 0x40400000 },
    intervals: [1],
  },
  {
    name: "remainders, powers of two, and the nearest integers",
    source: `float fmodf(float, float); float remainderf(float, float); float ldexpf(float, int);
float scalbnf(float, int); float scalblnf(float, long); double fmod(double, double); long lrintf(float);
long long llroundf(float);
void work(int n, float *restrict x, int *restrict k, float *restrict f, float *restrict r, float *restrict s,
          int *restrict i) {
#pragma acc parallel loop copyin(x[0:n], k[0:n]) copyout(f[0:n], r[0:n], s[0:n], i[0:n])
  for (int j = 0; j < n; j++) {
    f[j] = fmod(x[j], 0x1.8p100);
    r[j] = remainderf(x[j], 0x1p100f);
    s[j] = ldexpf(scalbnf(x[j], -3), k[j]) + scalblnf(0.75f, k[j] * 1000000000L);
    if (k[j] > -9 && k[j] < 9) i[j] = lrintf(k[j] * 0.5f) * 100 + llroundf(k[j] * 0.5f);
    else i[j] = 0;
  }
}`,
    given: {
      n: 16,
      x: floats(16, (k) => dividends[k] ?? 0),
      k: ints(
        16,
        (k) => [0, 1, -1, 5, -8, -5, 3, 7, 200, -200, 2147483647, -2147483648, 149, -3, 127, -130][k] ?? 0,
      ),
      ...Object.fromEntries(["f", "r", "s"].map((name) => [name, floats(16, () => 0)])),
      i: ints(16, () => 0),
    },
    intervals: [1],
  },
  {
    name: "results that functions leave where pointers lead",
    source: `float frexpf(float, int *); double modf(double, double *); float modff(float, float *);
float remquof(float, float, int *); void sincosf(float, float *, float *);
void work(int n, float *restrict x, int *restrict k, float *restrict f, float *restrict r, float *restrict s) {
#pragma acc parallel loop copyin(x[0:n]) copyout(k[0:3*n], f[0:n], r[0:n], s[0:n])
  for (int j = 0; j < n; j++) {
    int digits;
    float parts[2], sine, cosine;
    double whole;
    f[j] = frexpf(x[j], &k[j]);
    r[j] = remquof(x[j], j & 1 ? 0x1.8p99f : 0x1.4p-7f, &digits);
    k[n + j] = digits;
    s[j] = modff(x[j] * 0.75f, &parts[j & 1]) + parts[j & 1] * 2;
    modf(x[j], &whole);
    sincosf(whole < 1 ? j : 0, &sine, &cosine);
    k[2 * n + j] = (int)(sine * 100 - cosine * 10) + (whole > 3);
  }
}`,
    given: {
      n: 16,
      x: floats(16, (k) => dividends[k] ?? 0),
      k: ints(48, () => 0),
      ...Object.fromEntries(["f", "r", "s"].map((name) => [name, floats(16, () => 0)])),
    },
    intervals: [3],
  },
  {
    name: "remainders of doubles by constants",
    source: `double fmod(double, double); double remainder(double, double);
void work(int n, double *restrict x, double *restrict f, double *restrict r) {
#pragma acc parallel loop copyin(x[0:n]) copyout(f[0:n], r[0:n])
  for (int j = 0; j < n; j++) { f[j] = fmod(x[j], 0x1.8p1000); r[j] = remainder(x[j], 360); }
}`,
    given: {
      n: 16,
      x: doubles(16, (k) => (k === 3 ? 1e307 : (dividends[k] ?? 0))),
      ...Object.fromEntries(["f", "r"].map((name) => [name, doubles(16, () => 0)])),
    },
    intervals: [1],
  },
  {
    name: "kinds of numbers, comparisons of NaNs, neighbours and exponents",
    source: `float nextafterf(float, float); float logbf(float); int ilogbf(float); double nextafter(double, double);
void work(int n, float *restrict x, float *restrict y, int *restrict k, float *restrict f, double *restrict d) {
#pragma acc parallel loop copyin(x[0:n], y[0:n]) copyout(k[0:n], f[0:n], d[0:n])
  for (int j = 0; j < n; j++) {
    int kind = __builtin_fpclassify(0, 1, 4, 3, 2, x[j]);
    kind = kind * 2 + __builtin_isnan(x[j]);
    kind = kind * 4 + __builtin_isinf_sign(x[j]);
    kind = kind * 2 + __builtin_isfinite(x[j]);
    kind = kind * 2 + __builtin_isnormal(x[j]);
    kind = kind * 2 + (__builtin_signbit(x[j]) != 0);
    kind = kind * 2 + __builtin_isless(x[j], y[j]);
    kind = kind * 2 + __builtin_islessequal(x[j], y[j]);
    kind = kind * 2 + __builtin_isgreater(x[j], 1);
    kind = kind * 2 + __builtin_isgreaterequal(2.5, x[j]);
    kind = kind * 2 + __builtin_islessgreater(x[j], y[j]);
    kind = kind * 2 + __builtin_isunordered(x[j], y[j]);
    k[j] = kind + ilogbf(x[j]) % 1000;
    f[j] = j % 4 == 0 ? __builtin_nanf("") : j % 4 == 1 ? -__builtin_inff() : j % 4 == 2 ? logbf(x[j]) : nextafterf(x[j], y[j]);
    d[j] = j % 2 ? __builtin_huge_val() : nextafter(y[j], x[j]);
  }
}`,
    given: {
      n: 16,
      x: floats(16, (k) => [NaN, 1, 0, -0, -Infinity, 1e-42, -1e-42, 1, 3, 2.5, 0.1, -8][k % 12] ?? 0),
      y: floats(16, (k) => [1, NaN, -1, 0, 4, -Infinity, 2, 1][k % 8] ?? 0),
      k: ints(16, () => 0),
      f: floats(16, () => 0),
      d: doubles(16, () => 0),
    },
    intervals: [1],
  },
  {
    name: "a product and a sum that are rounded once",
    source: `float fmaf(float, float, float);
void work(int n, float *restrict x, float *restrict y) {
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) y[i] = fmaf(x[i], x[i], -y[i]);
}`,
    given: {
      n: 9,
      x: floats(9, (k) => 1 + k / 7),
      y: floats(9, (k) => Math.fround(1 + k / 7) ** 2),
    },
    intervals: [1],
  },
  {
    name: "comparisons, choices and functions",
    source: `float sqrtf(float); float fmaxf(float, float); float fminf(float, float); float fabsf(float);
void work(int n, float *restrict x, float *restrict y, int *restrict out) {
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n]) copyout(out[0:n])
  for (int i = 0; i < n; i++) {
    float a = x[i], b = y[i];
    out[i] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > 0.1) + 32 * (b >= a) + 64 * !a;
    if (a > b && a) b = sqrtf(fabsf(a)); else b = fmaxf(a, fminf(b, 1.5f)) / (a - 2);
    y[i] = b;
  }
}`,
    given: {
      n: 16,
      x: floats(16, (k) => [0, -0, 1, NaN, Infinity, -3.5, 0.1, 1e-40, 2, 7, 9, -1e30, 3, 3, 1, -1][k] ?? 0),
      y: floats(16, (k) => [-0, 0, 2, 1, Infinity, NaN, 0.1, 2e-40, 1, 7, 8, 1e30, -3, 2.5, 1, 1][k] ?? 0),
      out: ints(16, () => 0),
    },
    intervals: [1],
  },
  {
    name: "conversions between integers, float and double",
    source: `void work(int n, int *restrict a, double *restrict d, float *restrict f, unsigned char *restrict c) {
#pragma acc parallel loop copyin(a[0:n]) copy(d[0:n]) copyout(f[0:n], c[0:n])
  for (int i = 0; i < n; i++) {
    f[i] = a[i] * 0.5 + d[i];
    c[i] = (unsigned char)(d[i] * 2);
    d[i] = d[i] / 3 - (long)d[i];
  }
}`,
    given: {
      n: 12,
      a: ints(12, (k) => k * 123456789 - 700000000),
      d: doubles(12, (k) => k * 9.87654321),
      f: floats(12, () => 0),
      c: { bytes: 1, values: Array.from({ length: 12 }, () => 0) },
    },
    intervals: [1],
  },
  {
    name: "a sum in one variable",
    source: `void work(int n, float *restrict x, float *restrict sum) {
#pragma acc serial copyin(x[0:n]) copy(sum[0:1])
  {
    float s = sum[0];
    for (int i = 0; i < n; i++) s += x[i];
    sum[0] = s;
  }
}`,
    given: { n: 20, x: floats(20, (k) => 1 / (k + 1)), sum: floats(1, () => 0.5) },
  },
  {
    name: "a loop that ends where a number is small enough",
    source: `void work(int n, float *restrict x, int *restrict steps) {
#pragma acc serial copy(x[0:n]) copyout(steps[0:1])
  {
    float y = x[0];
    int k = 0;
    while (y > 1e-3 && k < 50) { y = y * 0.7f - x[1]; k++; }
    x[2] = y;
    steps[0] = k;
  }
}`,
    given: { n: 3, x: floats(3, (k) => 1 / (k * 90 + 1)), steps: ints(1, () => 0) },
  },
  {
    name: "members of a structure",
    source: `struct line { float slope; int shift; double unit; };
void work(int n, struct line *restrict l, float *restrict x) {
#pragma acc parallel loop copyin(l[0:1]) copy(x[0:n])
  for (int i = 0; i < n; i++) x[i] = l->slope * x[i] + l->shift * l->unit;
}`,
    given: { n: 5, l: doubles(2, (k) => [2.0000305473804474, 0.75][k] ?? 0), x: floats(5, (k) => k / 3) },
    intervals: [1],
  },
  {
    name: "Jacobi's iteration on a grid",
    source: `void work(int n, float *restrict a, float *restrict b) {
#pragma acc parallel loop collapse(2) copyin(a[0:n*n]) copy(b[0:n*n])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = 0.25f * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}`,
    given: { n: 7, a: floats(49, (k) => (k * 7919) % 101), b: floats(49, () => -1) },
  },
];

type Arrays = Readonly<Record<string, readonly bigint[]>>;

/** With one code for all NaNs. */
function comparable(arrays: Arrays, given: Program["given"]): Arrays {
  const entries = Object.entries(arrays).map(([name, values]) => {
    const array = given[name] as { readonly format?: Format };
    const { format } = array;
    return [name, format ? values.map((v) => (isNan(v, format) ? -1n : v)) : values] as const;
  });
  return Object.fromEntries(entries);
}

describe("designs in floating point", () => {
  const serial = serialArrays(programs);
  it.each(programs.map((p, k) => [p.name, p, k] as const))("give the serial result: %s", (_, program, k) => {
    const made = designed(program.source);
    expect(lint(made.design.text)).toBe("");
    const { plans, kernel } = made.design;
    const plan = plans[0] as HardwarePlan;
    const intervals = plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii);
    if (program.intervals) expect(intervals).toEqual(program.intervals);
    const given = { ...program.given, ...program.device };
    const run = simulate(made, given, { ...ideal, latency: 4 });
    const want = comparable(serial[k] as Arrays, program.given);
    expect(comparable(run.arrays, program.given)).toEqual(want);
    const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
    expect(predictCycles(plan, runs, { latency: 4 })).toBe(run.cycles);
    const stalled = simulate(made, given, { latency: 3, stalls: 5, seed: 7 });
    expect(comparable(stalled.arrays, program.given)).toEqual(want);
  });
});

describe("functions of <math.h>", () => {
  const x = floats(
    16,
    (k) => [0, -0, 1, NaN, Infinity, -3.5, 0.1, 1e-40, 2, 7, 900, -1e30, 0.5, 33, 1e-5, -1][k] ?? 0,
  );
  const functions = {
    expf: "fexp",
    logf: "flog",
    sinf: "fsin",
    cosf: "fcos",
    erfcf: "ferfc",
    rsqrtf: "frsqrt",
    floorf: "ffloor",
    rintf: "frint",
  } as const satisfies Record<string, UnaryFloatOp>;

  it("give the bits of their graphs, an iteration per cycle", () => {
    const names = Object.keys(functions) as (keyof typeof functions)[];
    const made = designed(`${names.map((f) => `float ${f}(float);`).join(" ")}
void work(float *restrict x, ${names.map((f) => `float *restrict ${f}_of`)}) {
#pragma acc parallel loop copyin(x[0:16]) copyout(${names.map((f) => `${f}_of[0:16]`)})
  for (int i = 0; i < 16; i++) {
    ${names.map((f) => `${f}_of[i] = ${f}(x[i]);`).join("\n    ")}
  }
}`);
    expect(lint(made.design.text)).toBe("");
    const plan = made.design.plans[0] as HardwarePlan;
    expect(plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual([1]);
    const results = Object.fromEntries(names.map((f) => [`${f}_of`, floats(16, () => 0)]));
    const run = simulate(made, { x, ...results }, { ...ideal, latency: 4 });
    const shape = floatShape(binary32);
    for (const f of names) {
      const { graph, inputs, output } = operatorGraph({
        op: functions[f],
        from: shape,
        to: shape,
        constants: [undefined],
      });
      const evaluate = evaluator(graph);
      const want = x.values.map((code) =>
        evaluate(new Map([[inputs[0] as Variable, BigInt(code)]])).get(output),
      );
      expect(run.arrays[`${f}_of`]).toEqual(want);
    }
  });
});

it("flush makes subnormal numbers 0, and leaves the others as they are", () => {
  const source = `void work(float *restrict x, float *restrict y) {
#pragma acc parallel loop copyin(x[0:6]) copy(y[0:6])
  for (int i = 0; i < 6; i++) y[i] = x[i] * 0.5f + y[i];
}`;
  const x = [1e-40, 2e-38, -2e-38, 3, 1e-39, 7];
  const y = [0, 0, 0, 0.25, 1, 1e-42];
  const given = { x: floats(6, (k) => x[k] as number), y: floats(6, (k) => y[k] as number) };
  const made = designed(source, { flush: true });
  expect(lint(made.design.text)).toBe("");
  const run = simulate(made, given, ideal);
  expect(numbersOf(run.arrays.y ?? [])).toEqual([0, 0, 0, 1.75, 1, 3.5]);
});

describe("format computes float operations of the source in narrower formats", () => {
  const source = `void work(int n, float k, float *restrict x, float *restrict s) {
#pragma acc serial copyin(x[0:n]) copy(s[0:n])
  {
    float sum = 0;
    for (int i = 0; i < n; i++) { sum += x[i] * k; s[i] = sum; }
  }
}`;
  const values = Array.from({ length: 12 }, (_, k) => Math.fround(Math.sin(k * k) * 3));
  const factor = 0.3;
  const given = { n: 12, k: floats(1, () => factor).values[0] as number, s: floats(12, () => 0) };

  it.each([
    ["f16", binary16],
    ["bf16", bfloat16],
  ] as const)("%s", (format, narrow) => {
    const made = designed(source, { format });
    expect(lint(made.design.text)).toBe("");
    const [wide, inside] = [floatShape(binary32), floatShape(narrow)];
    const of = (op: FloatOp, from: Shape, to: Shape, ...codes: readonly bigint[]) =>
      reference({ op, from, to, constants: [] }, codes as [bigint, bigint?]) as bigint;
    const narrowed = (code: number | bigint) => of("ftof", wide, inside, BigInt(code));
    let sum = 0n;
    const want = floats(12, (k) => values[k] as number).values.map((code) => {
      const term = of("fmul", inside, inside, narrowed(code), narrowed(given.k));
      sum = of("fadd", inside, inside, sum, term);
      return of("ftof", inside, wide, sum);
    });
    const run = simulate(made, { ...given, x: floats(12, (k) => values[k] as number) }, ideal);
    expect(run.arrays.s).toEqual(want);
    const sizes = made.design.text.match(/^ *arc_f(add|mul)_e\d+m\d+/gm)?.map((name) => name.trim());
    const { exponent: e, fraction: f } = narrow;
    expect(new Set(sizes)).toEqual(new Set([`arc_fadd_e${e}m${f}`, `arc_fmul_e${e}m${f}`]));
  });
});

describe("double constants in float expressions", () => {
  const operators = (expression: string) => {
    const made =
      designed(`double exp2(double); float exp2f(float); double floor(double); float powf(float, float); void work(float *x) {
#pragma acc serial copy(x[0:4])
  for (int i = 0; i < 4; i++)
    x[i] = ${expression};
}`);
    const [plan] = made.design.plans as [HardwarePlan];
    const used = plan.pipelines.flatMap((p) => p.processes.flatMap((x) => [...x.operators.values()]));
    return {
      names: [...new Set(used.map((u) => u.operator.name))].sort(),
      notes: plan.region.notes.map((n) => n.loc.line),
    };
  };

  it.each([
    ["x[i] * 2.0", ["fmul_e8m23_b40000000"]],
    [
      "x[i] / 2.0 + x[i]",
      ["fadd_e11m52", "fmul_e11m52_b3fe0000000000000", "ftof_e11m52_e8m23", "ftof_e8m23_e11m52"],
    ],
    ["powf(x[i], 2)", ["fmul_e8m23"]],
    ["floor(x[i])", ["ffloor_e8m23"]],
    ["x[i] < 0.1 ? -x[i] : x[i]", ["fle_e8m23_b3dcccccc"]],
  ])("run in single precision where the bits are the same: %s", (expression, names) => {
    expect(operators(expression).names).toEqual(names);
  });

  it("are named where they are not", () => {
    expect(operators("x[i] * 0.1").notes).toEqual([4]);
    expect(operators("x[i] * 0.5").notes).toEqual([]);
    expect(operators("exp2(x[i])").notes).toEqual([4]);
    expect(operators("exp2f(x[i])").notes).toEqual([]);
  });
});

describe("sums through partial results", () => {
  const given = {
    n: 75,
    x: floats(75, (k) => Math.sin(k) * 2 ** (k % 11)),
    y: floats(75, (k) => Math.cos(k * k) + 1),
  };
  const total = floats(1, () => 0.75);
  const reduction = (term: string) => `void work(int n, float *x, float *y, float *s) {
  float total = s[0];
#pragma acc parallel loop reduction(+:total) copyin(x[0:n], y[0:n])
  for (int i = 0; i < n; i++) total += ${term};
  s[0] = total;
}`;
  /**
   * The order described in docs/rtl-hardware.md: iterations alternate, then pairs are added, the oldest partial results
   * first.
   */
  const ordered = (term: string, depth: number) => `void work(int n, float *x, float *y, float *s) {
  float total = s[0], partial[${depth}] = {0};
  for (int i = 0; i < n; i++) partial[i % ${depth}] += ${term};
  float queue[2 * ${depth} + 1] = {total};
  for (int k = 0; k < ${depth}; k++) queue[k + 1] = partial[(n + k) % ${depth}];
  for (int k = 0; k < ${depth}; k++) queue[${depth} + 1 + k] = queue[2 * k] + queue[2 * k + 1];
  s[0] = queue[2 * ${depth}];
}`;

  /** The emitted C of a design, called as the program does. */
  const emitted = ({ regions: [region] }: Designed) => {
    const [kernel] = region?.kernels ?? [];
    const names = kernel?.params.map(({ sym, source }) => {
      const { name } = source.from === "argument" ? source.argument : sym;
      return name === "total" ? "s" : name;
    });
    return `${referenceOf(region as LoweredRegion)}
void work(int n, float *x, float *y, float *s) { ${kernel?.name}(${names}); }`;
  };

  const warnings = (input: string) =>
    spawnSync("gcc", ["-Wall", "-Wextra", "-Wno-unused-parameter", "-fsyntax-only", "-xc", "-"], {
      input,
    }).stderr.toString();

  it.each([
    ["a sum", "x[i]", 80],
    ["a dot product", "x[i] * y[i]", 80],
    ["a dot product at a lower clock", "x[i] * y[i]", 40],
  ])("start an iteration in every cycle and are added in the documented order: %s", (_, term, clock) => {
    const depth =
      profileAt(hx8k, clock).operators.find((o) => o.op === "+" && o.type === "float")?.latency ?? 0;
    expect(depth).toBeGreaterThan(2);
    const made = designed(reduction(term), {}, "separate", clock);
    const { kernel } = made.design;
    const plan = made.design.plans[0] as HardwarePlan;
    const [loop] = plan.pipelines.filter((p) => p.pipeline.loop);
    expect(loop?.ii).toBe(1);
    // The loop's adder adds up the partial results.
    expect(made.design.text.match(/^ *arc_fadd\w* \w+ \(/gm)).toHaveLength(1);
    const sources = [reduction(term), ordered(term, depth), emitted(made)];
    expect(warnings(emitted(made))).toBe("");
    const [serial, reference, printed] = serialArrays(
      sources.map((source) => ({ source, given: { ...given, s: total } })),
    );
    const run = simulate(made, { ...given, total }, { ...ideal, latency: 4 });
    expect(run.arrays.total).toEqual(reference?.s);
    expect(printed?.s).toEqual(reference?.s);
    const [got, want] = [run.arrays.total, serial?.s].map((v) => numbersOf(v ?? [])[0] as number) as [
      number,
      number,
    ];
    expect(Math.abs(got - want)).toBeLessThan(1e-4 * Math.abs(want));
    const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
    expect(predictCycles(plan, runs, { latency: 4 })).toBe(run.cycles);
    expect(run.cycles).toBeLessThanOrEqual(Number(given.n) + 100 + 4);
    const stalled = simulate(made, { ...given, total }, { latency: 3, stalls: 5, seed: 7 });
    expect(stalled.arrays.total).toEqual(reference?.s);
  });
});

const numbersOf = (codes: readonly bigint[]) => [
  ...new Float32Array(Uint32Array.from(codes.map(Number)).buffer),
];
