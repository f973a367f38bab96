/* A sparse matrix in compressed rows of 1 to 20 elements around the diagonal. */
#ifndef SPMV_H
#define SPMV_H
#include "../bench.h"

struct matrix {
  int rows, *start, *column;
  double *value, *x;
};

static inline struct matrix make_sparse(int rows) {
  struct matrix m = {rows, (int *)malloc((rows + 1) * sizeof(int)), NULL, NULL, NULL};
  unsigned random = 7;
  m.start[0] = 0;
  for (int i = 0; i < rows; i++) {
    random = random * 1664525u + 1013904223u;
    m.start[i + 1] = m.start[i] + 1 + (int)(random >> 16) % 20;
  }
  size_t n = m.start[rows];
  m.column = (int *)malloc(n * sizeof(int));
  m.value = (double *)malloc(n * sizeof(double));
  m.x = (double *)malloc(rows * sizeof(double));
  for (int i = 0; i < rows; i++) {
    m.x[i] = i % 5;
    for (int k = m.start[i]; k < m.start[i + 1]; k++) {
      long at = i + (k - m.start[i]) * 37 - 300;
      m.column[k] = (int)(at < 0 ? 0 : at >= rows ? rows - 1 : at);
      m.value[k] = k % 3;
    }
  }
  return m;
}

static inline void check_sparse(struct matrix m, const double *y) {
  for (int i = 0; i < m.rows; i++) {
    double sum = 0;
    for (int k = m.start[i]; k < m.start[i + 1]; k++)
      sum += m.value[k] * m.x[m.column[k]];
    if (sum != y[i])
      expect_close("an element of the product", y[i], sum, 1e-12);
  }
}
#endif
