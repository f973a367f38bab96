/** Time loops whose steps one pass over memory makes, and those whose steps stay one by one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emulatedEmitter } from "../../../../targets/vitis/emulate.ts";
import { seedsOf } from "../../../cases.ts";
import { type Ready, runAll, runAllHls, stratixV, translate } from "./harness.ts";
import { timeLoopCase } from "./random/random-time-loops.ts";

describe("random time loops", () => {
  it.each(seedsOf(1))(
    "give the serial result for any number of steps and stages (%i)",
    (seed) => {
      const opencl: Ready[] = [];
      const hls: Ready[] = [];
      for (let k = 0; k < 16; k++) {
        const [one] = fc.sample(timeLoopCase(k), { seed: seed * 1000 + k, numRuns: 1 });
        if (!one) continue;
        const { regions } = translate(one.source, one.choice, stratixV, k % 2 ? emulatedEmitter : undefined);
        const [emitted] = regions;
        expect(emitted?.remarks.find((r) => r.pass === "time-steps")?.applied, one.source).toBe(true);
        if (emitted) (k % 2 ? hls : opencl).push({ source: one.source, emitted, main: one.main });
      }
      for (const [ready, run] of [
        [opencl, runAll],
        [hls, runAllHls],
      ] as const)
        run(ready).forEach(({ serial, kernel }, k) => {
          expect(kernel, `${ready[k]?.source}\n${ready[k]?.emitted.text}`).toBe(serial);
        });
    },
    240_000,
  );
});

const rows = "for (int i = 1; i < 9; i++) for (int j = 1; j < 19; j++)";

/** A time loop over rows of 20 elements; line 4 is the sweep, line 5 the copy. */
const heat = ({
  sweep = "b[x] = a[x - 20] + a[x + 20] + a[x - 1] + a[x + 1];",
  bounds = rows,
  copied = "",
  copy = "a[x] = b[x];",
  more = "",
  directive = "serial",
  parameters = "int n, int *restrict a, int *restrict b, const int *p",
} = {}) => `void work(${parameters}) {
#pragma acc ${directive} copy(a[0:200], b[0:200]) copyin(p[0:200])
  for (int t = 0; t < 7; t++) {
    ${bounds} { int x = i * 20 + j; ${sweep} }
    ${copied || bounds} { int x = i * 20 + j; ${copy} }
    ${more}
  }
}`;
const choice = { "time-steps": 4 };

