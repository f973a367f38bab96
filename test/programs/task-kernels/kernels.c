/* Kernels of the author's own: saxpy, tiles, memory of groups, two kernels of one name. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024, TILE = 32 };

#pragma omp task in([n]x) inout([n]y)
#pragma omp target device(opencl) ndrange(1, n, 128) copy_deps file(kernels.cl)
void saxpy(int n, float a, float *x, float *y);

#pragma omp target device(opencl) ndrange(1, n, 64) shmem(64 * sizeof(float)) file(kernels.cl) name(block_sums)
#pragma omp task in([n]values) out([n / 64]sums)
void sum_blocks(int n, const float *values, float *scratch, float *sums);

/* Without sizes of groups; a struct by value. */
struct window {
  int columns, scale;
};
#pragma oss task device(opencl) ndrange(2, w.columns, rows) file("other.cl") inout([rows][w.columns]out)
void saxpy_other(struct window w, int rows, int *out);

#pragma omp target device(opencl) ndrange(1, 100, 32) file(other.cl) name(saxpy)
#pragma omp task inout([n]out)
void plus_one(int n, int *out);

int main(void) {
  static float x[N], y[N], sums[N / 64];
  static int out[8][16];
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  float a = 2;
  saxpy(N, a, x, y);
  a = 100;
#pragma omp taskwait noflush
  /* It has run, and the device has what it wrote. */
  printf("%g\n", y[1023]);
#pragma omp taskwait
  printf("%g\n", y[1023]);
  for (int turn = 0; turn < 4; turn++) saxpy(N, 1, x, y);
  sum_blocks(N, y, NULL, sums);
#pragma oss task inout(sums)
  for (int i = 1; i < N / 64; i++) sums[i] += sums[i - 1];
  struct window w = {16, 3};
  for (int turn = 0; turn < 3; turn++) saxpy_other(w, 8, &out[0][0]);
  w.scale = 1000;
  plus_one(100, &out[0][0]);
#pragma omp taskwait
  printf("%g %g %d %d %d\n", sums[0], sums[N / 64 - 1], out[0][0], out[7][15], out[6][3]);
  /* The end of the program waits, too. */
  saxpy(N, 1, x, y);
  return 0;
}
