/** The axpy region for each back end, written by hand. */
import type { ImageText } from "./image.ts";

const region = {
  name: "axpy",
  args: 4,
  site: "axpy.c 12 parallel loop",
  kernels: [{ name: "axpy", grid: ["t0 128 ceildiv"], group: ["128"], params: ["a0", "a1", "a2", "a3"] }],
};

export const hostKernel = `
#include "arc_host_kernel.h"
void axpy(const struct arc_host_grid *g, void *const *args) {
  const float *x = args[0];
  float *y = args[1];
  float a = *(const float *)args[2];
  int n = *(const int *)args[3];
#pragma omp parallel for
  for (int64_t i = 0; i < g->grid[0] * g->group[0]; i++)
    if (i < n) y[i] += a * x[i];
}
`;

export const hostImage = (so: Uint8Array, target = "cpu"): ImageText => ({
  backend: "host",
  target,
  regions: [region],
  payloads: [{ kind: "so", bytes: so }],
});

export const openclImage = (source = openclKernel): ImageText => ({
  backend: "opencl",
  target: "pocl",
  options: "-cl-std=CL1.2",
  regions: [region],
  payloads: [{ kind: "source", bytes: source }],
});

const openclKernel = `
__kernel void axpy(__global const char *xm, long xo, __global char *ym, long yo, float a, int n) {
  __global const float *x = (__global const float *)(xm + xo);
  __global float *y = (__global float *)(ym + yo);
  int i = get_global_id(0);
  if (i < n) y[i] += a * x[i];
}
`;
