#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 24 };
static int d[n][n], row[n], col[n];
int main(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) d[i][j] = i == j ? 0 : 1 + (i * 7 + j * 5) % 40;
#pragma acc data copy(d) create(row, col)
  for (int k = 0; k < n; k++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      row[i] = d[k][i];
      col[i] = d[i][k];
    }
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (col[i] + row[j] < d[i][j]) d[i][j] = col[i] + row[j];
  }
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += d[i][j];
  printf("%d\n", s);
  return 0;
}
