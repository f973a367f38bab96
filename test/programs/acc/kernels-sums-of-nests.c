// In kernels regions, sums over nests of loops inside an iteration count each element once, however deep the nests are.
#include "check.h"

enum { ROWS = 9, COLS = 40, DEEP = 3 };

int main(void) {
  static int a[ROWS][COLS][DEEP], b[ROWS * COLS];
  static double two[ROWS], three[ROWS];
  static long after[ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++)
      for (int k = 0; k < DEEP; k++) a[i][j][k] = (i * COLS + j * DEEP + k) * 7 % 61;

  for (int i = 0; i < ROWS * COLS; i++) b[i] = i * 7 % 61;

#pragma acc kernels loop independent copyin(b) copyout(two)
  for (int i = 0; i < ROWS; i++) {
    double s = 0;
#pragma acc loop independent
    for (int j = 0; j < COLS; j++)
      for (int k = 0; k < DEEP; k++) {
        int v = b[i * COLS + j] + k;
        if (v % 3) s += v;
      }
    two[i] = s;
  }
#pragma acc kernels loop independent copyin(a) copyout(three)
  for (int i = 0; i < ROWS; i++) {
    double s = i;
#pragma acc loop independent reduction(+ : s)
    for (int j = 0; j < COLS; j++)
      for (int k = 0; k < DEEP; k++)
        for (int l = 0; l < 4; l++) s += a[i][j][k] * l;
    three[i] = s;
  }
#pragma acc kernels copyin(a) copyout(after)
  for (int i = 0; i < ROWS; i++) {
    long s = 0, t = 1;
    for (int j = 0; j < COLS; j++)
      for (int k = 0; k < DEEP; k++) s += a[i][j][k];
    for (int j = 0; j < COLS; j++)
      for (int k = 0; k < DEEP; k++) t += s % (a[i][j][k] + 1);
    after[i] = t;
  }
  for (int i = 0; i < ROWS; i++) {
    double s = 0, all = 0;
    long t = 1;
    for (int j = 0; j < COLS; j++)
      for (int k = 0; k < DEEP; k++) {
        int v = b[i * COLS + j] + k;
        if (v % 3) s += v;
        all += a[i][j][k];
      }
    for (int j = 0; j < COLS; j++)
      for (int k = 0; k < DEEP; k++) t += (long)all % (a[i][j][k] + 1);
    EXPECT_AT(i, two[i], s);
    EXPECT_AT(i, three[i], i + 6 * all);
    EXPECT_AT(i, after[i], t);
  }
  return report();
}
