/**
 * Launch geometry and index arithmetic agree under every geometry: emitted CUDA is compiled as C++ with
 * the built-in variables as ordinary ones, each work-item run in turn, and every iteration counted.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../cases.ts";
import { kernelOf } from "../../../translate.ts";

interface Nest {
  readonly loops: readonly {
    readonly lower: number;
    readonly relation: "<" | "<=" | ">" | ">=" | "!=";
    readonly trips: number;
    readonly step: number;
  }[];
  readonly clauses: string;
}

const header = (l: Nest["loops"][number], v: string): string => {
  const down = l.relation === ">" || l.relation === ">=";
  const step = l.relation === "!=" ? 1 : l.step;
  const end = l.lower + (down ? -1 : 1) * l.trips * step;
  const bound = l.relation.endsWith("=") && l.relation !== "!=" ? end + (down ? 1 : -1) : end;
  return `for (int ${v} = ${l.lower}; ${v} ${l.relation} ${bound}; ${v} ${down ? "-=" : "+="} ${step})`;
};

/** A function that adds 1 to `seen` at a place that only this iteration has. */
function source({ loops, clauses }: Nest, name: string): string {
  const vars = loops.map((_, i) => `v${i}`);
  const place = vars.map((v, i) => `(${v} + 400)${" * 1009".repeat(loops.length - 1 - i)}`).join(" + ");
  const nest = loops.map((l, i) => header(l, vars[i] as string)).join("\n");
  return `
void ${name}(int *seen) {
#pragma acc parallel loop collapse(${loops.length}) ${clauses} present(seen)
${nest}
  seen[(${place}) % 100003] += 1;
}
void ${name}_serial(int *seen) {
${nest}
  seen[(${place}) % 100003] += 1;
}`;
}

const shim = `
#include <cstdio>
#include <cstring>
struct Dim { unsigned x, y, z; };
static Dim threadIdx, blockIdx, blockDim, gridDim;
#define __global__
#define __launch_bounds__(n)
static int one[100003], two[100003];
template <class F> static void launch(unsigned gx, unsigned gy, unsigned bx, unsigned by, F f) {
  gridDim = {gx, gy, 1}; blockDim = {bx, by, 1};
  for (blockIdx.y = 0; blockIdx.y < gy; blockIdx.y++) for (blockIdx.x = 0; blockIdx.x < gx; blockIdx.x++)
    for (threadIdx.y = 0; threadIdx.y < by; threadIdx.y++) for (threadIdx.x = 0; threadIdx.x < bx; threadIdx.x++) f();
}
static int compare(const char *what) {
  int wrong = memcmp(one, two, sizeof one) != 0;
  if (wrong) printf("%s\\n", what);
  return wrong;
}
`;

const loop = fc.record({
  lower: fc.integer({ min: -9, max: 9 }),
  relation: fc.constantFrom("<", "<=", ">", ">=", "!="),
  trips: fc.constantFrom(0, 1, 2, 7, 31, 32, 33),
  step: fc.integer({ min: 1, max: 3 }),
}) as fc.Arbitrary<Nest["loops"][number]>;
const nest: fc.Arbitrary<Nest> = fc.record({
  loops: fc.array(loop, { minLength: 1, maxLength: 3 }),
  clauses: fc.constantFrom(
    "",
    "gang",
    "gang vector",
    "gang worker vector",
    "vector_length(64)",
    "num_workers(128) gang worker",
    "num_gangs(3)",
  ),
});

