/** Which loops in order a launch repeats; what they compute is tried in test/programs/combinations/repeats.test.ts. */
import { describe, expect, it } from "vitest";
import { count, diagnosticsFor, hostOf, kernelOf, remarksOf } from "../../translate.ts";

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

describe("loops of a region that need each other's results", () => {
  const pair = (second: string, { construct = "parallel", between = "", after = "m" } = {}) => `
float a[640], b[640], c[640];
void f(int n, int m) {
#pragma acc ${construct}
  {
#pragma acc loop gang vector
    for (int i = 0; i < m; i++) b[i] = a[i];
    ${between}
#pragma acc loop gang vector
    for (int i = 0; i < ${after}; i++) ${second}
  }
}`;
  const kernels = (source: string, kind: "host" | "opencl") =>
    count(`\n${kernelOf(source, kind).manifest}`, "\nkernel ");
  const remarks = (source: string) =>
    remarksOf(source, "host").filter((r) => /one-after|do-not-wait/.test(r));

  it.each([
    ["reads what another iteration wrote", pair("c[i] = b[m - 1 - i];")],
    ["overwrites what another iteration reads", pair("a[m - 1 - i] = c[i];")],
    ["has other iterations", pair("c[i] = b[i];", { after: "n" })],
    ["follows code that changes what it reads", pair("c[i] = b[i];", { between: "b[0] = 1;" })],
  ])("are kernels of their own where one %s", (_, source) => {
    for (const kind of ["host", "opencl"] as const) expect(kernels(source, kind)).toBeGreaterThan(1);
    expect(remarks(source)).toEqual(["4:13 one-after-the-other"]);
  });

  it("stay together where an iteration needs only its own", () => {
    const source = pair("c[i] = b[i];");
    for (const kind of ["host", "opencl"] as const) expect(kernels(source, kind)).toBe(1);
    expect(remarks(source)).toEqual([]);
  });

  it("are kernels of their own for gangs of a given number too, unless code beside the loops may count them", () => {
    const needs = "c[i] = b[m - 1 - i];";
    expect(remarks(pair(needs, { construct: "parallel num_gangs(8)" }))).toEqual([
      "4:13 one-after-the-other",
    ]);
    const between = (code: string) =>
      remarks(pair(needs, { construct: "parallel num_gangs(8)", between: code }));
    const inLoops =
      "int t = 0;\nwhile (t < a[0]) {\n#pragma acc loop gang\nfor (int i = 0; i < m; i++) {\n#pragma acc atomic update\nb[t] += 1;\n}\nt++; }";
    for (const code of ["a[0] = 1;", "a[0] += 1;", "float *p = a; p[1] = 2;", inLoops])
      expect(between(code)).toEqual(["4:13 one-after-the-other"]);
    expect(between("\n#pragma acc atomic update\na[0] += 1;")).toEqual(["6:1 warning gangs-do-not-wait"]);
    expect(between('printf("%d\\n", m);')).toEqual(["6:1 warning gangs-do-not-wait"]);
    expect(remarks(pair(needs, { construct: "parallel num_gangs(1)" }))).toEqual([]);
  });

  it("are run by one gang where kernels could not hand on what is between them", () => {
    const construct = "parallel reduction(+:n)";
    const source = pair("c[i] = b[m - 1 - i];", { construct, between: "n += 1;" });
    expect(diagnosticsFor(source, "host").map((d) => [d.code, d.loc.line])).toContainEqual(["one-gang", 6]);
    expect(kernelOf(source, "opencl").manifest).toContain("grid 1 ");
  });

  it("are run by one gang where only the number of a loop's iterations is another's result", () => {
    const source = `
float a[640];
int count[640];
void f(int m) {
#pragma acc parallel
  {
#pragma acc loop gang vector
    for (int i = 0; i < m; i++) count[i] = i;
    for (int k = 0; k < count[m - 1]; k++) {
#pragma acc loop gang vector
      for (int i = 0; i < m; i++) a[i] += k;
    }
  }
}`;
    expect(remarksOf(source, "host")).toEqual(["9:5 not-repeated"]);
    expect(kernelOf(source, "host").manifest).toContain("grid 1 ");
  });

  it("are kernels that a loop around them repeats on the host only where an iteration needs another's", () => {
    const around = (second: string) =>
      region("parallel", `${inner}\n#pragma acc loop\nfor (int i = 0; i < m; i++) ${second}`);
    expect(remarksOf(around("a[i][1] = a[i][0];"), "host")).not.toContain("7:3 repeated-by-host");
    expect(remarksOf(around("a[i][1] = a[m - 1 - i][0];"), "host")).toContain("7:3 repeated-by-host");
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
    [
      "of a region with gangs that the program counts",
      region("parallel num_gangs(4)", `#pragma acc atomic update\nb[0] += 1;\n${inner.replace("b[i]", "m")}`),
    ],
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
