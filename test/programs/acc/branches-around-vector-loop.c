// Loops around vector loops in branches that some iterations do not take, or leave early.
#include "check.h"

#define N 37
#define ROWS 7
#define STRIDE 20

int main(void) {
  int a[ROWS * STRIDE], b[ROWS], each[N], want_a[ROWS * STRIDE], want_each[N];
  for (int k = 0; k < ROWS * STRIDE; k++)
    want_a[k] = a[k] = k * 7 % 61;
  for (int k = 0; k < ROWS; k++)
    b[k] = k % 3;
  for (int k = 0; k < N; k++)
    want_each[k] = each[k] = k;
  for (int i = 0; i < ROWS; i++) {
    if (b[i]) {
      want_a[i * STRIDE] = 2 * i;
      for (int j = 0; j < 3; j++) {
        int s = b[j];
        if (s == 1)
          continue;
        for (int v = 0; v < N; v++)
          want_each[v] = (want_each[v] * 3 + j + want_a[i]) % 1000;
        want_a[i * STRIDE + 1] += s;
      }
    }
    if (b[i] == 2)
      continue;
    want_a[i * STRIDE + 3] += want_each[3];
  }
#pragma acc kernels copy(a, each) copyin(b)
  {
#pragma acc loop seq
    for (int i = 0; i < ROWS; i++) {
      if (b[i]) {
        a[i * STRIDE] = 2 * i;
#pragma acc loop seq
        for (int j = 0; j < 3; j++) {
          int s = b[j];
          if (s == 1)
            continue;
#pragma acc loop vector
          for (int v = 0; v < N; v++)
            each[v] = (each[v] * 3 + j + a[i]) % 1000;
          a[i * STRIDE + 1] += s;
        }
      }
      if (b[i] == 2)
        continue;
      a[i * STRIDE + 3] += each[3];
    }
  }
  for (int k = 0; k < ROWS * STRIDE; k++)
    EXPECT_AT(k, a[k], want_a[k]);
  for (int k = 0; k < N; k++)
    EXPECT_AT(k, each[k], want_each[k]);
  return report();
}
