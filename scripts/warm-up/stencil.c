/* What most programs with directives have: data regions, loops over two dimensions, reductions, functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define AT(i, j) ((i) * (size_t)columns + (j))
#define STEPS 4

typedef struct {
  int rows, columns;
  float *values;
} Grid;

enum mode { QUIET, LOUD };

static const float weights[3] = {0.25f, 0.5f, 0.25f};

#pragma acc routine seq
static inline float limited(float value, float least, float most) {
  return value < least ? least : value > most ? most : value;
}

static void step(const float *restrict from, float *restrict to, int rows, int columns) {
#pragma acc parallel loop collapse(2) present(from[0:rows*columns], to[0:rows*columns])
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      const int north = i == 0 ? 0 : i - 1, south = i == rows - 1 ? i : i + 1;
      float sum = weights[0] * from[AT(north, j)] + weights[2] * from[AT(south, j)];
      sum += weights[1] * from[AT(i, j)];
      to[AT(i, j)] = limited(sum, -1.0f, 1.0f);
    }
}

static double norm(const float *values, size_t n) {
  double sum = 0.0;
#pragma acc parallel loop reduction(+ : sum) copyin(values[0 : n])
  for (size_t k = 0; k < n; k++) sum += (double)values[k] * values[k];
  return sqrt(sum);
}

static void scale(Grid *grid, float factor) {
  float *values = grid->values;
  int n = grid->rows * grid->columns;
#pragma acc kernels copy(values[0 : n])
  for (int k = 0; k < n; k++) {
    float value = values[k];
    if (k % 2 == 0 && fabsf(value) > 1e-6f) value *= factor;
    else value -= expf(-value) / 3;
    values[k] = value;
  }
}

static void product(int n, const double a[n][n], const double b[n][n], double c[n][n]) {
#pragma acc data copyin(a[0:n][0:n], b[0:n][0:n]) copyout(c[0:n][0:n])
  {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
      for (int j = 0; j < n; j++) {
        double sum = 0;
#pragma acc loop seq
        for (int k = 0; k < n; k++) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
    }
  }
}

int main(int argc, char **argv) {
  Grid grid = {argc > 1 ? atoi(argv[1]) : 64, 32, NULL};
  size_t n = (size_t)grid.rows * grid.columns;
  grid.values = malloc(n * sizeof *grid.values);
  float *next = calloc(n, sizeof(float)), *values = grid.values;
  if (grid.values == NULL || next == NULL) {
    fprintf(stderr, "no memory for %zu values\n", n);
    return EXIT_FAILURE;
  }
  for (size_t k = 0; k < n; k++) values[k] = (float)(k % 17) / 17.0f;
  clock_t start = clock();
#pragma acc data copy(values[0:n]) create(next[0:n])
  {
    for (int round = 0; round < STEPS; round++) {
      step(values, next, grid.rows, grid.columns);
      float *swap = values;
      values = next;
      next = swap;
    }
#pragma acc update self(values[0:n])
  }
  scale(&grid, 0.5f);
  double a[8][8] = {{0}}, b[8][8], c[8][8];
  memset(b, 0, sizeof b);
  for (int i = 0; i < 8; i++) a[i][i] = b[i][7 - i] = i;
  product(8, a, b, c);
  enum mode mode = argc > 2 ? LOUD : QUIET;
  switch (mode) {
    case LOUD: printf("time: %.3f s\n", (double)(clock() - start) / CLOCKS_PER_SEC); break;
    default: break;
  }
  printf("%g %g\n", norm(values, n), c[1][6]);
  free(values), free(next);
  return 0;
}
