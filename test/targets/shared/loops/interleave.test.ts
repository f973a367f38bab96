/**
 * Iterations side by side compute what they compute one after the other: emitted CUDA is compiled as C++
 * with the built-in variables as ordinary ones, each work-item run in turn, and compared with the loop.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { count, hostOf, kernelOf } from "../../translate.ts";

const line = "for (int i = 0; i < n; i++)";
const plane = "for (int i = 0; i < n / 32; i++)\n  for (int j = 0; j < 32; j++)";

/** Loops over `x`, `y` and `z` of n elements, as pairs of clauses and loop. */
const loops: Readonly<Record<string, readonly [string, string]>> = {
  "values of their own": ["", `${line} { double s = x[i], t = s * 2; s += t; y[i] = s - x[0] + t; }`],
  "variables from around that each iteration sets": [
    "",
    `${line} { around = x[i] + 1; y[i] = around * around; z[i] = around; }`,
  ],
  "stores that the next loads may see in the serial loop only": ["", `${line} z[i] = x[i] + 1;`],
  "reads of what the same iteration wrote": [
    "",
    `${line} { z[i] = x[i]; y[i] = z[i] * 2; z[i] = y[i] + 1; }`,
  ],
  "an exchange through a third variable": ["", `${line} { double t = y[i]; y[i] = z[i]; z[i] = t; }`],
  "branches with declarations inside": [
    "",
    `${line} { double s = 0; if (x[i] > 3) { double t = x[i] * 2; s = t; } else s = -1; y[i] = s; }`,
  ],
  "names that copies could take": [
    "",
    `${line} { double s = x[i], s_0 = 2, s_1 = 3, s_3 = 4; y[i] = s + s_0 * s_1 + s_3; }`,
  ],
  "a variable that shadows another": [
    "",
    `${line} { double s = x[i]; { double s = 5; y[i] = s; } z[i] = s; }`,
  ],
  "an inner loop with the same bounds for all": [
    "",
    `${line} { double s = 0; for (int k = 0; k < 7; k++) s += x[(i + k) % n]; y[i] = s; }`,
  ],
  "inner loops in each other": [
    "",
    `${line} { double s = 0; for (int k = 1; k < 4; k++) for (int l = k; l < 5; l++) s += x[(i * k + l) % n]; y[i] = s; }`,
  ],
  "an inner loop that runs to the iteration's own number": [
    "",
    `${line} { double s = 0;\n#pragma acc loop seq\nfor (int k = 0; k < i % 9; k++) s += x[k]; y[i] = s; }`,
  ],
  "an inner loop that is left early": [
    "",
    `${line} { int k = 0; for (int l = 0; l < 9; l++) { if (x[(i + l) % n] > 8) break; k++; } y[i] = k; }`,
  ],
  "an inner loop whose counter its body moves": [
    "",
    `${line} { int m = 0; for (int k = 0; k < 9; k++) { if (x[i] > 4) k++; m++; } y[i] = m; }`,
  ],
  "a bound that changes within the iteration": [
    "",
    `${line} { int e = i % 5; for (int k = 0; k < e; k++) y[i] += k; e++; z[i] = e; }`,
  ],
  "iterations that end early": ["", `${line} { if (x[i] > 5) continue; y[i] = 1; }`],
  "a plane": [
    "collapse(2)",
    `${plane} y[i * 32 + j] = x[i * 32 + (j + 1) % 32] + x[(i + 1) % (n / 32) * 32 + j];`,
  ],
  // Of fewer terms than products have that are computed in tiles, whose lanes work together.
  "a plane of inner products": [
    "collapse(2)",
    `${plane} { double s = 0; for (int k = 0; k < 12; k++) s += x[i * 32 + k] * x[k * 32 + j]; y[i * 32 + j] = s; }`,
  ],
};

