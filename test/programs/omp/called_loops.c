// Functions that regions call have loops of their own, and no directive says that they are for a device.
#include "../acc/check.h"
#include "programs.h"

#define N 70

static long row(long *r, int by) {
  long s = by;
#pragma omp simd reduction(+ : s)
  for (int k = 0; k < N; k++) {
    r[k] = (long)k * by;
    s += r[k];
  }
  return s;
}

static long rows(long (*m)[N], int first) {
  long most = 0;
#pragma omp parallel for reduction(max : most)
  for (int i = first; i < 5; i++) {
    long s = row(m[i], i);
    if (s > most) most = s;
  }
  return most;
}

int called_loops(void) {
  static long m[5][N];
  long most = 0, sums[4];
#pragma omp target map(tofrom : m, most)
  most = rows(m, 1);
#pragma omp target teams distribute parallel for map(tofrom : m[0 : 4]) map(from : sums)
  for (int i = 0; i < 4; i++) sums[i] = row(m[i], i + 2);
  EXPECT(most, 4 * (N * (N - 1) / 2 + 1));
  for (int i = 0; i < 4; i++) EXPECT(sums[i], (i + 2) * (N * (N - 1) / 2 + 1));
  EXPECT(m[4][7], 28);
  EXPECT(row(m[0], 9), 9 * (N * (N - 1) / 2 + 1));
  return report();
}
