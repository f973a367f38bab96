/* saxpy with its kernel in the same file (the listing of the paper on OmpSs, with the `omp` that it forgets). */
#include <stdio.h>

enum { N = 1024 };

#pragma omp task in([n]x) inout([n]y)
#pragma omp target device(opencl) ndrange(1, n, 128) copy_deps
#ifdef SERIAL
void saxpy(int n, float a, float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
#else
__kernel void saxpy(int n, float a, __global float *x, __global float *y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
#endif

int main(void) {
  static float x[N], y[N];
  float a = 2;
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  saxpy(N, a, x, y);
#pragma omp taskwait
  printf("%g\n", y[N - 1]);
  return 0;
}
