/** CUDA C++ as accepted by nvcc. */
import { gpuDialect } from "../shared/print/gpu.ts";
import { inCuda } from "../shared/print/gpu-builtins.ts";
import { matrixStep } from "./matrix-step.ts";

/** Mask of all lanes of a warp. */
const all = "0xffffffffu";

export const cuda = gpuDialect({
  reserved: /^((cuda|cudaroc)[A-Z1-3]\w*|(cuda|nv)_\w+)$/,
  deviceTypes: [3, 4],
  head: [],
  trap: "__trap()",
  // The timer counts nanoseconds, and moves on about every microsecond.
  clock: [
    "#ifndef ARC_CLOCK",
    "#define ARC_CLOCK",
    "static __device__ double omp_get_wtime() {",
    "  unsigned long long now;",
    '  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));',
    "  return 1e-9 * (double)now;",
    "}",
    "static __device__ double omp_get_wtick() { return 1e-6; }",
    "#endif",
  ],
  // nvcc and NVRTC use different names for it.
  assertFail: {
    name: "arc_assert_fail",
    head: [
      "#ifdef __CUDACC_RTC__",
      "#define arc_assert_fail(what, file, line, function) __assertfail(what, file, line, function, 1)",
      "#else",
      "#define arc_assert_fail __assert_fail",
      "#endif",
    ],
  },
  builtin: inCuda,
  half: {
    isDevice: "__CUDA_ARCH__ >= 530",
    value: 'float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h)); return x;',
    of: 'unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x)); return h;',
  },
  shuffle: (way, value, lane, active = all) =>
    `__shfl${way === "sync" ? "" : `_${way}`}_sync(${active}, ${value}, ${lane})`,
  bounds: (items, resident) => (resident ? `${items}, ${resident}` : `${items}`),
  matrixStep,
  lacksAtomic: () => false,
});
