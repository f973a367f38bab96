/** PTX beside OpenCL C; test/targets/clang.test.ts compiles the kernels of all programs in both forms. */
import { describe, expect, it } from "vitest";
import { kernelOf } from "../translate.ts";
import { seenBy } from "./compilers.ts";

const sums = (type: string): string => `
${type} bins[16];
void f(int n, const int *restrict at, const ${type} *restrict x) {
#pragma acc parallel loop copyin(at[0:n], x[0:n]) copy(bins)
  for (int i = 0; i < n; i++)
#pragma acc atomic update
    bins[at[i]] += x[i];
}
`;
const dot = (type: string): string => `
${type} f(int n, const ${type} *restrict x) {
  ${type} s = 0;
#pragma acc parallel loop reduction(+:s) copyin(x[0:n])
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}
`;
const rows = `
void f(int n, const float *restrict a, const float *restrict x, float *restrict y) {
#pragma acc parallel loop copyin(a[0:n * n], x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
    y[i] = s;
  }
}
`;

const counted = `
void f(int n, int *s) {
#pragma omp target teams distribute parallel for map(tofrom: s[0:1])
  for (int i = 0; i < n; i++) {
#pragma omp critical
    *s += i;
  }
}
`;

describe("NVIDIA's OpenCL compiler", () => {
  it("gets atomic sums of float as one instruction, in group memory and in the device's", () => {
    const own = seenBy(kernelOf(sums("float"), "opencl").text, true);
    expect(own).toContain("atom.shared.add.f32");
    expect(own).toContain("atom.global.add.f32");
    expect(own).not.toContain("cmpxchg");
  });

  it("compares and swaps for double, whose instruction older devices lack", () => {
    const own = seenBy(kernelOf(sums("double"), "opencl").text, true);
    expect(own).toContain("atom_cmpxchg");
    expect(own).not.toContain("__asm__");
  });

  it.each([
    ["float", "as_float(arc_shuffle_down_uint(as_uint("],
    ["double", "as_double(arc_shuffle_down_uint2(as_uint2("],
    ["unsigned", "as_uint(arc_shuffle_down_uint(as_uint("],
    ["unsigned long", "as_ulong(arc_shuffle_down_uint2(as_uint2("],
    ["long long", "as_long(arc_shuffle_down_uint2(as_uint2("],
    ["long", "as_long(arc_shuffle_down_uint2(as_uint2("],
  ])("combines a group's sums of %s by shuffles", (type, call) => {
    const own = seenBy(kernelOf(dot(type), "opencl").text, true);
    expect(own).toContain(call);
    expect(own).toContain("shfl.sync.down.b32");
  });

  it("makes what a lock guards visible to other groups, for which OpenCL C has no fence", () => {
    const { text } = kernelOf(counted, "opencl");
    expect(seenBy(text, true)).toMatch(/arc_fence\(void\) \{\s+__asm__ volatile\("membar.gl;"/);
    expect(seenBy(text, true)).not.toContain("mem_fence(CLK");
    expect(seenBy(text, false)).toContain("mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
    expect(text.match(/^ +arc_fence\(\);/gm)).toHaveLength(2);
  });

  it("goes through group memory for what is narrower than a word", () => {
    expect(kernelOf(dot("short"), "opencl").text).not.toContain("arc_shuffle");
  });

  it("combines a team's sums by shuffles", () => {
    expect(seenBy(kernelOf(rows, "opencl").text, true)).toContain("arc_shuffle_xor_uint(as_uint(");
  });
});

describe("other OpenCL compilers", () => {
  it.each([sums("float"), sums("double"), dot("float"), dot("long"), rows])(
    "see OpenCL C alone",
    (source) => {
      const portable = seenBy(kernelOf(source, "opencl").text, false);
      expect(portable).not.toMatch(/__asm__|arc_shuffle/);
      expect(portable).toMatch(/cmpxchg|arc_half/);
    },
  );

  it("are told which buffers do not overlap, and that arrays in group memory are aligned", () => {
    const { text } = kernelOf(rows, "opencl");
    expect(text).toMatch(/__global const float \*restrict a = /);
    expect(text).toMatch(/__local float arc_of_teams\[256\] __attribute__\(\(aligned\(16\)\)\);/);
    expect(kernelOf(rows.replaceAll("restrict", ""), "opencl").text).not.toContain("restrict y");
  });
});