describe("a time loop", () => {
  it("reports its effect", () => {
    const [emitted] = translate(heat(), choice).regions;
    expect(emitted?.remarks.filter((r) => r.pass === "time-steps")).toMatchObject([
      {
        applied: true,
        message: "4 steps over 'a' in one pass over memory, through 4 windows of 41 elements",
        loc: { line: 3 },
      },
    ]);
  });

  it("loads an array that all stages read once, and one whose elements data chooses in each stage", () => {
    const source = heat({
      sweep: "b[x] = a[x - 1] + a[x + 1] + p[x] + p[a[x] & 7];",
      parameters: "int n, int *restrict a, int *restrict b, const int *restrict p",
    });
    const [plain] = translate(source.replace("p[a[x] & 7]", "p[x + 1]"), choice).regions;
    expect(plain?.remarks.find((r) => r.pass === "time-steps")?.message).toMatch(
      /a delay line of 5 for 'p'$/,
    );
    const [chosen] = translate(source, choice).regions;
    expect(chosen?.remarks.filter((r) => r.pass === "time-steps")).toMatchObject([
      { applied: true },
      { applied: false, message: expect.stringMatching(/^each of the 4 stages loads 'p' by itself: /) },
    ]);
  });

  it("makes a region that leaves it open a single work-item", () => {
    const [emitted] = translate(heat({ directive: "kernels" }), choice).regions;
    expect(emitted?.remarks.find((r) => r.pass === "model")).toMatchObject({
      applied: true,
      message:
        "single work-item kernel: stages of time steps need it and the directive leaves the sizes open",
    });
  });

  it.each<[why: string, source: string, line: number, message: RegExp]>([
    ["a step's maximum", heat({ sweep: "b[x] = a[x - 1]; n = b[x] > n ? b[x] : n;" }), 4, /computes 'n'/],
    ["a third loop", heat({ more: "for (int x = 0; x < 200; x++) b[x] = 0;" }), 6, /more than the sweep/],
    ["a store under a condition", heat({ sweep: "if (a[x - 1]) b[x] = a[x];" }), 4, /only under a condition/],
    ["two stores", heat({ sweep: "b[x] = a[x - 1]; b[x + 1] = a[x];" }), 4, /sets several elements of 'b'/],
    [
      "a second output",
      heat({
        sweep: "b[x] = a[x - 1]; p[x] = 1;",
        parameters: "int *restrict a, int *restrict b, int *restrict p",
      }),
      4,
      /sets 'p', too/,
    ],
    ["its own result", heat({ sweep: "b[x] = a[x - 1]; b[x] += a[x];" }), 4, /reads 'b\[x\]', which it sets/],
    [
      "a copy of less",
      heat({ copied: "for (int i = 1; i < 9; i++) for (int j = 1; j < 18; j++)" }),
      5,
      /takes 18 iterations over 'j' and the other 17/,
    ],
    [
      "a copy of something else",
      heat({ copy: "a[x] = b[x + 1];" }),
      5,
      /does not take what the sweep has set/,
    ],
    ["a second sweep", heat({ copy: "a[x] = b[x - 1] + b[x + 1];" }), 5, /does not just copy 'b' back/],
    [
      "memory of two names",
      heat({ sweep: "b[x] = a[x - 1] + p[x];", parameters: "int *a, int *b, const int *p" }),
      4,
      /'p' and 'a' may be the same memory/,
    ],
    [
      "distances that data chooses",
      heat({ sweep: "b[x] = a[x - 1] + a[a[x] & 7];" }),
      4,
      /not a sum of loop variables/,
    ],
    [
      "rows of unknown length",
      heat({ bounds: "for (int i = 1; i < 9; i++) for (int j = 1; j < n; j++)" }),
      4,
      /trip count of 'j' is not constant/,
    ],
    [
      "as many steps as its result says",
      heat().replace("t < 7", "t < a[0]"),
      3,
      /how often a loop runs depends on 'a'/,
    ],
    [
      "types of different sizes",
      heat({ parameters: "short *restrict a, int *restrict b, const int *p" }),
      3,
      /have different types/,
    ],
  ])("is refused for %s", (_why, source, line, message) => {
    const { regions, diagnostics } = translate(source, choice);
    expect(regions).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "time-steps", loc: { line } }]);
    expect(diagnostics[0]?.message).toMatch(message);
    expect(diagnostics[0]?.remedy).toBeTruthy();
    expect(translate(source).diagnostics).toEqual([]);
  });

  it("does not go together with blocks", () => {
    const { diagnostics } = translate(heat(), { ...choice, "block-size": 8 });
    expect(diagnostics).toMatchObject([
      { code: "time-steps", message: "time-steps does not go together with block-size" },
    ]);
  });

  it.each<[string, string]>([
    ["leads through the arrays", heat({ sweep: "b[x] = a[x - 1] + t;" })],
    ["does not copy back", heat({ copy: "b[x] = a[x];" })],
  ])("that %s is none, which is said", (_why, source) => {
    const [emitted] = translate(source, choice).regions;
    expect(emitted?.remarks.filter((r) => r.pass === "time-steps")).toMatchObject([{ applied: false }]);
  });
});

describe("a region that is launched for each step", () => {
  const step = (from: number, body = "b[x] = (x > 0 ? a[x - 1] : 0) + (x < 99 ? a[x + 1] : 0) + p[x];") =>
    `void work(const int *restrict a, int *restrict b, const int *restrict p) {
#pragma acc serial loop present(a[0:100], b[0:100], p[0:100])
  for (int x = ${from}; x < 100; x++) { ${body} }
}`;
  const remarksOf = (source: string) => {
    const { regions, diagnostics } = translate(source, choice);
    expect(diagnostics).toEqual([]);
    return regions[0]?.remarks.filter((r) => r.pass === "time-steps");
  };

  it("makes several of them, from the array that it reads to the one that it sets", () => {
    const [emitted] = translate(step(0), choice).regions;
    expect(emitted?.remarks.find((r) => r.pass === "time-steps")).toMatchObject({
      applied: true,
      message:
        "launches that take turns are one: up to 4 steps over 'a' in one pass over memory, through 4 windows of 3 elements and a delay line of 4 for 'p'",
    });
    const parameters = emitted?.region.kernels[0]?.params.map((p) => p.sym.name);
    const places = ["a", "b", "arc_steps"].map((name) => parameters?.indexOf(name));
    expect(emitted?.manifest).toContain(`\nsteps 4 ${places.join(" ")}\n`);
  });

  it("makes an odd number of them where elements that it does not set differ between the arrays", () => {
    const [remark] = remarksOf(step(1)) ?? [];
    expect(remark).toMatchObject({ applied: true, message: expect.stringContaining("up to 3 steps") });
  });

  it.each<[why: string, source: string, message: RegExp]>([
    [
      "leaves elements as they are that the arrays need not both have",
      step(1).replace("b[0:100]", "b[0:101]"),
      /'a' and 'b' are not known to have the same extent/,
    ],
    ["sets elements under a condition", step(0, "if (a[x]) b[x] = a[x - 1];"), /only under a condition/],
    ["reads one place", step(0, "b[x] = a[x];"), /neither a time loop nor a step of one/],
  ])("stays as it is where the sweep %s", (_why, source, message) => {
    const [remark] = remarksOf(source) ?? [];
    expect(remark).toMatchObject({ applied: false });
    expect(remark?.message).toMatch(message);
  });
});
