/** Initiation intervals, trips, accesses and area of real regions. */
import { describe, expect, it } from "vitest";
import type { Estimate, KernelEstimate, LoopEstimate } from "../../../../core/compiler/estimate/estimate.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { estimateOf, fpgaProgram } from "./designs.ts";

const kernel = (e: Estimate, name?: string): KernelEstimate =>
  e.kernels.find((k) => name === undefined || k.function === name) as KernelEstimate;
const loops = (e: Estimate, name?: string): readonly LoopEstimate[] => kernel(e, name).runs[0]?.loops ?? [];
const innermost = (e: Estimate, name?: string): LoopEstimate => loops(e, name).at(-1) as LoopEstimate;

const serial = (body: string, before = "", declared = "float a[1000], b[1000]; int n = 1000;") => `
${declared}
int main(void) {
  ${before}
#pragma acc serial copy(a, b)
  { ${body} }
}`;

describe("the initiation interval", () => {
  it("of a sum is the latency of its addition, and the sum is named as the limit", () => {
    const source = `float x[1000]; int main(void) { float s = 0;
#pragma acc serial loop reduction(+:s) copyin(x)
for (int i = 0; i < 1000; i++) s += x[i];
return s; }`;
    const plain = innermost(estimateOf(source, { reduction: 0 }));
    expect(plain).toMatchObject({ ii: 8, limit: { line: 3, latency: 8, distance: 1 } });
    expect(plain.limit?.through).toEqual(["s"]);
    expect(innermost(estimateOf(source, { reduction: 1 }))).toMatchObject({ ii: 1 });
    expect(innermost(estimateOf(source, { reduction: 1, "reduction-depth": 4 }))).toMatchObject({ ii: 2 });
  });

  it.each([
    ["float", "+", 32],
    ["double", "*", 64],
  ])("of a %s %s that is unrolled four times is four latencies (2.2.3.3)", (type, op, ii) => {
    const source = `${type} x[1000]; int main(void) { ${type} s = 1;
#pragma acc serial loop reduction(${op}:s) copyin(x)
#pragma unroll 4
for (int i = 0; i < 1000; i++) s = s ${op} x[i];
return s; }`;
    expect(innermost(estimateOf(source, { reduction: 0 }))).toMatchObject({ ii });
    expect(innermost(estimateOf(source, { reduction: 4 }))).toMatchObject({ ii: 1 });
  });

  it("of a sum from 0 is one where the device accumulates in a cycle, and the pass leaves it to it", () => {
    const source = `float x[1000]; int main(void) { float s = 3;
#pragma acc serial loop reduction(+:s) copyin(x)
for (int i = 0; i < 1000; i++) s += x[i];
return s; }`;
    const on = (device: string, choice: Assignment) => innermost(estimateOf(source, choice, { device })).ii;
    expect(on("arria-10", {})).toBe(1);
    expect(on("arria-10", { reduction: 0 })).toBe(5);
    const conditional = source.replace("s += x[i]", "if (x[i] > 0) s += x[i]");
    expect(innermost(estimateOf(conditional, {}, { device: "arria-10" })).ii).toBeGreaterThan(1);
  });

  it("of NW is a way through memory without a window and one cycle with it (2.4.4.1: 328 and 1)", () => {
    const without = innermost(estimateOf(fpgaProgram("nw"), { window: 0 }));
    expect(without.ii).toBeGreaterThanOrEqual(327);
    expect(without.ii).toBeLessThanOrEqual(329);
    expect(without.limit).toMatchObject({ distance: 1, line: 16 });
    expect(innermost(estimateOf(fpgaProgram("nw"), { window: 1 })).ii).toBe(1);
  });

  it("divides by the distance between the iterations that wait for each other", () => {
    const far = (d: number) =>
      innermost(estimateOf(serial(`for (int i = ${d}; i < 1000; i++) a[i] = a[i - ${d}] * b[i];`)));
    expect(far(1).limit).toMatchObject({ distance: 1 });
    expect(far(10).limit).toMatchObject({ distance: 10, latency: far(1).limit?.latency });
    expect(far(10).ii).toBe(Math.ceil(far(1).ii / 10));
  });

  it("reports that accesses may conflict if subscripts do not exclude it", () => {
    const found = innermost(
      estimateOf(
        serial(
          "for (int i = 0; i < n; i++) a[c[i]] = a[i] + 1;",
          "",
          "float a[1000], b[1000]; int c[1000], n;",
        ),
      ),
    );
    expect(found.limit).toMatchObject({ possible: true, distance: 1 });
  });

  it("is one where an iteration reads only what no other one writes", () => {
    expect(
      innermost(estimateOf(serial("for (int i = 0; i < 1000; i++) a[i] = a[i] * 2 + b[999 - i];"))).ii,
    ).toBe(1);
    expect(
      innermost(estimateOf(serial("for (int i = 0; i < 1000; i++) a[i] = b[i > 0 ? i - 1 : 0];"))).ii,
    ).toBe(1);
  });

  it("of a value that goes through two variables counts both iterations", () => {
    const found = innermost(
      estimateOf(
        serial(
          "float p = 1, q = 1; for (int i = 0; i < 1000; i++) { float t = p + b[i]; p = q; q = t; a[i] = t; }",
        ),
      ),
    );
    expect(found).toMatchObject({ ii: 4, limit: { latency: 8, distance: 2 } });
  });

  it("is not limited by the counters of collapsed loops, however often they are copied", () => {
    const source = fpgaProgram("jacobi");
    for (const window of [1, 16]) {
      const swept = estimateOf(source, { model: "swi", window }, { defines: ["ROWS=100", "COLS=100"] });
      expect(innermost(swept, "sweep").ii).toBe(1);
    }
  });
});

