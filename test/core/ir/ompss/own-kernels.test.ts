/** Kernels in the program's own file: what is removed from the text, and what is copied with them. */
import { describe, expect, it } from "vitest";
import { withoutOwnKernels } from "../../../../core/ir/ompss/own-kernels.ts";

const directive = "#pragma omp target device(cuda) ndrange(1, n, 64)\n#pragma omp task inout([n]x)\n";

describe("kernels in the program's own file", () => {
  it("leave a declaration in their place, and all later lines and columns unchanged", () => {
    const text = `int a;\n${directive}__global__ void f(int n,\n  float *x) {\n  if (n) { x[0] = '}'; } // }\n} int b;\n`;
    const { text: left, kernels } = withoutOwnKernels(text);
    expect(left).toBe(`int a;\n${directive}           void f(int n,\n  float *x) ;\n\n int b;\n`);
    expect(kernels).toEqual([
      {
        name: "f",
        source:
          "#line 4 \"source\"\n__global__ void f(int n,\n  float *x) {\n  if (n) { x[0] = '}'; } // }\n}\n",
      },
    ]);
  });

  it("take the types, constants and functions with them that they name, and no others", () => {
    const { text, kernels } = withoutOwnKernels(
      [
        '# 1 "a.c"',
        "typedef unsigned long size_t; typedef int other;",
        "struct s { int v; }; enum { ONE = 1, TWO };",
        "__device__ int half(struct s a) { return a.v / TWO; }",
        "int table[4] = {1, 2};",
        "static int unused(void) { return 1; }",
        `${directive}__global__ void f(int n, int *x) { struct s a = {n}; x[0] = half(a) + (int)sizeof(size_t); }`,
        "int main(void) { return unused(); }",
      ].join("\n"),
    );
    expect(kernels[0]?.source.match(/^(?!#).*$/gm)).toEqual([
      "typedef unsigned long size_t;",
      "struct s { int v; };",
      "enum { ONE = 1, TWO };",
      "__device__ int half(struct s a) { return a.v / TWO; }",
      "__global__ void f(int n, int *x) { struct s a = {n}; x[0] = half(a) + (int)sizeof(size_t); }",
      "",
    ]);
    expect(kernels[0]?.source).toContain('#line 3 "a.c"\n__device__ int half');
    expect(text).toContain("           int half(struct s a) ;");
    expect(text).toContain("int main(void) { return unused(); }");
  });

  it.each([
    "__kernel void f(int *x) { }\n",
    `${directive}void f(int n, int *x);\nint main(void) { return 0; }\n`,
  ])("text without kernels of its own is unchanged: %#", (text) => {
    expect(withoutOwnKernels(text)).toEqual({ text, kernels: [] });
  });
});
