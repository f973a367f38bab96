/** A step of a matrix product (shared/device/matrix-step.ts) in CUDA: sums `a` and `b` of a row, `c` and `d` of the other one. */
import type { StepType } from "../shared/device/matrix-step.ts";
import { APART } from "../shared/kind/contraction.ts";

/** Without matrix units, or where rounding once is forbidden, items hand each other their operands. */
const byShuffles = (type: StepType): readonly string[] => {
  const from = (value: string, lane: string): string => `__shfl_sync(0xffffffffu, ${value}, ${lane} + k)`;
  return [
    "  const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;",
    "  for (int k = 0; k < 4; k++) {",
    `    const ${type} first = ${from("column", "lane % 4 * 8")};`,
    `    const ${type} second = ${from("column", "lane % 4 * 8 + 4")};`,
    `    const ${type} of_row = ${from("row", "lane / 4 * 4")};`,
    `    const ${type} of_other = ${from("other", "lane / 4 * 4")};`,
    "    a += of_row * first;",
    "    b += of_row * second;",
    "    c += of_other * first;",
    "    d += of_other * second;",
    "  }",
  ];
};

const signature = (name: string, type: StepType): string => {
  const sums = ["a", "b", "c", "d"].map((sum) => `${type} &${sum}`);
  const factors = ["row", "other", "column"].map((factor) => `${type} ${factor}`);
  return `static __device__ void ${name}(${[...sums, ...factors].join(", ")}) {`;
};

/**
 * From sm_90 on, 16 rows of doubles at once are faster than twice eight: 31.6 TFLOP/s for 23.0 in a product of 2048 on an
 * H200.
 */
const double = [
  signature("arc_matrix_step", "double"),
  `#if __CUDA_ARCH__ >= 900 && !defined(${APART})`,
  '  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"',
  '      : "+d"(a), "+d"(b), "+d"(c), "+d"(d) : "d"(row), "d"(other), "d"(column));',
  `#elif __CUDA_ARCH__ >= 800 && !defined(${APART})`,
  '  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"',
  '      : "+d"(a), "+d"(b) : "d"(row), "d"(column));',
  '  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"',
  '      : "+d"(c), "+d"(d) : "d"(other), "d"(column));',
  "#else",
  ...byShuffles("double"),
  "#endif",
  "}",
];

/** Of the factors, the units read the 11 leading bits: they are rounded to these, halves away from zero. */
const float = [
  signature("arc_matrix_step_tf32", "float"),
  `#if __CUDA_ARCH__ >= 800 && !defined(${APART})`,
  "  unsigned int of_row, of_other, of_column;",
  '  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(of_row) : "f"(row));',
  '  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(of_other) : "f"(other));',
  '  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(of_column) : "f"(column));',
  '  asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"',
  '      : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "r"(of_row), "r"(of_other), "r"(of_column));',
  "#else",
  ...byShuffles("float"),
  "#endif",
  "}",
];

export const matrixStep = {
  double: { name: "arc_matrix_step", head: double },
  float: { name: "arc_matrix_step_tf32", head: float },
} as const;