describe("trips", () => {
  it("are those of the transformed loop: a window warms up, and takes several iterations per step", () => {
    const trips = (window: number) =>
      innermost(
        estimateOf(fpgaProgram("hotspot"), { model: "swi", window }, { defines: ["ROWS=64", "COLS=64"] }),
      ).trips;
    expect(trips(0)).toBe(64 * 64);
    expect(trips(1)).toBe(64 * 64 + 64);
    expect(trips(8)).toBe((64 * 64 + 64) / 8);
  });

  it("are those of a pass over memory where one takes several steps of time", () => {
    const estimated = (choice: Assignment) =>
      estimateOf(fpgaProgram("hotspot"), { hoist: true, ...choice }, { defines: ["ROWS=64", "COLS=64"] });
    const [one, three] = [estimated({}), estimated({ "time-steps": 3 })].map((e) => e.kernels[0]?.runs[0]);
    expect([one?.launches, three?.launches]).toEqual([6, 2]);
    expect(three?.loops[0]?.trips).toBe(64 * 64 + 3 * 64);
    expect(one && three && one.bytes / three.bytes).toBeGreaterThan(2.8);
    const steps = (stages: number) =>
      innermost(
        estimateOf(fpgaProgram("heat"), { model: "swi", "time-steps": stages }, { defines: ["STEPS=8"] }),
      ).trips;
    expect(steps(8) - steps(4)).toBe(4 * 17);
  });

  it("follow the words of the run's command line through calls", () => {
    const source = `#include <stdlib.h>
static void scale(float *restrict x, int count) {
#pragma acc parallel loop copy(x[0:count])
  for (int i = 0; i < count; i++) x[i] *= 2;
}
int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 7, steps = 3;
  if (argc > 2) steps = atoi(argv[2]);
  float *x = malloc(rows * 4 * sizeof *x);
  for (int s = 0; rows > 0 && s < steps; s++) scale(x, rows * 4);
}`;
    const run = (args: readonly string[]) => kernel(estimateOf(source, {}, { args })).runs[0];
    expect(run(["50", "6"])).toMatchObject({ launches: 6, loops: [{ trips: 200 }], assumed: [] });
    expect(run([])).toMatchObject({ launches: 3, loops: [{ trips: 28 }], assumed: [] });
  });

  it.each([
    ["int s = 0; s < 10; s++", 10],
    ["int s = 0; s + 1 < n; s += 2", 5],
    ["int s = 9; s >= 0 && n > 3; s -= 3", 4],
    ["int s = 1; s * s <= n; s++", 3],
    ["int s = 0; s < n - 10; s++", 0],
  ])("count the launches of `for (%s)` where n is 10", (loop, launches) => {
    const source = `float x[64]; int main(void) { int n = 10;
for (${loop}) {
#pragma acc parallel loop copy(x)
  for (int i = 0; i < 64; i++) x[i] *= 2;
} }`;
    expect(kernel(estimateOf(source)).runs[0]).toMatchObject({ launches, assumed: [] });
  });

  it("are averages in triangles, and sums over launches of different sizes", () => {
    const source = `float a[64][64]; int main(void) {
#pragma acc data copy(a)
for (int k = 0; k < 64; k++) {
#pragma acc parallel loop present(a)
  for (int i = k + 1; i < 64; i++) a[i][k] /= a[k][k];
}
}`;
    expect(kernel(estimateOf(source)).runs[0]).toMatchObject({ launches: 64, loops: [{ trips: 31.5 }] });
  });

  it("are assumed to be 1024 if unknown, and the estimate says so", () => {
    const source = `#include <stdio.h>
int main(void) { int n; float x[4000]; if (scanf("%d", &n) != 1) return 1;
#pragma acc parallel loop copy(x)
for (int i = 0; i < n; i++) x[i] *= 2;
}`;
    const run = kernel(estimateOf(source)).runs[0];
    expect(run?.loops[0]?.trips).toBe(1024);
    expect(run?.assumed).toEqual(["the loop at line 3 is taken to run 1024 times"]);
  });
});

