/* Loops whose iterations meet, each beside a twin in which they do not. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void anti_bad(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1] + 1; /* expect: loop-carried-dependence */
}
void anti_good(int *a, const int *b, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    a[i] = b[i + 1] + 1;
}

void flow_bad(void) {
  int a[1000];
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 999; i++)
    a[i + 1] = a[i] + 1; /* expect: loop-carried-dependence */
  printf("%d\n", a[500]);
}
void flow_good(void) {
  int a[2000];
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    a[i + 1000] = a[i] + 1;
  printf("%d\n", a[500]);
}

void linear_bad(void) {
  int i, a[2000];
  for (i = 0; i < 2000; i++) a[i] = i;
#pragma omp parallel for
  for (i = 0; i < 1000; i++)
    a[2 * i + 1] = a[i] + 1; /* expect: loop-carried-dependence */
}
void linear_good(void) {
  int i, a[2002];
#pragma omp parallel for
  for (i = 0; i < 1000; i++)
    a[2 * i + 1] = a[2 * i] + 1;
}

void first_dimension_bad(int n, int m, double b[n][m]) {
  int i, j;
#pragma omp parallel for private(j)
  for (i = 1; i < n; i++)
    for (j = 1; j < m; j++)
      b[i][j] = b[i - 1][j - 1]; /* expect: loop-carried-dependence */
}
void first_dimension_good(int n, int m, double b[n][m]) {
  int i, j;
  for (i = 1; i < n; i++)
#pragma omp parallel for
    for (j = 1; j < m; j++)
      b[i][j] = b[i - 1][j - 1];
}

void second_dimension_bad(int n, int m, double b[n][m]) {
  int i, j;
  for (i = 0; i < n; i++)
#pragma omp parallel for
    for (j = 1; j < m; j++)
      b[i][j] = b[i][j - 1]; /* expect: loop-carried-dependence */
}
void second_dimension_good(int n, int m, double b[n][m]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      b[i][j] = b[i][j - 1];
}

void row_overrun_bad(int n, int m) {
  double b[n][m];
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = b[i][j - 1]; /* expect: loop-carried-dependence */
  printf("%f\n", b[1][1]);
}

void single_element_bad(int *a) {
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    a[i] = a[i] + a[0]; /* expect: loop-carried-dependence */
}
void single_element_good(int *a) {
#pragma omp parallel for
  for (int i = 1; i < 1000; i++)
    a[i] = a[i] + a[0];
}

void guarded_bad(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (i > 0) a[i] = a[i - 1] + 1; /* expect: loop-carried-dependence */
}
void guarded_good(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (i % 2 == 1) a[i] = a[i - 1] + 1;
}

void one_iteration_good(int *first, int n) {
  int at = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (i == 7) at = i;
  *first = at;
}

void collapsed_bad(int n, double a[100][100]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 100; i++)
    for (int j = 1; j < 100; j++)
      a[i][j] = a[i][j - 1] + 1; /* expect: loop-carried-dependence */
}
void collapsed_good(int n, double a[100][100], double b[100][100]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 100; i++)
    for (int j = 1; j < 100; j++)
      a[i][j] = b[i][j - 1] + 1;
}

int table[8] = {3, 4, 5, 6, 7, 8, 9, 3};
static const int shuffled[8] = {3, 0, 5, 1, 7, 2, 6, 4};
static int twice[8] = {3, 0, 5, 1, 7, 2, 3, 4};

void indirect_bad(double *x) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++)
    x[twice[i]] += 1.0; /* expect: loop-carried-dependence */
}
void indirect_good(double *x) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++)
    x[shuffled[i]] += 1.0;
}
void indirect_offset_bad(double *base) {
  double *one = base;
  double *two = base + 4;
#pragma omp parallel for
  for (int i = 0; i < 8; i++) {
    int k = shuffled[i];
    one[k] += 1.0; /* expect: loop-carried-dependence */
    two[k] += 3.0;
  }
}
void indirect_offset_good(double *base) {
  double *one = base;
  double *two = base + 8;
#pragma omp parallel for
  for (int i = 0; i < 8; i++) {
    int k = shuffled[i];
    one[k] += 1.0;
    two[k] += 3.0;
  }
}

void strided_bad(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i / 2] = i; /* expect: loop-carried-dependence */
  }
}
void strided_good(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i += 2) {
    a[i] = i;
    a[i + 1] = i;
  }
}

void reversed_bad(double *a) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    a[i] = a[99 - i]; /* expect: loop-carried-dependence */
}
void reversed_good(double *a) {
#pragma omp parallel for
  for (int i = 0; i < 50; i++)
    a[i] = a[99 - i];
}

void output_bad(int *a, int n) {
  int x = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i] = x; /* the value of another iteration */
    x = i; /* expect: loop-carried-dependence */
  }
  printf("%d\n", x);
}
void output_good(int *a, int n) {
  int x = 10;
#pragma omp parallel for firstprivate(x)
  for (int i = 0; i < n; i++) {
    a[i] = x;
    x = i;
  }
}

void filled_bad(int *out, const int *in, int n) {
  int k = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (in[i] > 0) {
      out[k] = in[i];
      k = k + 1; /* expect: loop-carried-dependence */
    }
}
void filled_good(int *out, const int *in, int n) {
  int k = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (in[i] > 0) {
      int at;
#pragma omp atomic capture
      at = k++;
      out[at] = in[i];
    }
}

void structs_bad(struct { double x, y; } *unused, int n, double *v);
struct point {
  double x, y;
  int links[4];
};
void fields_bad(struct point *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    p[i].x = p[i + 1].x; /* expect: loop-carried-dependence */
}
void fields_good(struct point *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    p[i].x = p[i + 1].y;
}

void rows_bad(double **a, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = a[i + 1][j]; /* expect: loop-carried-dependence */
}
void rows_good(double **a, double **b, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i + 1][j];
}

void flat_bad(double *a, int n, int m) {
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = a[(i - 1) * m + j]; /* expect: loop-carried-dependence */
}
void flat_good(double *a, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      a[i * m + j] = a[i * m + j - 1];
}

/* k may be n or more, or nothing at all: nothing is proved. */
void unknown_offset_good(double *a, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = a[i + k];
}
void unknown_stride_good(double *a, int n, int s) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i * s] = i;
}
void permutation_good(double *a, const int *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[p[i]] = i;
}
void time_loop_good(double *a, double *b, int n) {
  for (int t = 0; t < 10; t++) {
#pragma omp parallel for
    for (int i = 1; i < n; i++)
      a[i] = b[i - 1];
#pragma omp parallel for
    for (int i = 1; i < n; i++)
      b[i] = a[i - 1];
  }
}
void planes_good(double a[10][100]) {
  for (int t = 1; t < 10; t++) {
#pragma omp parallel for
    for (int i = 1; i < 99; i++)
      a[t][i] = a[t - 1][i - 1] + a[t - 1][i + 1];
  }
}
void one_thread_good(int *a, int n) {
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1] + 1;
}
void never_good(int *a, int n) {
#pragma omp parallel for if (0)
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1] + 1;
}
void nested_bad(double a[100][100]) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
#pragma omp parallel for
    for (int j = 0; j < 99; j++)
      a[i][j] = a[i][j + 1]; /* expect: loop-carried-dependence */
  }
}
void nested_good(double a[100][100]) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
#pragma omp parallel for
    for (int j = 0; j < 50; j++)
      a[i][j] = a[i][j + 50];
#pragma omp parallel for
    for (int j = 0; j < 50; j++)
      a[i][j + 50] = a[i][49 - j];
  }
}
