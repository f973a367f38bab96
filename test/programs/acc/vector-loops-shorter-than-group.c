// Two vector loops of fewer iterations than a group has lanes, the second reading what the first wrote, then a sum.
// arc: items>1
#include <stdio.h>

enum { rows = 3, most = 131 };
static double a[rows][most], before[rows][most], sums[rows];

static int check(int n) {
  int wrong = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) before[i][j] = a[i][j] = i * 10 + j;
#pragma acc parallel loop gang copy(a) copyout(sums)
  for (int i = 0; i < rows; i++) {
    double half[most];
#pragma acc loop vector
    for (int j = 0; j < n; j++) half[j] = a[i][j];
#pragma acc loop vector
    for (int j = 0; j < n; j++) a[i][j] += half[n - 1 - j];
    double sum = 0;
#pragma acc loop seq
    for (int j = 0; j < n; j++) sum += a[i][j];
    sums[i] = sum;
  }
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      double value = before[i][j] + before[i][n - 1 - j];
      wrong += a[i][j] != value;
      sum += value;
    }
    wrong += sums[i] != sum;
  }
  if (wrong) fprintf(stderr, "%d wrong of %d columns\n", wrong, n);
  return wrong;
}

int main(void) {
  return check(0) + check(1) + check(13) + check(127) + check(128) + check(131) != 0;
}
