// Pointers to arrays of variable length in three dimensions, from malloc.
// arc: items>1
#include "check.h"
#include <stdlib.h>

static double sum(const double *row, int n) {
  double s = 0;
  for (int k = 0; k < n; k++)
    s += row[k];
  return s;
}

int main(int argc, char **argv) {
  int x = 5 + argc, y = 7 + argc, z = 10 + argc;
  double(*a)[y][z] = malloc(x * sizeof *a), (*b)[y][z] = malloc(x * sizeof *b);
  for (int i = 0; i < x; i++)
    for (int j = 0; j < y; j++)
      for (int k = 0; k < z; k++) {
        a[i][j][k] = i * i + j * j + k * k;
        b[i][j][k] = -1;
      }

#pragma acc parallel loop collapse(3) copyin(a[0:x][0:y][0:z]) copy(b[0:x][0:y][0:z])
  for (int i = 1; i < x - 1; i++)
    for (int j = 1; j < y - 1; j++)
      for (int k = 1; k < z - 1; k++)
        b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] +
                     a[i][j][k + 1] - 6 * a[i][j][k];

  for (int i = 0; i < x; i++)
    for (int j = 0; j < y; j++)
      for (int k = 0; k < z; k++) {
        int inside = i > 0 && i < x - 1 && j > 0 && j < y - 1 && k > 0 && k < z - 1;
        NEAR_AT((i * y + j) * z + k, b[i][j][k], inside ? 6 : -1, 0);
      }

  static double rows[8];
#pragma acc parallel loop copyin(a[0:x][0:y][0:z]) copyout(rows[0:x])
  for (int i = 0; i < x; i++) {
    const double *row = a[i][1], *at = &a[i][2][3];
    rows[i] = row[2] + *at + sum(a[i][3], z) + sum(*a[i], y * z) + (*(a + i))[1][4] + sizeof a[i] / sizeof a[i][0][0];
  }
  for (int i = 0; i < x; i++)
    NEAR_AT(i, rows[i],
            a[i][1][2] + a[i][2][3] + sum(a[i][3], z) + sum(a[i][0], y * z) + a[i][1][4] + y * z, 1e-9);
  free(a);
  free(b);
  return report();
}
