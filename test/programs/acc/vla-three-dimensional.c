// Pointers to arrays of variable length in three dimensions, from malloc.
// arc: items>1
#include "check.h"
#include <stdlib.h>

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
  free(a);
  free(b);
  return report();
}