describe("memory", () => {
  const bytes = (source: string, choice: Assignment = {}) =>
    kernel(estimateOf(source, choice)).runs[0]?.bytes;
  const loop = (body: string) =>
    `float a[4096], b[65536]; int c[4096]; int main(void) {
#pragma acc parallel loop copy(a) copyin(b, c)
for (int i = 0; i < 4096; i++) ${body}
}`;

  it("moves each element once where neighbouring iterations take neighbouring elements", () => {
    expect(bytes(loop("a[i] = b[i];"))).toBe(2 * 4 * 4096);
    expect(bytes(loop("a[i] = b[i] + b[i] * b[i];"))).toBe(2 * 4 * 4096);
    expect(bytes(loop("a[i] = b[7];"))).toBe(4 * 4096);
  });

  it("transfers complete bursts for strides and for data-dependent subscripts", () => {
    expect(bytes(loop("a[i] = b[4 * i];"))).toBe((4 + 16) * 4096);
    expect(bytes(loop("a[i] = b[16 * i];"))).toBe((4 + 64) * 4096);
    expect(bytes(loop("a[i] = b[c[i]];"))).toBe((4 + 4 + 64) * 4096);
  });

  it("is read once through a window instead of once per neighbour", () => {
    const run = (window: number) =>
      kernel(
        estimateOf(fpgaProgram("hotspot"), { model: "swi", window }, { defines: ["ROWS=64", "COLS=64"] }),
      ).runs[0];
    expect(run(1)?.bytes).toBeLessThan((run(0)?.bytes as number) / 2);
    // As many elements, and a shorter warm-up.
    expect(run(8)?.bytes).toBe(run(1)?.bytes);
  });
});

describe("area", () => {
  it("counts an expression once however often it is written, and ignores unused ones", () => {
    const dsps = (body: string) =>
      kernel(estimateOf(serial(`for (int i = 0; i < 1000; i++) { ${body} }`), {}, { device: "arria-10" }))
        .resources.dsps;
    expect(dsps("a[i] = b[i] * 3.5f;")).toBe(1);
    expect(dsps("a[i] = b[i] * 3.5f; b[i] = b[i] * 3.5f;")).toBe(1);
    expect(dsps("float t = b[i] * 1.7f; t += 3; a[i] = b[i] * 3.5f;")).toBe(1);
    expect(dsps("a[i] = b[i] * 3.5f + a[i] * b[i];")).toBe(3);
  });

  it("grows with copies: of a window's steps, of a kernel, of its lanes", () => {
    const area = (choice: Assignment, source = fpgaProgram("jacobi").replace(/^.*window.*$/gm, "")) =>
      kernel(estimateOf(source, choice, { device: "arria-10", defines: ["ROWS=66", "COLS=66"] }), "copy")
        .resources;
    const one = area({ model: "nd" });
    expect(area({ model: "nd", "compute-units": 4 }).aluts / one.aluts).toBeCloseTo(4, 2);
    const lanes = (window: number) =>
      kernel(estimateOf(fpgaProgram("sobel"), { model: "swi", window }, { defines: ["ROWS=64", "COLS=64"] }))
        .resources.aluts;
    expect(lanes(16)).toBeGreaterThan(4 * lanes(2));
  });

  it("shrinks where branches share their operators (hoist)", () => {
    const area = (hoist: boolean) =>
      kernel(estimateOf(fpgaProgram("hotspot"), { model: "swi", window: 1, hoist }, { device: "arria-10" }))
        .resources.dsps;
    expect(area(true)).toBeLessThan(area(false));
  });
});

