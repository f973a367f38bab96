/* Kernels that do something else to memory than their clauses say. */
#include <stdio.h>

enum { N = 64 };

#pragma omp task in([n]x) out([n]y)
#pragma omp target device(opencl) ndrange(1, n, 16)
__kernel void copied(int n, __global float *x, __global float *y) {
  int i = get_global_id(0);
  y[i] = x[i];
  if (i == 0) y[n] = y[n + 3] = 1; /* behind the section */
}

#pragma omp task in([n]x) inout([n]y)
#pragma omp target device(opencl) ndrange(1, n, 16)
__kernel void swapped(int n, __global float *x, __global float *y) {
  int i = get_global_id(0);
  float old = x[i];
  x[i] = y[i]; /* what it only reads */
  y[i] = old;
}

#pragma omp task in([n]x) inout([n]y)
#pragma omp target device(opencl) ndrange(1, n, 16)
__kernel void added(int n, __global float *x, __global float *y) {
  int i = get_global_id(0);
  y[i] += x[i];
}

int main(void) {
  static float x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  for (int turn = 0; turn < 3; turn++) added(N, x, y);
  copied(N, x, y);
  added(N, x, y);
  swapped(N, x, y);
#pragma omp taskwait
  printf("%g\n", y[N - 1]);
  return 0;
}
