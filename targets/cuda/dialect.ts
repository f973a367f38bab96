/** CUDA C++ as accepted by nvcc. */
import { APART } from "../shared/kind/contraction.ts";
import { gpuDialect } from "../shared/print/gpu.ts";
import { inCuda } from "../shared/print/gpu-builtins.ts";

/** Mask of all lanes of a warp. */
const all = "0xffffffffu";

/**
 * A step (device/matrix-step.ts): sums a and b of a row, c and d of the other one. From sm_90 on, 16 rows at once are faster
 * than twice eight: 31.6 TFLOP/s for 23.0 in a product of 2048 on an H200. Where rounding once is forbidden, or without
 * matrix units, items hand each other their operands.
 */
const matrixStep = [
  "static __device__ void arc_matrix_step(double &a, double &b, double &c, double &d, double row, double other, double column) {",
  `#if __CUDA_ARCH__ >= 900 && !defined(${APART})`,
  '  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"',
  '      : "+d"(a), "+d"(b), "+d"(c), "+d"(d) : "d"(row), "d"(other), "d"(column));',
  `#elif __CUDA_ARCH__ >= 800 && !defined(${APART})`,
  '  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"',
  '      : "+d"(a), "+d"(b) : "d"(row), "d"(column));',
  '  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"',
  '      : "+d"(c), "+d"(d) : "d"(other), "d"(column));',
  "#else",
  "  const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;",
  "  for (int k = 0; k < 4; k++) {",
  `    const double first = __shfl_sync(${all}, column, lane % 4 * 8 + k);`,
  `    const double second = __shfl_sync(${all}, column, lane % 4 * 8 + 4 + k);`,
  `    const double of_row = __shfl_sync(${all}, row, lane / 4 * 4 + k);`,
  `    const double of_other = __shfl_sync(${all}, other, lane / 4 * 4 + k);`,
  "    a += of_row * first;",
  "    b += of_row * second;",
  "    c += of_other * first;",
  "    d += of_other * second;",
  "  }",
  "#endif",
  "}",
];

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
  shuffle: (way, value, lane, active = all) =>
    `__shfl${way === "sync" ? "" : `_${way}`}_sync(${active}, ${value}, ${lane})`,
  bounds: (items, resident) => (resident ? `${items}, ${resident}` : `${items}`),
  matrixStep: { name: "arc_matrix_step", head: matrixStep },
  lacksAtomic: () => false,
});
