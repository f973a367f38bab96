// Rows of arrays of variable size, reached by sums of pointers and by functions whose parameters have such types.
// arc: items>1
#include "check.h"

static double table[10][10];

#pragma acc routine seq
static double sum(int n, int m, double a[n][m]) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double *row = a[i];
    for (int j = 0; j < m; j++)
      s += row[j] + 2 * a[i][j];
  }
  return s;
}

#pragma acc routine seq
static double rows(int n, int m, double (*a)[m]) {
  return sum(n, m, a) + sum(n - 1, m, a + 1) + sum(1, m, &a[1]);
}

static double all(int i, int n, int m, double a[n][m], double b[n][n][m]) {
  double s = sum(n, m, a) + rows(n, m, a) + rows(n, m, b[i]) + rows(n, m, &b[i][0]);
  s += sum(10, 10, table) + sum(1, 10, &table[1]) + sum(3, m, a + 1);
  s += (*(a + i))[1] + (a + 1 + i)[-1][2] + *(*(b + 1) + 2)[2] + (*(b + 1) + 2)[1][3];
  return s;
}

static void run(int n, int m, double a[n][m], double *z) {
  double b[n][n][m], w[n];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n * m; k++)
      b[i][k / m][k % m] = i * k % 11;
#pragma acc parallel loop copyin(a[0:n], b, table) copyout(z[0:n], w)
  for (int i = 0; i < n; i++) {
    double s = sum(n, m, a) + rows(n, m, a) + rows(n, m, b[i]) + rows(n, m, &b[i][0]);
    s += sum(10, 10, table) + sum(1, 10, &table[1]) + sum(3, m, a + 1);
    s += (*(a + i))[1] + (a + 1 + i)[-1][2] + *(*(b + 1) + 2)[2] + (*(b + 1) + 2)[1][3];
    z[i] = s;
    w[i] = (a + 1 + i)[-1][2] + (*(a + i))[1] + *(*(b + 1) + 2)[2] + (*(b + 1) + 2)[1][3];
  }
  for (int i = 0; i < n; i++) {
    NEAR_AT(i, z[i], all(i, n, m, a, b), 0);
    NEAR_AT(i, w[i], a[i][2] + a[i][1] + b[1][4][0] + b[1][3][3], 0);
  }
}

int main(void) {
  double a[7][5], z[7];
  for (int k = 0; k < 35; k++)
    a[k / 5][k % 5] = k;
  for (int k = 0; k < 100; k++)
    table[k / 10][k % 10] = k % 13;
  run(7, 5, a, z);
  return report();
}
