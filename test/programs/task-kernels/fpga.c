/* Tasks whose regions are for an FPGA, beside a kernel for OpenCL and tasks of the host, on the same data. */
#include <stdio.h>

enum { N = 64 };

#pragma omp target device(fpga) copy_deps
#pragma omp task in([n]x) inout([n]y)
void sums(int n, const int *x, int *y) {
#pragma acc parallel loop seq copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) y[i] += 3 * x[i];
}

#pragma omp target device(opencl) ndrange(1, n, 16)
#pragma omp task inout([n]x)
__kernel void twice(int n, __global int *x) {
  int i = get_global_id(0);
  if (i < n) x[i] *= 2;
}

#pragma omp task inout([n]x)
void more(int n, int *x) {
  for (int i = 0; i < n; i++) x[i]++;
}

#pragma omp task in([n]x) out(*result)
void thirds(int n, const int *x, int *result) {
  *result = 0;
  for (int i = 0; i < n; i += 3) *result += x[i] == 0;
}

#pragma omp target device(fpga) implements(thirds)
void thirds_fpga(int n, const int *x, int *result) {
  int count = 0;
#pragma acc parallel loop seq copyin(x[0:n]) copy(count)
  for (int i = 0; i < n; i += 3) count += x[i] == 0;
  *result = count;
}

static void versions(void) {
  static int zeros[8] = {1, 0, 0, 0, 0, 0, 0, 0};
  int counts[2];
  zeros[3] = 0;
  thirds(1, zeros, &counts[0]);
  thirds(7, zeros + 1, &counts[1]);
#pragma omp taskwait
  printf("%d %d\n", counts[0], counts[1]);
}

int main(int argc, char **argv) {
  static int x[N], y[N];
  (void)argv;
  if (argc > 1) return versions(), 0;
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  twice(N, x);
  sums(N, x, y);
  twice(N, y);
  more(N, y);
  sums(N, x, y);
#pragma omp taskwait
  printf("%d %d\n", y[0], y[N - 1]);
  versions();
  return 0;
}
