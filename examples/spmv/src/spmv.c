/* The largest eigenvalue of a sparse matrix by power iteration: products of a matrix in compressed rows (CSR). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Row i holds the elements first[i] to first[i + 1] - 1. */
typedef struct {
  int rows;
  int *first;
  int *column;
  double *value;
} Matrix;

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void *allocate(size_t count, size_t size) {
  void *p = malloc((count + 1) * size);
  if (!p) {
    fprintf(stderr, "spmv: no memory for %zu elements\n", count);
    exit(1);
  }
  return p;
}

/* A strong diagonal and up to `most` scattered elements per row: few rows are long, many are short. */
static Matrix make_matrix(int rows, int most) {
  Matrix m = {rows, allocate(rows + 1, sizeof *m.first), NULL, NULL};
  m.first[0] = 0;
  for (int i = 0; i < rows; i++) {
    int scattered = i % 32 == 7 ? most : (i * 13 + i / 5) % (most / 4 + 1);
    m.first[i + 1] = m.first[i] + 1 + scattered;
  }
  int elements = m.first[rows];
  m.column = allocate(elements, sizeof *m.column);
  m.value = allocate(elements, sizeof *m.value);
  unsigned random = 99;
  for (int i = 0; i < rows; i++)
    for (int e = m.first[i]; e < m.first[i + 1]; e++) {
      random = random * 1664525u + 1013904223u;
      int diagonal = e == m.first[i];
      m.column[e] = diagonal ? i : (int)((random >> 8) % (unsigned)rows);
      m.value[e] = diagonal ? 4 + 0.001 * (i % 100) : (random >> 16) / 65536.0 / most;
    }
  return m;
}

/* y = m x */
static void multiply(int rows, int elements, const int *restrict first, const int *restrict column,
                     const double *restrict value, const double *restrict x, double *restrict y) {
#pragma acc parallel loop \
    present(first[0:rows + 1], column[0:elements], value[0:elements], x[0:rows], y[0:rows])
  for (int i = 0; i < rows; i++) {
    double sum = 0;
#pragma acc loop reduction(+:sum)
    for (int e = first[i]; e < first[i + 1]; e++)
      sum += value[e] * x[column[e]];
    y[i] = sum;
  }
}

/* x = y / |y|, with the norm of the greatest magnitude, which is returned. */
static double normalise(int rows, const double *restrict y, double *restrict x) {
  double norm = 0;
#pragma acc parallel loop reduction(max:norm) present(y[0:rows])
  for (int i = 0; i < rows; i++)
    norm = fmax(norm, fabs(y[i]));
  if (norm > 0) {
#pragma acc parallel loop present(x[0:rows], y[0:rows])
    for (int i = 0; i < rows; i++)
      x[i] = y[i] / norm;
  }
  return norm;
}

static void write_vector(const char *path, int n, const double *x) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i < n; i++)
    fprintf(file, "%.9g\n", x[i]);
  fclose(file);
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 1000000;
  int most = argc > 2 ? atoi(argv[2]) : 64;
  int iterations = argc > 3 ? atoi(argv[3]) : 20;
  if (rows < 0 || most < 1 || iterations < 0 || (double)rows * (most + 1) > 2e9) {
    fprintf(stderr, "usage: spmv [rows [longest row [iterations [file]]]]\n");
    return 2;
  }
  Matrix m = make_matrix(rows, most);
  int elements = m.first[rows];
  double *x = allocate(rows, sizeof *x), *y = allocate(rows, sizeof *y);
  for (int i = 0; i < rows; i++)
    x[i] = 1;

  double start, elapsed, norm = 0;
#pragma acc data copyin(m.first[0:rows + 1], m.column[0:elements], m.value[0:elements]) copy(x[0:rows]) \
    create(y[0:rows])
  {
    start = seconds();
    for (int k = 0; k < iterations; k++) {
      multiply(rows, elements, m.first, m.column, m.value, x, y);
      norm = normalise(rows, y, x);
    }
#pragma acc wait
    elapsed = seconds() - start;
  }

  double sum = 0;
  for (int i = 0; i < rows; i++)
    sum += x[i];
  printf("%d rows, %d elements, eigenvalue %.9g, sum %.9g\n", rows, elements, norm, sum);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 4)
    write_vector(argv[4], rows, x);
  free(m.first);
  free(m.column);
  free(m.value);
  free(x);
  free(y);
  return 0;
}
