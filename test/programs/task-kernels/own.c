/* Kernels in the file of the program, with what they use of it. */
#include <stdio.h>

#define SCALE 3
enum { N = 512, SHIFT = 7 };
typedef struct pair {
  int first, second;
} pair;

int shifted(int value) { return value + SHIFT; } // on the host, too

#pragma omp target device(opencl) ndrange(1, n, 64) copy_deps
#pragma omp task in([n]x) out([n]y)
__kernel void mapped(int n, __global const pair *x, __global int *y) {
  /* A comment with } and "quotes". */
  int i = get_global_id(0);

  if (i < n)
    y[i] = shifted(x[i].first * SCALE) + x[i].second; // '}'
}

#pragma omp task inout([n]y) device(opencl) ndrange(1, n, 64)
__kernel void doubled(int n, __global int *y) {
  if (get_global_id(0) < (size_t)n) y[get_global_id(0)] *= 2;
}

int main(void) {
  static pair x[N];
  static int y[N];
  for (int i = 0; i < N; i++) x[i] = (pair){i, 1};
  mapped(N, x, y);
  doubled(N, y);
#pragma omp taskwait
  printf("%d %d %d line %d\n", y[0], y[N - 1], shifted(0), __LINE__);
  return 0;
}
