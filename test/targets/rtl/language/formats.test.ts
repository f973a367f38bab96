/** Programs in other formats than float: bit for bit what the C of their region computes. */
import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { binary32 } from "../../../../core/hw/dfg/float-format.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { referenceOf } from "../../../../targets/rtl/reference/reference.ts";
import type { LoweredRegion } from "../../../../targets/shared/device/device.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { type Designed, designed, designsOf, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

const slow = process.env.ARC_SLOW_TESTS !== undefined;

const floats = (n: number, f: (k: number) => number) => {
  const values = new Uint32Array(new Float32Array(Array.from({ length: n }, (_, k) => f(k))).buffer);
  return { bytes: 4, values: [...values], format: binary32 };
};
const ints = (n: number): Given => ({ bytes: 4, values: Array.from({ length: n }, () => 0) });

/** What the C of the region leaves; `declared`: the function's parameters, which are the region's variables. */
function referenced(
  { regions: [region] }: Designed,
  declared: string,
  given: Readonly<Record<string, Given>>,
) {
  const [kernel] = (region as LoweredRegion).kernels;
  const names = kernel?.params.map(({ sym, source }) =>
    source.from === "argument" ? source.argument.name : sym.name,
  );
  const source = `${referenceOf(region as LoweredRegion)}
void work(${declared}) { ${kernel?.name}(${names}); }`;
  return serialArrays([{ source, given }])[0];
}

const declared = "int n, const float *s, float *x, float *y, int *out";
const everything = `float sqrtf(float); float fabsf(float); float fmaxf(float, float); float floorf(float); float rintf(float);
static inline float twice(float v, int k) { return k > 2 ? v * 2 : k; }
void work(${declared}) {
#pragma acc serial copyin(s[0:1]) copy(x[0:n], y[0:n]) copyout(out[0:n])
  {
    float total = 0, most = -__builtin_inff(), last[3] = {1, 0.25f};
    const float table[4] = {0.1f, 0.2f, -0.3f, 4};
    for (int i = 0; i < n; i++) {
      float a = x[i] * s[0], b = y[i] / 3.0f;
      total += a;
      total -= 1;
      b++;
      last[i % 3] = b + table[i % 4];
      int k = a;
      if (a < b && b > 0.5f || !a) k += 2;
      k += b;
      float c = k > 3 ? a : 1;
      c = -c * 0.75f + twice(i, k) + (float)k / 7 + b / (a - 1);
      y[i] = total + sqrtf(fabsf(c)) - floorf(last[0]) * 0.1f + (x[i] > 0 ? x[i] : 0);
      out[i] = (short)(k + (a <= c) + (int)(fmaxf(c, a) * 16.0f));
      if (most < a) most = a;
      if (c > 2) x[i] += rintf(c) + most;
    }
  }
}`;

describe("format computes float operations of the source in other formats", () => {
  const given = {
    n: 24,
    s: floats(1, () => 1.5),
    x: floats(24, (k) => Math.sin(k) * 1.3 ** k * 0.5),
    y: floats(24, (k) => (k === 5 ? NaN : k === 6 ? 1e30 : Math.cos(k * k) * 20)),
    out: ints(24),
  };
  const finite = { ...given, y: floats(24, (k) => Math.cos(k * k) * 20) };

  const formats: readonly (readonly [string, typeof given])[] = [
    ["q9.7", given],
    ["q16.16", given],
    ["q30.18", given],
    // A NaN has no integer value.
    ["f16", finite],
    ["bf16", finite],
  ];
  it.each(slow ? formats : formats.slice(0, 1))("%s", (format, values) => {
    const made = designed(everything, { format });
    expect(lint(made.design.text)).toBe("");
    const run = simulate(made, values, ideal);
    expect(run.arrays).toEqual(referenced(made, declared, values));
  });

  it("adds up in fixed point in one variable, an iteration in every cycle", () => {
    const source = `void work(int n, float *x, float *y, float *sum) {
  float total = sum[0];
#pragma acc parallel loop reduction(+:total) copyin(x[0:n], y[0:n])
  for (int i = 0; i < n; i++) total += x[i] * y[i];
  sum[0] = total;
}`;
    const made = designed(source, { format: "q8.24" });
    const { kernel } = made.design;
    const plan = made.design.plans[0] as HardwarePlan;
    expect(plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual([1]);
    expect(made.design.text).not.toMatch(/arc_fadd|register_\d/);
    const values = {
      n: 50,
      x: floats(50, (k) => Math.sin(k)),
      y: floats(50, (k) => Math.cos(k) * 2),
      total: floats(1, () => 0.125),
    };
    const run = simulate(made, values, { ...ideal, latency: 4 });
    expect(run.arrays).toEqual(referenced(made, "int n, float *x, float *y, float *total", values));
    const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
    expect(predictCycles(plan, runs, { latency: 4 })).toBe(run.cycles);
  });

  it.each([
    ["q16.16", "expf(x[i])", "4: no-operator"],
    ["q40.40", "x[i]", "2: number-format"],
  ])("refuses what has no circuit: %s, %s", (format, expression, refusal) => {
    const [outcome] = designsOf(
      `float expf(float); void work(float *x) {
#pragma acc serial copy(x[0:4])
  for (int i = 0; i < 4; i++)
    x[i] = ${expression};
}`,
      { format },
    );
    if (!outcome || !("diagnostics" in outcome)) throw new Error("made");
    const [{ loc, code, remedy } = {}] = outcome.diagnostics as readonly {
      loc?: { line: number };
      code?: string;
      remedy?: string;
    }[];
    expect(`${loc?.line}: ${code}`).toBe(refusal);
    expect(remedy).toContain("format");
  });
});
