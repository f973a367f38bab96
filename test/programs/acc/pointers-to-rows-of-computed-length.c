// Pointers to rows whose length is computed: differences, and parameters that move from row to row.
// arc: items>1
#include <stdio.h>

#pragma acc routine seq
static double total(int n, int m, double a[n][m]) {
  double sum = 0;
  for (int i = 0; i < n; i++, a++)
    for (int j = 0; j < m; j++) sum += (*a)[j];
  a -= n;
  return sum + a[0][0];
}

static void rows(int n, int m, double a[n][m], double (*b)[m], double *sums) {
#pragma acc parallel loop copy(a[0:n], b[0:n]) copyout(sums[0:n])
  for (int i = 0; i < n; i++) {
    double(*p)[m] = a + i;
    long at = p - a;
    for (int j = 0; j < m; j++) b[i][j] = (*(a + i))[j] + at + (p == a);
    sums[i] = total(1, m, b + i);
  }
#pragma acc serial copy(a[0:n])
  {
    for (int i = 0; i < n - 1; i++, a++) (*a)[i % m] += 100;
    (*a--)[0] += 7;
    a[0][0] += 3;
  }
}

int main(void) {
  enum { n = 5, m = 7 };
  double a[n][m], b[n][m], sums[n];
  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = j;
  rows(n, m, a, b, sums);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++) {
      double set = j + (i < n - 1 && j == i ? 100 : 0) + (i == n - 1 && j == 0 ? 7 : 0) + (i == n - 2 && j == 0 ? 3 : 0);
      wrong += a[i][j] != set || b[i][j] != j + i + (i == 0);
      sum += b[i][j];
    }
    wrong += sums[i] != sum + b[i][0];
  }
  if (wrong) printf("%d are wrong\n", wrong);
  return wrong != 0;
}
