// Sections of arrays in private and firstprivate, and of pointers in a function's declare.
// arc: items>1, gcc-cannot array sections in private
#include "check.h"

#define N 103

static void f(int n, int *c, int *o) {
  int t[8], u[8];
  for (int k = 0; k < 8; k++) u[k] = k;
#pragma acc declare copy(c[0:n])
#pragma acc parallel loop copyout(o[0:n]) private(t[0:8])
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++) t[k] = k + i;
    o[i] = t[i % 8];
  }
#pragma acc parallel loop copy(o[0:n]) firstprivate(u[:8])
  for (int i = 0; i < n; i++) o[i] += u[i % 8];
#pragma acc parallel loop
  for (int i = 0; i < n; i++) c[i] += 1;
}

int main(void) {
  int c[N], o[N];
  for (int i = 0; i < N; i++) c[i] = i;
  f(N, c, o);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, c[i], i + 1);
    EXPECT_AT(i, o[i], i + 2 * (i % 8));
  }
  return report();
}
