/* Kernels that run one after the other on a device, each with data of its own: of the next one it comes meanwhile. */
#include <stdio.h>

enum { N = 4096, TASKS = 6 };

#pragma omp target device(opencl) ndrange(1, 1, 1) file(slow.cl)
#pragma omp task in([n]x) out(*y)
void walk(int n, int turns, const int *x, int *y);

int main(void) {
  static int x[TASKS][N], y[TASKS];
  for (int t = 0; t < TASKS; t++)
    for (int i = 0; i < N; i++) x[t][i] = (i * 7 + t) % 101;
  for (int t = 0; t < TASKS; t++) walk(N, 4000000, x[t], &y[t]);
#pragma omp taskwait
  for (int t = 0; t < TASKS; t++) printf("%d%c", y[t], t < TASKS - 1 ? ' ' : '\n');
  return 0;
}