const shim = `
#include <cstdio>
#include <cstring>
struct Dim { unsigned x, y, z; };
static Dim threadIdx, blockIdx, blockDim, gridDim;
#define __global__
#define __launch_bounds__(n)
enum { most = 5000 };
static double one[3][most], two[3][most];
template <class F> static void launch(unsigned gx, unsigned gy, unsigned bx, unsigned by, F f) {
  gridDim = {gx, gy, 1}; blockDim = {bx, by, 1};
  for (blockIdx.y = 0; blockIdx.y < gy; blockIdx.y++) for (blockIdx.x = 0; blockIdx.x < gx; blockIdx.x++)
    for (threadIdx.y = 0; threadIdx.y < by; threadIdx.y++) for (threadIdx.x = 0; threadIdx.x < bx; threadIdx.x++) f();
}
static void fill(double (*a)[most]) {
  for (int i = 0; i < 3 * most; i++) a[i / most][i % most] = i * 2654435761u % 1000 / 100.0;
}
static int compare(const char *what) {
  int wrong = memcmp(one, two, sizeof one) != 0;
  if (wrong) printf("%s\\n", what);
  return wrong;
}
`;

const region = (clauses: string, loop: string) =>
  `void f(int n, double *x, double *y, double *z) {\ndouble around;\n#pragma acc parallel loop ${clauses} deviceptr(x, y, z)\n${loop}\n}`;

