/** Which loops in order a launch repeats; what they compute is tried in test/programs/combinations/repeats.test.ts. */
import { describe, expect, it } from "vitest";
import { count, hostOf, kernelOf, remarksOf } from "../../translate.ts";

const region = (construct: string, body: string, loop = "for (int k = 0; k < n; k++)", before = "") => `
float a[64][64], b[64];
void f(int n, int m, int t) {
#pragma acc ${construct}
  {
  ${before}
  ${loop} {
${body}
  } }
}`;
const inner = "#pragma acc loop\nfor (int i = 0; i < m; i++) a[i][0] += b[i] * k;";
const repeated = (source: string) => remarksOf(source, "opencl").filter((r) => /repeated/.test(r));

describe("a launch repeats", () => {
  it("a sequential loop around a parallel one, in parallel and in kernels", () => {
    for (const construct of ["parallel", "kernels"]) {
      const source = region(construct, inner);
      const { manifest } = kernelOf(source, "cuda");
      expect(repeated(source)).toEqual(["7:3 repeated-by-host"]);
      expect(manifest).toMatch(/loop t\d\nkernel \w+_0\n(group|grid|param) [\s\S]*param i n0\nend-loop\n$/);
      expect(hostOf(source)).toMatch(/arc_trips\[\] = \{[^}]*n/);
    }
  });

  it("nested loops, each with its own iteration", () => {
    const source = region("parallel", `for (int o = 0; o < 3; o++) {\n${inner}\n}`);
    const { manifest } = kernelOf(source, "cuda");
    expect(manifest).toMatch(/loop t\d\nloop t\d\nkernel[\s\S]*param i n0[\s\S]*end-loop\nend-loop\n$/);
  });

  it("code around parallel loops once, in one group, and hands what it computes on in memory", () => {
    const source = region("parallel", `float d = a[k][k];\n${inner.replace("* k", "* d")}`);
    const { manifest, text } = kernelOf(source, "cuda");
    expect(count(manifest, "\nkernel ")).toBe(2);
    expect(manifest).toContain("scratch 16\n");
    expect(text).toContain("*d = a[k][k]");
    // One load for all iterations.
    expect(text).toContain("float d_ = *d");
  });

  it("no memory for values that each kernel can compute itself", () => {
    const source = region("parallel", `const int d = k * 2 + n;\n${inner.replace("* k", "* d")}`);
    const { manifest } = kernelOf(source, "cuda");
    expect(count(manifest, "\nkernel ")).toBe(1);
    expect(manifest).not.toContain("scratch");
  });
});

describe("short parallel loops", () => {
  const beside = (loop: string) => `
float a[64][64], b[64];
void f(int n, int m) {
#pragma acc parallel
  for (int k = 0; k < n; k++) {
    b[k] = a[k][0] + 1;
    ${loop}
#pragma acc loop
    for (int i = 0; i < m; i++) a[i][k] /= b[k];
  }
}`;
  const kernels = (loop: string) => count(kernelOf(beside(loop), "opencl").manifest, "\nkernel ");

  it("join the kernel of one group beside them", () => {
    expect(kernels("#pragma acc loop\nfor (int i = 0; i < 64; i++) a[i][1] = b[k];")).toBe(2);
    expect(
      kernels(
        "#pragma acc loop collapse(2)\nfor (int i = 0; i < 8; i++) for (int j = 0; j < 64; j++) a[i][j] = b[k];",
      ),
    ).toBe(2);
  });

  it.each([
    [
      "whose number of iterations is not constant",
      "#pragma acc loop\nfor (int i = 0; i < m; i++) a[i][1] = b[k];",
    ],
    [
      "of many iterations",
      "#pragma acc loop collapse(2)\nfor (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a[i][j] = b[k];",
    ],
    [
      "around loops",
      "#pragma acc loop\nfor (int i = 0; i < 64; i++) for (int j = 0; j < m; j++) a[i][j] = b[k];",
    ],
  ])("%s stay kernels of their own", (_, loop) => {
    expect(kernels(loop)).toBe(3);
  });
});

describe("short sums", () => {
  const sum = (type: string) =>
    region(
      "kernels",
      `${type} s = 0;\n#pragma acc loop independent reduction(+:s)\nfor (int i = 0; i < 64; i++) s += a[i][0];\nb[0] = s * b[0];`,
    );

  it("of integers are found by the group that needs them, and others by all, since rounding would differ", () => {
    expect(kernelOf(sum("int"), "opencl").manifest).not.toContain("_finish");
    expect(kernelOf(sum("float"), "opencl").manifest).toContain("_finish");
  });
});

describe("a loop in order stays in one kernel, with a remark", () => {
  it.each([
    ["that ends early", region("parallel", `if (b[k] < 0) break;\n${inner}`)],
    ["that skips", region("parallel", `if (b[k] < 0) continue;\n${inner}`)],
    [
      "of a number of iterations that the region computes",
      region("parallel", inner, undefined, "n = (int)b[0];"),
    ],
    ["whose condition the region computes", region("kernels", inner, "k = 0; while (b[k] > 0)", "int k;")],
    ["of a region with gangs that the program counts", region("parallel num_gangs(4)", inner)],
    ["that hands on a pointer", region("parallel", `float *d = b + k;\n${inner.replace("b[i]", "d[0]")}`)],
    [
      "whose counter is used later",
      region("parallel", inner, "int k; for (k = 0; k < n; k++)").replace(
        /\}\s*\}\s*\}$/,
        "}\n b[k] = 1; } }",
      ),
    ],
  ])("%s", (_, source) => {
    expect(remarksOf(source, "opencl").filter((r) => /repeated/.test(r))).toEqual([
      expect.stringMatching(/not-repeated$/),
    ]);
    expect(kernelOf(source, "cuda").manifest).not.toContain("loop");
  });

  it("as do loops around which all groups already share one", () => {
    const source = `float a[64][64];
void f(int n) {
#pragma acc parallel loop gang
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
#pragma acc loop vector
      for (int j = 0; j < n; j++) a[i][j] += k;
    }
}`;
    expect(remarksOf(source, "opencl").filter((r) => /repeated/.test(r))).toEqual([]);
  });
});
