#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 33, m = 21 };
static int a[n][m], b[m][n];
int main(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i * 100 + j;
#pragma acc parallel loop collapse(2) copyin(a) copyout(b)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[j][i] = a[i][j];
  printf("%d %d\n", b[3][7], b[20][32]);
  return 0;
}