describe("iterations side by side", () => {
  test("compute what the loop computes, whatever the body does, under any geometry and any number", () => {
    const folder = mkdtempSync(join(tmpdir(), "arc-interleave-"));
    try {
      const parts: string[] = [];
      const calls: string[] = [];
      Object.entries(loops).forEach(([what, [clauses, loop]], k) => {
        const { text, manifest } = kernelOf(region(clauses, loop), "cuda");
        const name = /^kernel (\S+)/m.exec(manifest)?.[1] as string;
        const group = /^group (\d+) ; (\d+)/m.exec(manifest)?.slice(1).join(", ");
        const values: Record<string, string> = { n: "n", x: "one[0]", y: "one[1]", z: "one[2]" };
        const params = new RegExp(`${name}\\(([^)]*)\\)`).exec(text)?.[1] as string;
        const args = params.split(", ").map((p) => values[/\w+$/.exec(p)?.[0] as string]);
        parts.push(
          text,
          `static void f${k}(int n, double *x, double *y, double *z) {\ndouble around;\n${loop}\n}`,
        );
        for (const n of [0, 1, 770, 1023, 1024, 1500, 4999])
          for (const grid of ["1, 1", "2, 1", "5, 1", ...(clauses ? ["1, 3", "2, 40"] : [])])
            calls.push(
              `{ int n = ${n}; fill(one); fill(two); launch(${grid}, ${group}, [=] { ${name}(${args.join(", ")}); }); f${k}(n, two[0], two[1], two[2]); wrong |= compare(${JSON.stringify(`${what}: ${n} in ${grid}`)}); }`,
            );
      });
      writeFileSync(
        join(folder, "all.cpp"),
        [shim, ...parts, "int main() { int wrong = 0;", ...calls, "return wrong; }"].join("\n"),
      );
      execFileSync(
        "g++",
        ["-O1", "-w", "-ffp-contract=off", "-fsanitize=address,undefined", "all.cpp", "-o", "all"],
        {
          cwd: folder,
        },
      );
      expect(execFileSync("./all", { cwd: folder }).toString()).toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("share an inner loop that runs the same for all, and load before the first store", () => {
    const { text } = kernelOf(region(...(loops["a plane of inner products"] as [string, string])), "cuda");
    expect(count(text, "k < 12")).toBe(2);
    expect(text).toMatch(/s_0 \+= .*\n\s*s_1 \+= .*\n\s*s_2 \+= .*\n\s*s_3 \+= /);
    const stencil = kernelOf(region(...(loops["a plane"] as [string, string])), "cuda").text;
    expect(stencil).toMatch(/arc_value_3 = .*\n\s*y\[.* = arc_value_0;/);
  });

  test("only for bodies whose loops run the same in every iteration and whose iterations run to their end", () => {
    for (const what of ["an inner loop that runs to the iteration's own number", "iterations that end early"])
      expect(kernelOf(region(...(loops[what] as [string, string])), "cuda").text).not.toContain("i_1");
    expect(kernelOf(region("", `${line} z[i] = x[i] + 1;`), "host").text).not.toContain("i_1");
  });

  test("need fewer groups only where the device stays busy", () => {
    const { manifest } = kernelOf(region("", `${line} z[i] = x[i] + 1;`), "cuda");
    expect(manifest).toMatch(/^grid 1 t0 0 max 256 ceildiv 1 \* cu 16 \* \/ .* 4 ceildiv .* \? max/m);
  });
});

describe("restrict", () => {
  const sum = (declaration: string, loop: string) =>
    kernelOf(`void f(int n, ${declaration}) {\n${loop}\n}`, "cuda").text;
  const add =
    "#pragma acc parallel loop present(x[0:n], y[0:n])\n  for (int i = 0; i < n; i++) y[i] += x[i];";

  test("reaches the kernel's parameters as the author wrote it, and no others", () => {
    expect(sum("const float *restrict x, float *restrict y", add)).toContain(
      "const float *__restrict__ x, float *__restrict__ y",
    );
    expect(sum("const float *x, float *y", add)).not.toContain("__restrict__");
  });

  test("on only one pointer proves nothing: the other may be derived from it", () => {
    const derived = `float *y = x + 1;\n${add}`;
    expect(sum("float *restrict x", derived)).not.toContain("__restrict__");
    expect(sum("const float *restrict x, float *y", add)).not.toContain("__restrict__");
  });

  test("holds for distinct arrays, unless a pointer may lead into them", () => {
    const arrays = "float x[64], y[64], *p;\nvoid f(int n) {\n";
    expect(kernelOf(`${arrays}${add}\n}`, "cuda").text).toMatch(
      /float \*__restrict__ x.*float \*__restrict__ y/,
    );
    const pointer = add.replace("y[i] +=", "y[i] += p[i] +").replace("present(", "deviceptr(p) present(");
    expect(kernelOf(`${arrays}${pointer}\n}`, "cuda").text).not.toContain("__restrict__");
  });

  test("is left out where items meet at barriers: they exchange data through memory", () => {
    const meeting =
      "#pragma acc parallel num_gangs(1) present(x[0:n], y[0:n])\n{\n#pragma acc loop vector\n  for (int i = 0; i < n; i++) y[i] = x[i];\n#pragma acc loop vector\n  for (int i = 0; i < n; i++) x[i] = y[n - 1 - i];\n}";
    expect(sum("float *restrict x, float *restrict y", meeting)).not.toContain("__restrict__");
    const read = meeting.replace("x[i] = y[n - 1 - i]", "y[i] += x[i]");
    expect(sum("float *restrict x, float *restrict y", read)).toContain("float *__restrict__ x, float *y");
  });
});

describe("atomic updates", () => {
  const update = (type: string, statement: string, kind: "cuda" | "opencl") =>
    kernelOf(
      `void f(int n, ${type} *bins, const int *at) {\n#pragma acc parallel loop present(bins[0:9], at[0:n])\n  for (int i = 0; i < n; i++) {\n#pragma acc atomic update\n    ${statement}\n  }\n}`,
      kind,
    ).text;

  test.each([
    ["unsigned", "bins[at[i]]++;"],
    ["unsigned", "bins[at[i]] -= at[i];"],
    ["int", "bins[at[i]] |= 1ul;"],
    ["long", "bins[at[i]] += at[i];"],
    ["float", "bins[at[i]] += at[i];"],
    ["double", "bins[at[i]] -= 1.5f;"],
  ])("of %s by %s take the hardware's instruction", (type, statement) => {
    expect(update(type, statement, "cuda")).toMatch(/atomic(Add|Or)\(/);
    expect(update(type, statement, "cuda")).not.toContain("atomicCAS");
  });

  test.each([
    ["float", "bins[at[i]] += 0.1;"],
    ["unsigned", "bins[at[i]] += 0.5;"],
    ["int", "bins[at[i]] *= 2;"],
    ["unsigned", "bins[at[i]] = 1 - bins[at[i]];"],
  ])(
    "of %s by %s compare and swap: the operand decides how they round, or no instruction does it",
    (type, statement) => {
      expect(update(type, statement, "cuda")).toContain("atomicCAS");
    },
  );

  test("take OpenCL's functions where these exist", () => {
    expect(update("unsigned", "bins[at[i]]++;", "opencl")).toContain(
      "atomic_add(target, (unsigned int)value)",
    );
    expect(update("long", "bins[at[i]]++;", "opencl")).toContain("atom_cmpxchg");
  });
});

describe("a construct without async", () => {
  const loop = "#pragma acc parallel loop copy(a)\n  for (int i = 0; i < 9; i++) a[i]++;";
  test("waits once, where its data is done", () => {
    const text = hostOf(`int a[9];\nvoid f(void) {\n${loop}\n}`);
    expect(text).toMatch(/arc_data_begin\(&arc_here, ARC_JOINED, /);
    expect(text).toMatch(/arc_config = \{ARC_JOINED, /);
    expect(text).toMatch(/arc_data_end\(&arc_here, ARC_SYNC, /);
  });
  test("waits at the launch where it moves no data", () => {
    const text = hostOf(`void f(int *a) {\n${loop.replace("copy(a)", "deviceptr(a)")}\n}`);
    expect(text).toMatch(/arc_config = \{ARC_SYNC, /);
  });
});

describe("one over a root", () => {
  const root = (type: string, e: string, kind: "cuda" | "opencl" = "cuda") =>
    kernelOf(
      `#include <math.h>\nvoid f(int n, ${type} *x) {\n#pragma acc parallel loop present(x[0:n])\n  for (int i = 0; i < n; i++) x[i] = ${e};\n}`.replace(
        "#include <math.h>\n",
        "float sqrtf(float); double sqrt(double);\n",
      ),
      kind,
    ).text;

  test("is one instruction in float, but follows C in double or with another numerator", () => {
    expect(root("float", "1 / sqrtf(x[i])")).toContain("rsqrtf(x[");
    expect(root("float", "1.0f / sqrtf(x[i] + 1)")).toContain("rsqrtf(x[");
    expect(root("float", "1 / sqrtf(x[i])", "opencl")).toContain("rsqrt(x[");
    expect(root("float", "2 / sqrtf(x[i])", "opencl")).not.toContain("rsqrt");
    for (const text of [
      root("double", "1 / sqrt(x[i])"),
      root("float", "2 / sqrtf(x[i])"),
      root("float", "1.0 / sqrtf(x[i])"),
    ])
      expect(text).not.toContain("rsqrt");
  });
});

describe("items of a group", () => {
  test("take several iterations of a loop inside at once, and load before they store", () => {
    const { text } = kernelOf(
      "void f(int n, float (*a)[512], float *b) {\n#pragma acc parallel loop gang present(a[0:n], b[0:512])\n  for (int i = 0; i < n; i++)\n#pragma acc loop vector\n    for (int j = 0; j < 512; j++) a[i][j] += b[j];\n}",
      "cuda",
    );
    expect(text).toMatch(/arc_value_0 = a\[i\]\[j_0\] \+ b\[j_0\];\s+float arc_value_1/);
    expect(text.indexOf("= arc_value_0")).toBeGreaterThan(text.indexOf("arc_value_3 ="));
  });
});
