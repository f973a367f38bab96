/* C += A B of n x n tiles as tasks: one GPU, or as many as are visible. Prints seconds, transfers included, and GFLOP/s. */
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>

#pragma omp target device(cuda) ndrange(2, n / 8, n / 8, 16, 16) copy_deps file(tiles.cu)
#pragma omp task in([(size_t)n * n]a, [(size_t)n * n]b) inout([(size_t)n * n]c)
void multiply(int n, const float *a, const float *b, float *c);

static float *tile(int n, int seed) {
  float *t = malloc(sizeof *t * n * n);
  for (size_t i = 0; i < (size_t)n * n; i++) t[i] = seed ? (float)((i * seed) % 5) : 0;
  return t;
}

int main(int argc, char **argv) {
  int tiles = argc > 1 ? atoi(argv[1]) : 8, n = argc > 2 ? atoi(argv[2]) : 2048;
  float **A = malloc(sizeof *A * tiles * tiles), **B = malloc(sizeof *B * tiles * tiles), **C = malloc(sizeof *C * tiles * tiles);
  for (int i = 0; i < tiles * tiles; i++) A[i] = tile(n, 1 + i), B[i] = tile(n, 2 + i), C[i] = tile(n, 0);
  for (int turn = 0; turn < 3; turn++) { /* the first opens devices */
    double start = seconds();
    for (int i = 0; i < tiles; i++)
      for (int j = 0; j < tiles; j++)
        for (int k = 0; k < tiles; k++) multiply(n, A[i * tiles + k], B[k * tiles + j], C[i * tiles + j]);
#pragma omp taskwait
    double took = seconds() - start, flops = 2.0 * tiles * tiles * tiles * n * n * n;
    printf("tiles %d of %d: %.3f s, %.0f GFLOP/s\n", tiles, n, took, flops / took * 1e-9);
  }
  double sum = 0;
  for (int i = 0; i < tiles * tiles; i++)
    for (size_t e = 0; e < (size_t)n * n; e += 1009) sum += C[i][e] * (e % 7);
  printf("sum %.6g\n", sum);
  return 0;
}
