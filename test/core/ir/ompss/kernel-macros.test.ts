/** Macros that the program is compiled with are there in files of kernels. */
import { expect, it } from "vitest";
import { withKernelFiles } from "../../../../core/ir/ompss/kernel-files.ts";
import { macroLines } from "../../../../core/ir/ompss/kernel-macros.ts";

it.each([
  [["-DN=16"], "#define N 16\n"],
  [["-D", "N=16"], "#define N 16\n"],
  [["-DN"], "#define N 1\n"],
  [["-DN="], "#define N \n"],
  [["-DN(x)=x+1"], "#define N(x) x+1\n"],
  [["-DN=2", "-UN"], "#define N 2\n#undef N\n"],
  [["-U", "N", "-O2"], "#undef N\n"],
  [["-DNN=16", "-DM=1"], ""],
])("the options %j define %j", (options, lines) => {
  expect(macroLines(options, "int NX, x = N;")).toBe(lines);
});

it("_OPENMP and _OPENACC are not defined for kernels", () => {
  expect(macroLines(["-D_OPENMP=202111", "-D_OPENACC=202211"], "_OPENMP _OPENACC")).toBe("");
});

it("a macro that only a header of the kernel file uses is defined, and lines keep their numbers", () => {
  const source = "#pragma omp target device(opencl) ndrange(1, n, 8) file(k.cl)\n";
  const files: Record<string, string> = { "k.cl": '#include "h.h"\n', "h.h": "int n = N;\n" };
  const text = withKernelFiles(source, (path) => ({ path, text: files[path] ?? "" }), ["-DN=3", "-DM=4"]);
  const content = /arc_kernel_file "k.cl" "([^"]*)"/.exec(text)?.[1] ?? "";
  expect(Buffer.from(content, "base64").toString()).toBe(
    '#define N 3\n#line 1 "k.cl"\n#line 1 "h.h"\nint n = N;\n#line 2 "k.cl"\n',
  );
});
