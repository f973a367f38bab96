/* C = A B for dense matrices stored by rows. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* a is rows x inner, b is inner x columns, c is rows x columns. */
static void multiply(int rows, int inner, int columns, const float *restrict a, const float *restrict b,
                     float *restrict c) {
#pragma acc parallel loop collapse(2) present(a[0:rows * inner], b[0:inner * columns], c[0:rows * columns])
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      float sum = 0;
#pragma acc loop seq
      for (int k = 0; k < inner; k++)
        sum += a[i * inner + k] * b[k * columns + j];
      c[i * columns + j] = sum;
    }
  }
}

static void write_matrix(const char *path, int rows, int columns, const float *c) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      fprintf(file, "%.7g%c", c[i * columns + j], j + 1 < columns ? ' ' : '\n');
  fclose(file);
}

static float *matrix(int rows, int columns) {
  float *m = malloc(((size_t)rows * columns + 1) * sizeof *m);
  if (!m) {
    fprintf(stderr, "matmul: no memory for %d x %d elements\n", rows, columns);
    exit(1);
  }
  return m;
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 1024;
  int inner = argc > 2 ? atoi(argv[2]) : rows;
  int columns = argc > 3 ? atoi(argv[3]) : rows;
  if (rows < 0 || inner < 0 || columns < 0 || rows > 32768 || inner > 32768 || columns > 32768) {
    fprintf(stderr, "usage: matmul [rows [inner [columns [file]]]], each at most 32768\n");
    return 2;
  }
  float *a = matrix(rows, inner), *b = matrix(inner, columns), *c = matrix(rows, columns);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++)
      a[i * inner + k] = ((i + 2 * k) % 17 - 8) * 0.125f;
  for (int k = 0; k < inner; k++)
    for (int j = 0; j < columns; j++)
      b[k * columns + j] = ((3 * k + j) % 13 - 5) * 0.25f;

  double start, elapsed;
#pragma acc data copyin(a[0:rows * inner], b[0:inner * columns]) copyout(c[0:rows * columns])
  {
    start = seconds();
    multiply(rows, inner, columns, a, b, c);
#pragma acc wait
    elapsed = seconds() - start;
  }

  double sum = 0, trace = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      sum += c[i * columns + j];
      if (i == j)
        trace += c[i * columns + j];
    }
  printf("sum %.9g, trace %.9g\n", sum, trace);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 4)
    write_matrix(argv[4], rows, columns, c);
  free(a);
  free(b);
  free(c);
  return 0;
}
