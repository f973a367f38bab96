/** Which nests groups compute in tiles; what they compute is tried in test/programs/combinations/products.test.ts. */
import { describe, expect, it } from "vitest";
import { kernelOf, remarksOf } from "../../translate.ts";

const product = (body: string, directive = "acc parallel loop collapse(2)", inner = "") =>
  `float a[512][512], b[512][512], c[512][512], d[512];
void f(int n, int m) {
#pragma ${directive}
for (int i = 0; i < n; i++)
${inner}
  for (int j = 0; j < n; j++) { ${body} }
}`;
const sum = (term: string, k = "for (int k = 0; k < m; k++)") =>
  `float s = 0; ${k} s += ${term}; c[i][j] = s;`;
const isTiled = (source: string) => remarksOf(source, "cuda").some((r) => r.endsWith(" tiled"));

describe("groups compute in tiles", () => {
  it.each([
    ["a product of matrices", product(sum("a[i][k] * b[k][j]"))],
    ["both transposed", product(sum("a[k][i] * b[j][k]"))],
    ["two loops", product(sum("a[i][k] * b[k][j]"), "acc parallel loop", "#pragma acc loop")],
    ["a plain loop inside", product(sum("a[i][k] * b[k][j]"), "acc parallel loop")],
    [
      "an element that grows",
      product("c[i][j] = 0; for (int k = 0; k < m; k++) c[i][j] += a[i][k] * b[k][j];"),
    ],
    [
      "a sum that the user wants in order",
      product(sum("a[i][k] * b[k][j]", "\n#pragma acc loop seq\nfor (int k = 0; k < m; k++)")),
    ],
    ["a scale for each row", product(sum("d[i] * a[i][k] * b[k][j]"))],
    ["distances", product(sum("(a[i][k] - b[j][k]) * (a[i][k] - b[j][k])"))],
    [
      "the lower half",
      product(sum("a[i][k] * b[j][k]"), "acc parallel loop", "#pragma acc loop").replace("j < n", "j <= i"),
    ],
    [
      "the upper half",
      product(sum("a[i][k] * b[j][k]"), "acc parallel loop", "#pragma acc loop").replace("j = 0", "j = i"),
    ],
    [
      "the upper half, stored twice",
      product(
        "c[i][j] = 0; for (int k = 0; k < m; k++) c[i][j] += a[k][i] * a[k][j]; c[i][j] /= m; c[j][i] = c[i][j];",
        "acc parallel loop",
        "#pragma acc loop",
      ).replace("j = 0", "j = i"),
    ],
    [
      "many products",
      `float a[9][512][512], b[9][512][512], c[9][512][512];
void f(int n, int m) {
#pragma acc parallel loop collapse(3)
for (int l = 0; l < m; l++)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < m; k++) s += a[l][i][k] * b[l][k][j];
      c[l][i][j] = s;
    }
}`,
    ],
    ["OpenMP's", product(sum("a[i][k] * b[k][j]"), "omp target teams distribute parallel for collapse(2)")],
  ])("%s", (_, source) => {
    expect(isTiled(source)).toBe(true);
    const { text } = kernelOf(source, "cuda");
    expect(text).toMatch(/__shared__ float arc_tile0\[16\]\[\d+\]/);
    expect(text).toContain("__syncthreads()");
  });

  it("each place is loaded once, however often the term names it", () => {
    const { text } = kernelOf(product(sum("(a[i][k] - b[j][k]) * (a[i][k] - b[j][k])")), "cuda");
    expect(text).toContain("arc_tile1");
    expect(text).not.toContain("arc_tile2");
  });
});

describe("groups do not compute in tiles", () => {
  it.each([
    ["one operand", product(sum("a[i][k]"))],
    [
      "rows that begin and end at their number",
      product(sum("a[i][k] * b[k][j]"), "acc parallel loop", "#pragma acc loop").replace(
        "j = 0; j < n",
        "j = i; j < i + 70",
      ),
    ],
    [
      "rows that begin in front of each other",
      product(sum("a[i][k] * b[k][j]"), "acc parallel loop", "#pragma acc loop").replace(
        "j = 0",
        "j = n - i",
      ),
    ],
    ["an operand of a row and a column", product(sum("a[i][k] * b[k][j] * c[i + j][k]"))],
    ["an operand that a condition guards", product(sum("(k < i ? a[i][k] : 0) * b[k][j]"))],
    ["a sum as long as its row", product(sum("a[i][k] * b[k][j]", "for (int k = 0; k < i; k++)"))],
    ["a short sum", product(sum("a[i][k] * b[k][j]", "for (int k = 0; k < 4; k++)"))],
    ["a sum that ends early", product(sum("a[i][k] * b[k][j]", "for (int k = 0; k < m && s < 9; k++)"))],
    [
      "levels that the user names",
      product(sum("a[i][k] * b[k][j]"), "acc parallel loop gang vector collapse(2)"),
    ],
    [
      "sizes that the user names",
      product(sum("a[i][k] * b[k][j]"), "acc parallel loop collapse(2) vector_length(64)"),
    ],
  ])("%s", (_, source) => {
    expect(isTiled(source)).toBe(false);
  });
});