it("estimates every program for FPGAs in its variants, and states its assumptions", () => {
  const programs: Readonly<Record<string, readonly Assignment[]>> = {
    sobel: [
      { model: "swi", window: 0 },
      { model: "swi", window: 16 },
    ],
    fd3d: [
      { model: "swi", window: 1 },
      { model: "swi", window: 4 },
    ],
    hotspot: [{ model: "swi", window: 8, hoist: true }],
    srad: [{ model: "swi", reduction: 4, window: 2 }],
    nw: [{ window: 1 }, { window: 4 }],
    pathfinder: [
      { model: "swi", window: 1 },
      { model: "swi", window: 32 },
    ],
    jacobi: [{ model: "swi", window: 16 }],
    matmul: [{ model: "nd", elim: true }, { model: "swi" }],
  };
  for (const [name, choices] of Object.entries(programs))
    for (const choice of choices)
      for (const device of ["stratix-v", "arria-10", "stratix-10"]) {
        const { kernels, clock, share } = estimateOf(fpgaProgram(name), choice, { device });
        expect(kernels.length, name).toBeGreaterThan(0);
        expect(clock).toBeGreaterThan(50);
        expect(share).toBeGreaterThan(0);
        for (const k of kernels) {
          expect(k.runs[0]?.seconds, `${name} ${k.function}`).toBeGreaterThan(0);
          expect(k.runs[0]?.assumed, `${name} ${k.function}`).toEqual([]);
          expect(k.assumed.length).toBeGreaterThan(0);
        }
      }
});

describe("estimates for Vitis", () => {
  const on = (program: string, choice: Assignment) =>
    estimateOf(fpgaProgram(program), choice, { device: "ultrascale-plus", inOrder: true });

  it("are of single work-items, on the U250, and say which figures are assumed", () => {
    const made = on("hotspot", { window: 4 });
    expect(made.kernels.map((k) => k.model)).toEqual(made.kernels.map(() => "swi"));
    expect(made.available).toMatchObject({ aluts: 1728000, dsps: 12288, rams: 2688 });
    expect(made.assumed.join()).toContain("UltraScale+");
    expect(made.assumed.join()).not.toContain("what the device has");
  });

  it("rank windows and shift registers above what goes through memory", () => {
    const seconds = (program: string, choice: Assignment) =>
      on(program, choice).kernels.reduce((sum, k) => sum + (k.runs[0]?.seconds ?? 0), 0);
    expect(seconds("nw", { window: 1 })).toBeLessThan(seconds("nw", { window: 0 }));
    expect(seconds("sobel", { window: 4 })).toBeLessThan(seconds("sobel", { window: 1 }));
    expect(seconds("srad", { window: 1, reduction: 4 })).toBeLessThan(
      seconds("srad", { window: 1, reduction: 0 }),
    );
  });
});

describe("regions that become one kernel", () => {
  const source = `float a[1000], b[1000], c[1000];
int main(void) {
#pragma acc data copyin(a) copy(b, c)
  {
#pragma acc serial loop
    for (int i = 0; i < 1000; i++) b[i] = a[i] * 2;
#pragma acc serial loop
    for (int i = 0; i < 1000; i++) c[i] = b[i] + a[i];
  }
}`;

  it("are estimated as one, with one pipeline where their loops become one", () => {
    const apart = estimateOf(source, {});
    const one = estimateOf(source, { fuse: true });
    expect([apart.kernels.length, one.kernels.length]).toEqual([2, 1]);
    expect(one.kernels[0]?.runs[0]).toMatchObject({ launches: 1, loops: [{ trips: 1000 }] });
    const seconds = (e: typeof one) => e.kernels.reduce((sum, k) => sum + (k.runs[0]?.seconds ?? 0), 0);
    expect(seconds(one)).toBeLessThan(seconds(apart));
  });
});
