// private may name the variables of the loops that it stands on.
#include "check.h"

#define N 13

int main(void) {
  static int a[N][N][N];
  int row[N], i, j, k;
#pragma acc parallel loop private(i) copyout(row)
  for (i = 0; i < N; i++)
    row[i] = 3 * i;
#pragma acc parallel loop collapse(2) private(i, j, k) copyout(a)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      for (k = 0; k < N; k++)
        a[i][j][k] = i + j;
#pragma acc parallel private(i, j, k) copy(a)
  {
#pragma acc loop gang private(i)
    for (i = 0; i < N; i++)
#pragma acc loop worker private(j)
      for (j = 0; j < N; j++)
#pragma acc loop vector private(k)
        for (k = 0; k < N; k++)
          a[i][j][k] += 100 * i;
  }
#pragma acc kernels loop independent private(i, j, k) copy(a)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
#pragma acc loop seq private(k)
      for (k = 0; k < N; k++)
        a[i][j][k] += 10 * j;
#pragma acc parallel loop tile(4, 4) private(i, j, k) copy(a)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      for (k = 0; k < N; k++)
        a[i][j][k] += k;
  for (i = 0; i < N; i++) {
    EXPECT_AT(i, row[i], 3 * i);
    for (j = 0; j < N; j++)
      for (k = 0; k < N; k++)
        EXPECT_AT((i * N + j) * N + k, a[i][j][k], 101 * i + 11 * j + k);
  }
  return report();
}
