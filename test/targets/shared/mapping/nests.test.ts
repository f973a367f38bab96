/** Along which loop of a nest lanes go; what they compute is tried in test/programs/combinations/nests.test.ts. */
import { expect, it } from "vitest";
import { kernelOf } from "../../translate.ts";

/** The innermost loop that work-items share. */
const lanes = (directive: string, outer: string, inner: string, body: string, between = ""): string => {
  const loop = (v: string) => `for (int ${v} = 0; ${v} < 80; ${v}++)`;
  const source = `float a[80][80], b[80][80];\nvoid f(void) {\n#pragma ${directive}\n${loop(outer)}\n${between}\n${loop(inner)} ${body}\n}\n`;
  const { text } = kernelOf(source, "opencl");
  return (
    /long arc_(\w) = arc_group_x/.exec(text)?.[1] ?? (text.includes(`for (int ${inner}`) ? outer : inner)
  );
};
const plain = "a[i][j] = 2 * b[i][j];";

it.each([
  ["a plain loop inside", "acc parallel loop", "i", "j", plain, "", "j"],
  ["a plain loop inside, lanes where they should be", "acc parallel loop", "j", "i", plain, "", "j"],
  ["a nest in the other order", "acc parallel loop collapse(2)", "j", "i", plain, "", "j"],
  ["two loops in the other order", "acc parallel loop", "j", "i", plain, "#pragma acc loop", "j"],
  ["rows that an array chooses", "acc parallel loop", "i", "j", "a[i][j] = b[(int)b[i][0]][j];", "", "j"],
  ["OpenMP's", "omp target teams distribute parallel for", "i", "j", plain, "", "j"],
  ["what the user wants in order", "acc parallel loop", "i", "j", plain, "#pragma acc loop seq", "i"],
  ["levels that the user names", "acc parallel loop gang vector", "i", "j", plain, "", "i"],
  ["a loop that carries a value", "acc parallel loop", "i", "j", "a[i][j] += a[i][(j + 1) % 80];", "", "i"],
  ["a loop that meets itself", "acc parallel loop", "i", "j", "a[i][j / 2] = b[i][j];", "", "i"],
])("lanes go along memory: %s", (_, directive, outer, inner, body, between, along) => {
  expect(lanes(directive, outer, inner, body, between)).toBe(along);
});

it("loops with directives, lanes where they should be, are one nest, so that short rows leave no lanes idle", () => {
  const nest = (levels: string) =>
    kernelOf(
      `void f(int n, int m, const float *restrict b, float *restrict a) {\n#pragma acc parallel loop ${levels} present(a[0:n * m], b[0:n * m])\nfor (int i = 0; i < n; i++)\n#pragma acc loop\nfor (int j = 0; j < m; j++) a[i * m + j] = b[i * m + j];\n}`,
      "cuda",
    ).text;
  expect(nest("")).toMatch(/arc_j = arc_group_x \* 64l/);
  expect(nest("gang")).toMatch(/arc_j = arc_item;/);
});

it("long rows of which each element is accessed once stay rows of teams, unless rows have elements in common", () => {
  const isNest = (columns: number, body: string) =>
    /arc_j = arc_group_x/.test(
      kernelOf(
        `float a[64][${columns}], b[64][${columns}], u[64];\nvoid f(void) {\n#pragma acc parallel loop\nfor (int i = 1; i < 63; i++)\n#pragma acc loop\nfor (int j = 0; j < ${columns}; j++) ${body}\n}`,
        "cuda",
      ).text,
    );
  expect(isNest(4096, "a[i][j] += u[i] * b[i][j];")).toBe(false);
  expect(isNest(512, "a[i][j] += u[i] * b[i][j];")).toBe(true);
  expect(isNest(4096, "a[i][j] = b[i - 1][j] + b[i + 1][j];")).toBe(true);
});
