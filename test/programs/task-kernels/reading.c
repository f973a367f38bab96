/* A task of the host that reads a part of what a device has gets that part alone, and the device keeps the rest. */
#include <stdio.h>

enum { N = 1024, FIRST = 256, LAST = 511 };

#pragma omp target device(opencl) ndrange(1, n, 64) copy_deps file(kernels.cl)
#pragma omp task in([n]x) inout([n]y)
void saxpy(int n, float a, float *x, float *y);

#pragma omp target device(smp) copy_deps
#pragma omp task in(from[first:last]) out(*to)
void sum(int first, int last, const float *from, float *to);
void sum(int first, int last, const float *from, float *to) {
  *to = 0;
  for (int i = first; i <= last; i++) *to += from[i];
}

int main(void) {
  static float x[N], y[N], parts[3];
  for (int i = 0; i < N; i++) x[i] = 1, y[i] = i % 7;
  saxpy(N, 2, x, y);
  sum(FIRST, LAST, y, &parts[0]);     /* 1024 bytes */
  sum(FIRST, FIRST + 9, y, &parts[1]); /* which are there */
  sum(LAST - 9, LAST + 10, y, &parts[2]); /* 40 more */
  saxpy(N, 1, x, y);
#pragma omp taskwait
  printf("%g %g %g %g\n", parts[0], parts[1], parts[2], y[N - 1]);
}
