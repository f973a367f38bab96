/* CUDA's and HIP's kernels of the author's own beside OpenCL's, on the same data. */
#include <stdio.h>

enum { N = 1000 };

#pragma omp target device(cuda) ndrange(1, n, 128) copy_deps file(saxpy.cu)
#pragma omp task in([n]x) inout([n]y)
void saxpy(int n, float a, float *x, float *y);

#pragma omp target device(opencl) ndrange(1, n, 128) file(kernels.cl) name(saxpy)
#pragma omp task in([n]x) inout([n]y)
void saxpy_opencl(int n, float a, float *x, float *y);

struct window {
  int columns, scale;
};
#pragma omp target device(cuda) ndrange(2, w.columns, rows, 16, 16) file(twice.cu) name(saxpy)
#pragma omp task inout([rows][w.columns]out)
void add(struct window w, int rows, int *out);

int main(void) {
  static float x[N], y[N];
  static int out[20][24];
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  saxpy(N, 2, x, y);
  saxpy(N, 1, x, y);
  saxpy_opencl(N, 1, x, y);
  saxpy_opencl(N, 1, x, y);
  saxpy(N, 3, x, y);
  struct window w = {24, 2};
  for (int turn = 0; turn < 2; turn++) add(w, 20, &out[0][0]);
#pragma omp taskwait
  printf("%g %g\n", y[3], y[N - 1]);
  printf("%d %d %d\n", out[0][0], out[19][23], out[7][5]);
  return 0;
}
