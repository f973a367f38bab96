/** Which nests load through tiles; what they compute is tried in test/programs/combinations/crossed.test.ts. */
import { describe, expect, it } from "vitest";
import { kernelOf, remarksOf } from "../../translate.ts";

const nest = (body: string, directive = "acc parallel loop collapse(2)", n = "n") =>
  `float a[512][512], b[512][512], c[512];
int at[512];
void f(int n, float *p, float *q, float *restrict r, float *restrict s, volatile float *v) {
#pragma ${directive}
for (int i = 0; i < ${n}; i++)
  for (int j = 0; j < ${n}; j++) { ${body} }
}`;
const isCrossed = (source: string) => remarksOf(source, "cuda").some((r) => r.endsWith(" crossed-tiles"));

describe("loads go through tiles", () => {
  it.each([
    ["a transposition", nest("b[j][i] = a[i][j];")],
    ["in the other order", nest("b[i][j] = a[j][i];")],
    ["beside loads along the stores", nest("b[i][j] += a[j][i] + c[j];")],
    ["a plain loop inside", nest("b[j][i] = a[i][j];", "acc parallel loop")],
    ["in kernels", nest("b[j][i] = a[i][j];", "acc kernels")],
    ["OpenMP's", nest("b[j][i] = a[i][j];", "omp target teams distribute parallel for collapse(2)")],
    ["rows of variable length", nest("r[j * n + i] = s[i * n + j];")],
    ["pointers that the launch compares", nest("p[j * n + i] = q[i * n + j];")],
    ["a variable of the iteration", nest("float t = a[i][j]; b[j][i] = t * t;")],
  ])("%s", (_, source) => {
    expect(isCrossed(source)).toBe(true);
    expect(kernelOf(source, "cuda").text).toContain("__shared__ float arc_tile0[32][33]");
    expect(kernelOf(source, "opencl").text).toContain("__local float arc_tile0[32][33]");
  });

  it("each element once, however often the iteration names it", () => {
    const { text } = kernelOf(nest("b[j][i] = a[i][j] * a[i][j];"), "cuda");
    expect(text).not.toContain("arc_tile1");
  });

  it("the launch checks pointers that might overlap", () => {
    const { manifest } = kernelOf(nest("p[j * n + i] = q[i * n + j];"), "cuda");
    expect(manifest).toContain("param o 2 1");
  });
});

describe("loads stay where they are", () => {
  it.each([
    ["all along one loop", nest("b[i][j] = a[i][j];")],
    ["in an array that the nest changes", nest("a[j][i] = a[i][j];")],
    ["through a pointer to what the nest changes", nest("p[j * n + i] = p[i * n + j];")],
    ["under a condition", nest("if (j > i) b[j][i] = a[i][j];")],
    ["levels that the user names", nest("b[j][i] = a[i][j];", "acc parallel loop gang vector collapse(2)")],
    [
      "sizes that the user names",
      nest("b[j][i] = a[i][j];", "acc parallel loop collapse(2) vector_length(64)"),
    ],
    ["a tile that the user names", nest("b[j][i] = a[i][j];", "acc parallel loop tile(8, 32)")],
    [
      "bounds that follow from the row",
      nest("b[j][i] = a[i][j];", "acc parallel loop").replace("j < n", "j <= i"),
    ],
    ["a subscript from memory", nest("b[j][i] = a[at[i]][j];")],
    ["volatile memory", nest("b[j][i] = v[i * n + j];")],
    ["with updates that wait for each other", nest("b[j][i] = a[i][j];\n#pragma acc atomic\nc[i] += 1;")],
  ])("%s", (_, source) => {
    expect(isCrossed(source)).toBe(false);
  });
});
