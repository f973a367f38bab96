/* Products of tiles: those of one tile of the result stay on the device that has it. */
#include <stdio.h>
#include <stdlib.h>

enum { TILES = 3, NB = 16, BL_SIZE = 8 };

#pragma omp target device(opencl) ndrange(2, NB, NB, BL_SIZE, BL_SIZE) copy_deps file(programs.cl)
#pragma omp task in([NB * NB]A, [NB * NB]B) inout([NB * NB]C)
void muld(float *A, float *B, int wA, int wB, float *C);

#ifdef SERIAL
void muld(float *A, float *B, int wA, int wB, float *C) {
  for (int i = 0; i < wA; i++)
    for (int j = 0; j < wB; j++)
      for (int k = 0; k < wA; k++) C[i * wB + j] += A[i * wA + k] * B[k * wB + j];
}
#endif

static float *tile(int seed) {
  float *t = malloc(NB * NB * sizeof *t);
  for (int i = 0; i < NB * NB; i++) t[i] = seed ? (i * seed) % 5 : 0;
  return t;
}

int main(void) {
  float *A[TILES][TILES], *B[TILES][TILES], *C[TILES][TILES];
  for (int i = 0; i < TILES; i++)
    for (int j = 0; j < TILES; j++) A[i][j] = tile(1 + i + 3 * j), B[i][j] = tile(2 + i * j), C[i][j] = tile(0);
  for (int i = 0; i < TILES; i++)
    for (int k = 0; k < TILES; k++)
      for (int j = 0; j < TILES; j++) muld(A[i][k], B[k][j], NB, NB, C[i][j]);
#pragma omp taskwait
  for (int i = 0; i < TILES; i++) {
    double sum = 0;
    for (int j = 0; j < TILES; j++)
      for (int e = 0; e < NB * NB; e++) sum += C[i][j][e] * (e % 7);
    printf("%g\n", sum);
  }
  return 0;
}
