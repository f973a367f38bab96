/**
 * Which products CUDA's matrix units compute. What they compute: test/programs/acc/double-products.c, on a GPU by
 * test/gpu/pack.sh.
 */
import { describe, expect, it } from "vitest";
import { compile } from "../../../../core/compiler/compile.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { cudaEmitterFor } from "../../../../targets/cuda/emit.ts";

const product = (update: string, type = "double") => `${type} a[999][999], b[999][999], c[999][999];
int most(int, int);
void f(int n, int m, ${type} alpha) {
#pragma acc parallel loop collapse(2) copyin(a, b) copy(c)
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++) {
    ${type} s = c[i][j];
    for (int k = 0; k < m; k++) ${update};
    c[i][j] = s;
  }
}`;

function made(text: string, arch = "sm_90", all: Assignment = {}, tf32 = false) {
  const source = { file: "a.c", text, preprocessed: `# 1 "a.c"\n${text}` };
  const { kernels, diagnostics } = compile(source, cudaEmitterFor(arch, tf32), { all, named: [] });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const tiled = diagnostics.find((d) => d.code === "tiled")?.message ?? "";
  return { text: kernels[0]?.text ?? "", tiled };
}

const kernel = (...args: Parameters<typeof made>): string => made(...args).text;

const unitsIn = (text: string) => text.includes("mma.sync");

describe("matrix units compute", () => {
  it.each([
    "s += a[i][k] * b[k][j]",
    "s += b[j][k] * a[k][i]",
    "s -= a[i][k] * b[k][j]",
    "s = s + alpha * a[i][k] * b[k][j]",
    "s = a[i][k] * -b[k][j] + s",
    "s = s - (2 * a[i][k]) * (b[k][j] + alpha)",
  ])("%s", (update) => {
    const text = kernel(product(update));
    expect(unitsIn(text)).toBe(true);
    expect(text).toMatch(/__shared__ double arc_tile[01]\[8\]\[132\]/);
  });

  it("what a group of another size computes, in as many warps", () => {
    const text = kernel(product("s += a[i][k] * b[k][j]"), "sm_90", { "vector-length": 128 });
    expect(unitsIn(text)).toBe(true);
    expect(text).toContain("__shared__ double arc_tile0[8][68]");
  });

  it("from the first architecture that has them for doubles", () => {
    const sum = product("s += a[i][k] * b[k][j]");
    expect(unitsIn(kernel(sum, "sm_80"))).toBe(true);
    expect(unitsIn(kernel(sum, "sm_75"))).toBe(false);
  });
});

describe("where the target asks for tf32", () => {
  it("matrix units multiply floats, too, and the note says that they round", () => {
    const { text, tiled } = made(product("s += a[i][k] * b[k][j]", "float"), "sm_80", {}, true);
    expect(text).toContain("f32.tf32.tf32.f32");
    // Four iterations of eight rows lie in different banks of group memory.
    expect(text).toMatch(/__shared__ float arc_tile[01]\[8\]\[136\]/);
    expect(tiled).toMatch(/, by matrix units, which round factors to 11 bits$/);
  });

  it("doubles stay doubles", () => {
    const { text, tiled } = made(product("s += a[i][k] * b[k][j]"), "sm_90", {}, true);
    expect(text).toContain("f64.f64.f64.f64");
    expect(text).not.toContain("tf32");
    expect(tiled).toMatch(/, by matrix units$/);
  });

  it("sums of doubles of floats are of doubles", () => {
    const text = kernel(
      product("s += (double)a[i][k] * b[k][j]").replace("double a[", "float a["),
      "sm_90",
      {},
      true,
    );
    expect(text).toContain("f64.f64.f64.f64");
  });

  it("nothing changes in front of sm_80", () => {
    const floats = product("s += a[i][k] * b[k][j]", "float");
    expect(kernel(floats, "sm_75", {}, true)).toBe(kernel(floats, "sm_75"));
  });
});

describe("lanes compute", () => {
  it.each([
    ["products of floats", product("s += a[i][k] * b[k][j]", "float")],
    ["products that round twice", product("s += a[i][k] * b[k][j] * alpha")],
    ["a product that the counter is part of", product("s += a[i][k] * k * b[k][j]")],
    ["a product that the row is part of", product("s += (a[i][k] - i) * b[k][j]")],
    ["differences", product("s += (a[i][k] - b[k][j]) * (a[i][k] - b[k][j])")],
    ["what is more than a product", product("s += a[i][k] * b[k][j] + 1")],
    ["a product that takes the sum from it", product("s = a[i][k] * b[k][j] - s")],
    ["a greatest value", product("s = s > a[i][k] * b[k][j] ? s : a[i][k] * b[k][j]")],
    ["a product of rounded factors", product("s += (float)a[i][k] * (float)b[k][j]")],
    ["two statements", product("{ s += a[i][k] * b[k][j]; s *= alpha; }")],
  ])("%s", (_, source) => {
    const text = kernel(source);
    expect(text).toContain("arc_tile0");
    expect(unitsIn(text)).toBe(false);
  });
});
