// Pointers cast to rows of variable length, and sizes of such types: the region needs variables that stand in types alone.
// arc: items>1
#include "check.h"

static void rows(double *p, int n, int m, int k, int w, int *out) {
#pragma acc parallel loop copyin(p[0 : 30]) copyout(out[0 : 4])
  for (int i = 0; i < 4; i++)
    out[i] = ((double (*)[m])p)[i][2] + sizeof(char[n]) + sizeof(short[k][2]);
  for (int i = 0; i < 4; i++)
    EXPECT_AT(i, out[i], 6 * i + 2 + 5 + 12);
#pragma acc parallel loop copyin(p[0 : 30]) copyout(out[0 : 4])
  for (int i = 0; i < 4; i++)
    out[i] = (*(double (*)[w])(p + 4))[i] + (int)sizeof(double[w]);
  for (int i = 0; i < 4; i++)
    EXPECT_AT(i, out[i], 4 + i + 32);
}

int main(void) {
  double a[30];
  int out[4];
  for (int i = 0; i < 30; i++)
    a[i] = i;
  rows(a, 5, 6, 3, 4, out);
  return report();
}
