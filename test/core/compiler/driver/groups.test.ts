/** What axes of GPUs make of kernels and launches. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../../core/compiler/compile.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { cudaEmitter } from "../../../../targets/cuda/emit.ts";
import { openclEmitter } from "../../../../targets/opencl/emit.ts";

const vector =
  "void f(int n, float *x) {\n#pragma acc parallel loop copy(x[0:n])\n  for (int i = 0; i < n; i++) x[i] *= 2;\n}\n";
const sized = vector.replace("parallel loop", "parallel loop num_gangs(8) vector_length(64)");
const plane =
  "void f(int n, int m, float *x) {\n#pragma acc parallel loop collapse(2) copy(x[0:n*m])\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) x[i * m + j] *= 2;\n}\n";
const rows =
  "void f(int n, int m, const float *a, float *y) {\n#pragma acc parallel loop copyin(a[0:n*m]) copyout(y[0:n])\n  for (int i = 0; i < n; i++) {\n    float s = 0;\n    for (int j = 0; j < m; j++) s += a[i * m + j];\n    y[i] = s;\n  }\n}\n";
const redundant =
  "void f(int n, float *x, float *y) {\n#pragma acc parallel num_gangs(4) copy(x[0:n], y[0:1])\n  {\n    y[0] = 1;\n#pragma acc loop gang\n    for (int i = 0; i < n; i++) x[i] *= 2;\n  }\n}\n";

const nest = plane.replace(" collapse(2)", "").replace("float *x", "float *restrict x");
const tiledAlready = plane.replace("collapse(2)", "tile(4, 64)");
const dependent = nest.replace("x[i * m + j] *= 2", "x[i * m + j] = x[i * m + j - 1]");
const mayOverlap =
  "void f(int n, int m, const float *a, float *x) {\n#pragma acc parallel loop copyin(a[0:n*m]) copy(x[0:n*m])\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) x[i * m + j] = a[j * n + i];\n}\n";
const product =
  "enum { N = 512 };\nvoid f(float a[restrict N][N], float b[restrict N][N], float c[restrict N][N]) {\n#pragma acc parallel loop collapse(2) copyin(a[0:N][0:N], b[0:N][0:N]) copyout(c[0:N][0:N])\n  for (int i = 0; i < N; i++)\n    for (int j = 0; j < N; j++) {\n      float s = 0;\n      for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];\n      c[i][j] = s;\n    }\n}\n";
const counted =
  "void f(int n, const unsigned char *x, int *c) {\n#pragma acc parallel loop copyin(x[0:n]) copy(c[0:64])\n  for (int i = 0; i < n; i++) {\n#pragma acc atomic\n    c[x[i] % 64]++;\n  }\n}\n";

function made(text: string, all: Assignment, emitter = cudaEmitter) {
  const source = { file: "a.c", text, preprocessed: `# 1 "a.c"\n${text}` };
  const { kernels, diagnostics } = compile(source, emitter, { all, named: [] });
  const [kernel] = kernels;
  const line = (word: string) => kernel?.manifest.split("\n").find((l) => l.startsWith(`${word} `));
  // Remarks that apply to every variant.
  const reported = diagnostics.filter(({ code }) => code !== "levels-chosen");
  return { text: kernel?.text ?? "", group: line("group"), grid: line("grid"), diagnostics: reported };
}

describe("axes of GPUs", () => {
  it("leave a variant without choices unchanged", () => {
    const auto = {
      "vector-length": "auto",
      workers: "auto",
      gangs: 0,
      "items-per-lane": "auto",
      unroll: "auto",
      mapping: "by-access",
      tile: "auto",
      "group-memory": "auto",
    };
    for (const source of [vector, sized, plane, rows, redundant])
      expect(made(source, auto)).toEqual(made(source, {}));
  });

  it.each([
    [vector, { "vector-length": 512 }, "group 512 ; 1 ; 1"],
    [vector, { "vector-length": 128, workers: 4 }, "group 512 ; 1 ; 1"],
    [sized, { "vector-length": 512 }, "group 512 ; 1 ; 1"],
    [sized, { workers: 2 }, "group 128 ; 1 ; 1"],
    [vector, { workers: 2 }, "group 256 ; 1 ; 1"],
    [plane, { "vector-length": 32, workers: 16 }, "group 32 ; 16 ; 1"],
    [plane, { "vector-length": 128, workers: 1 }, "group 128 ; 1 ; 1"],
    [rows, { "vector-length": 128 }, "group 128 ; 1 ; 1"],
  ])("choose the items of a group (%#)", (source, all, group) => {
    const { group: is, diagnostics } = made(source, all);
    expect(is).toBe(group);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("choose the number of groups in place of the program's", () => {
    expect(made(sized, {}).grid).toContain("ng");
    for (const source of [vector, sized, plane, rows])
      expect(made(source, { gangs: 77 }).grid).toBe("grid 77 ; 1 ; 1");
  });

  it("keep teams for rows of varying length, and map only the marked loop on request", () => {
    const codes = (all: Assignment) => made(rows, all).diagnostics.map(({ code }) => code);
    expect(codes({})).toContain("shared-by-teams");
    expect(codes({ "vector-length": 128, gangs: 9 })).toContain("shared-by-teams");
    expect(codes({ mapping: "as-written" })).not.toContain("shared-by-teams");
  });

  it.each([
    [plane, "8x32", "group 32 ; 8 ; 1"],
    [nest, "4x64", "group 64 ; 4 ; 1"],
    [tiledAlready, "16x16", "group 16 ; 16 ; 1"],
    [tiledAlready, "none", "group 64 ; 4 ; 1"],
    // More elements than items: a group of the usual size shares them.
    [plane, "64x64", "group 256 ; 1 ; 1"],
  ])("choose the tile of a nest (%#)", (source, tile, group) => {
    const { group: is, diagnostics } = made(source, { tile });
    expect(is).toBe(group);
    expect(diagnostics.map(({ code }) => code)).not.toContain("variant-tile-unused");
  });

  it.each([
    [plane, "8x8x8", "nest of 3 loops"],
    [vector, "8x32", "nest of 2 loops"],
    [rows, "8x32", "nest of 2 loops"],
    [dependent, "8x32", "nest of 2 loops"],
    [mayOverlap, "8x32", "nest of 2 loops"],
  ])("say where a region has no such nest to tile (%#)", (source, tile, what) => {
    const { text, diagnostics } = made(source, { tile });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        severity: "note",
        code: "variant-tile-unused",
        loc: expect.objectContaining({ line: 2 }),
        message: expect.stringContaining(what),
      }),
    );
    expect(text).toBe(made(source, {}).text);
  });

  it("leave products and counted arrays in the device's memory where they are asked to", () => {
    for (const source of [product, counted]) {
      expect(made(source, {}).text).toContain("__shared__");
      expect(made(source, { "group-memory": "none" }).text).not.toContain("__shared__");
    }
  });

  it("choose how many iterations an item takes, and how often innermost loops are unrolled", () => {
    const stores = ({ text }: { readonly text: string }) => text.match(/\] (\*=|= arc_value)/g)?.length;
    expect([1, 2, 8].map((n) => stores(made(vector, { "items-per-lane": n })))).toEqual([1, 3, 9]);
    const { text } = made(rows, { unroll: 4, mapping: "as-written" });
    expect(text.match(/#pragma unroll 4\n\s*for/g)).toHaveLength(2);
    expect(made(rows, { unroll: 8 }, openclEmitter).text).toMatch(/#pragma unroll 8\n\s*for/);
  });

  it("refuse groups that the target does not have, with place and remedy", () => {
    const { diagnostics } = made(vector, { "vector-length": 512, workers: 4 });
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        code: "group-size",
        loc: { file: "a.c", line: 2 },
        message:
          "the variant asks for groups of 2048 items (vector-length 512, workers 4), and the target's have 1024 at most",
        remedy: expect.stringContaining("exclude"),
      },
    ]);
    expect(made(vector, { "vector-length": 512 }, openclEmitter).diagnostics).toMatchObject([
      { code: "group-size", message: expect.stringContaining("have 256 at most") },
    ]);
  });

  it("report that the program could tell their number, and keep that", () => {
    const { group, grid, diagnostics } = made(redundant, { gangs: 5, "vector-length": 64 });
    expect(group).toBe("group 64 ; 1 ; 1");
    expect(grid).toBe(made(redundant, { "vector-length": 64 }).grid);
    expect(diagnostics).toMatchObject([
      {
        severity: "note",
        code: "variant-sizes-kept",
        loc: { line: 2 },
        message: "the variant's gangs 5 is not used here: each gang runs code of its own around the loops",
      },
    ]);
    const asking =
      "#include <omp.h>\nvoid f(int n, int *x) {\n#pragma omp target teams distribute parallel for map(from : x[0:n])\n  for (int i = 0; i < n; i++) x[i] = omp_get_team_num();\n}\n".replace(
        "#include <omp.h>",
        "int omp_get_team_num(void);",
      );
    const remarks = made(asking, { gangs: 5 });
    expect(remarks.diagnostics.map(({ code }) => code)).toContain("variant-sizes-kept");
    expect(remarks.grid).toBe(made(asking, {}).grid);
  });
});