describe("geometry", () => {
  test("every iteration runs exactly once, under the manifest's geometry and under any other", () => {
    const nests = fc.sample(nest, cases(60));
    const folder = mkdtempSync(join(tmpdir(), "arc-geometry-"));
    try {
      const parts: string[] = [];
      const calls: string[] = [];
      nests.forEach((n, k) => {
        const c = source(n, `f${k}`);
        const { text, manifest } = kernelOf(c, "cuda");
        const region = /^kernel (\S+)/m.exec(manifest)?.[1] as string;
        const [bx, by] = (/^group (\d+) ; (\d+)/m.exec(manifest) as RegExpExecArray).slice(1).map(Number) as [
          number,
          number,
        ];
        parts.push(text, `extern "C" ${c.slice(c.indexOf(`void f${k}_serial`))}`);
        for (const [gx, gy] of [
          [1, 1],
          [3, 1],
          [5, by > 1 ? 4 : 1],
          [40, by > 1 ? 9 : 1],
        ] as const)
          calls.push(
            `memset(one, 0, sizeof one); memset(two, 0, sizeof two); launch(${gx}, ${gy}, ${bx}, ${by}, [] { ${region}(one); }); f${k}_serial(two); wrong |= compare(${JSON.stringify(`${JSON.stringify(n)} ${gx}x${gy}`)});`,
          );
      });
      writeFileSync(
        join(folder, "all.cpp"),
        [shim, ...parts, "int main() { int wrong = 0;", ...calls, "return wrong; }"].join("\n"),
      );
      execFileSync("g++", ["-O1", "-w", "-fsanitize=undefined", "all.cpp", "-o", "all"], { cwd: folder });
      expect(execFileSync("./all", { cwd: folder }).toString()).toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("num_workers sizes the group that the index arithmetic steps by", () => {
    const { text, manifest } = kernelOf(
      "float a[1024];\nvoid f(void) {\n#pragma acc parallel loop gang worker num_workers(128)\n  for (int i = 0; i < 1024; i++) a[i] = i;\n}",
      "cuda",
    );
    expect(manifest).toContain("group 128 ; 1 ; 1");
    expect(text).toContain("arc_group * 128l + arc_item");
    expect(text).not.toContain("* 64l");
  });

  test("num_gangs is the number of groups, and a serial region has one work-item", () => {
    const gangs = kernelOf(
      "int a[9];\nvoid f(void) {\n#pragma acc parallel num_gangs(7)\n  a[0] = 1;\n}",
      "opencl",
    );
    expect(gangs.manifest).toMatch(/^grid ng ng .* \? ; 1 ; 1$/m);
    const serial = kernelOf("int a[9];\nvoid f(void) {\n#pragma acc serial\n  a[0] = 1;\n}", "opencl");
    expect(serial.manifest).toContain("grid 1 ; 1 ; 1");
    expect(serial.manifest).toContain("group 1 ; 1 ; 1");
  });

  test("the blocks of threads that tiles and teams are made of leave other loops several iterations an item", () => {
    const turned = kernelOf(
      "void f(int n, float (*restrict a)[512], float (*restrict b)[512]) {\n#pragma acc parallel loop collapse(2) present(a[0:512], b[0:512])\n  for (int i = 0; i < 512; i++)\n    for (int j = 0; j < 512; j++) b[j][i] = a[i][j];\n}",
      "cuda",
    );
    expect(turned.text).toContain("arc_tile0");
    expect(turned.manifest).toMatch(/ 256 ceildiv 4 ceildiv .* ; 1 ; 1$/m);
    const columns = kernelOf(
      "void f(int n, const float *restrict a, const float *restrict y, float *restrict z) {\n#pragma acc parallel loop present(a[0:n * n], y[0:n], z[0:n])\n  for (int j = 0; j < n; j++) {\n    float sum = 0;\n    for (int i = 0; i < n; i++) sum += a[i * n + j] * y[i];\n    z[j] = sum;\n  }\n}",
      "opencl",
    );
    expect(columns.text).toContain("arc_teams");
    expect(columns.text).toContain("3l * arc_stride");
  });

  test("two collapsed loops map onto a plane with neighbours in the innermost", () => {
    const { manifest, text } = kernelOf(
      "float a[40][50];\nvoid f(void) {\n#pragma acc parallel loop collapse(2)\n  for (int i = 0; i < 40; i++)\n    for (int j = 0; j < 50; j++) a[i][j] = 0;\n}",
      "cuda",
    );
    const [x = 0, y = 0] = (/^group (\d+) ; (\d+) ; 1$/m.exec(manifest) ?? []).slice(1).map(Number);
    expect(x % 32).toBe(0);
    expect(y).toBeGreaterThan(0);
    expect(text).not.toMatch(/[%/]/);
  });
});
