/* A task with a version for the host, others with kernels of the author's own, and one whose kernel arc makes. */
#include <stdio.h>

enum { N = 4096, BLOCK = 256 };

#pragma omp target device(smp) copy_deps
#pragma omp task in([n]x) inout([n]y) label(scale_on_host)
void scale(int n, float a, const float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

#pragma omp target device(opencl) ndrange(1, count, 64) file(kernels.cl) name(saxpy) implements(scale)
void scale_opencl(int count, float factor, const float *from, float *to);

#pragma omp task in([n]x) inout([n]y)
#pragma omp target device(cuda) ndrange(1, n, 128) copy_deps file(saxpy.cu) name(saxpy) implements(scale)
void scale_cuda(int n, float a, const float *x, float *y);

#pragma omp target device(opencl) implements(scale)
void scale_arc(int n, float a, const float *x, float *y) {
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

int main(void) {
  static float x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = i % 7, y[i] = i;
  for (int turn = 1; turn <= 8; turn++)
    for (int i = 0; i < N; i += BLOCK) scale(BLOCK, turn, x + i, y + i);
#pragma omp taskwait
  double sum = 0;
  for (int i = 0; i < N; i++) sum += y[i];
  printf("%.0f %g\n", sum, y[N - 1]);
  return 0;
}
