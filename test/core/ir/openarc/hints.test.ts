/** Directives that ask FPGA compilers for something: what they say, and how what they cannot mean is refused. */
import { expect, it } from "vitest";
import { readSource } from "../../../../core/compiler/driver/read-source.ts";

const read = (pragma: string) =>
  readSource({
    file: "x.c",
    text: `void f(float *a, float *b, int n) {
#pragma acc parallel loop copy(a[0:n], b[0:n])
  ${pragma}
  for (int i = 0; i < n; i++) b[i] = a[i];
}
`,
  }).program.diagnostics.map((d) => `${d.loc.line}: ${d.severity}[${d.code}] ${d.message}`);

it.each([
  ["#pragma unroll"],
  ["#pragma unroll 4"],
  ["#pragma unroll(2 * 2)"],
  ["#pragma openarc opencl num_simd_work_items(4) num_compute_units(2)"],
  ["#pragma openarc opencl num_compute_units(1 + 1), num_simd_work_items(4)"],
  ["#pragma openarc transform window(a, b)"],
])("%s is read", (pragma) => expect(read(pragma)).toEqual([]));

it.each([
  ["#pragma unroll 0", "3: error[unroll-argument] unroll needs a positive integer constant"],
  ["#pragma unroll n", "3: error[unroll-argument] unroll needs a positive integer constant"],
  ["#pragma unroll 4 4", "3: error[unroll-argument] unroll needs a positive integer constant"],
  ["#pragma unroll 5000", "3: error[unroll-argument] unroll needs a positive integer constant"],
  ["#pragma openarc opencl", "3: error[openarc-directive] 'opencl' is not understood"],
  [
    "#pragma openarc opencl num_simd_work_items(0)",
    "3: error[openarc-directive] 'opencl num_simd_work_items ( 0 )' is not understood",
  ],
  [
    "#pragma openarc opencl num_simd_work_items 4",
    "3: error[openarc-directive] 'opencl num_simd_work_items 4' is not understood",
  ],
  [
    "#pragma openarc opencl num_simd_work_items(4) num_simd_work_items(4)",
    "3: error[openarc-directive] 'opencl num_simd_work_items ( 4 ) num_simd_work_items ( 4 )' is not understood",
  ],
  ["#pragma openarc resilience", "3: error[openarc-directive] 'openarc resilience' is not understood"],
  ["#pragma openarc", "3: error[openarc-directive] 'openarc' is not understood"],
  [
    "#pragma openarc transform window(a)",
    "3: error[window-arguments] window needs an input array and the arrays that are written",
  ],
  [
    "#pragma openarc transform window(a, )",
    "3: error[window-arguments] window needs an input array and the arrays that are written",
  ],
  [
    "#pragma openarc transform window(a, nothing)",
    "3: error[window-arguments] 'nothing' is no variable here",
  ],
  [
    "#pragma openarc transform window(a, b)\n#pragma openarc transform window(a, b)",
    "4: error[window-repeated] 'a' has a window over this loop already",
  ],
])("%s is refused", (pragma, refusal) => expect(read(pragma)).toEqual([refusal]));
