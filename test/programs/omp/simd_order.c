// Lanes run in lock-step: simd allows an iteration to read what a later one writes, and safelen what is further back.
#include "../acc/check.h"
#include "programs.h"

#define N 400

int simd_order(void) {
  int a[N + 1], b[N + 8];
  for (int i = 0; i <= N; i++)
    a[i] = i;
  for (int i = 0; i < N + 8; i++)
    b[i] = i < 8 ? i : 0;
#pragma omp target map(tofrom: a, b)
  {
#pragma omp simd
    for (int i = 0; i < N; i++)
      a[i] = a[i + 1] * 2;
#pragma omp simd safelen(8)
    for (int i = 8; i < N + 8; i++)
      b[i] = b[i - 8] + 1;
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 2 * (i + 1));
  for (int i = 0; i < N + 8; i++)
    EXPECT_AT(i, b[i], i % 8 + i / 8);
  return report();
}
