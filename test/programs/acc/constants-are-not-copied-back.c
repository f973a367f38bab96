// Constant arrays that no clause names: copying them back would write to read-only memory.
// arc: items>1, gcc-offload-cannot keep from copying constants back
#include "check.h"

static const int powers[8] = {1, 3, 9, 27, 81, 243, 729, 2187};

static const char names[][8] = {"alpha", "be", "gamma"};

#define N 167

static int length(const char *s) {
  int n = 0;
  while (s[n])
    n++;
  return n;
}

int main(void) {
  static const double half[2] = {0.5, -0.5};
  static double a[N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = powers[i % 8] * half[i % 2] + length(names[i % 3]);

  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], powers[i % 8] * half[i % 2] + (i % 3 == 1 ? 2 : 5), 0);
  return report();
}
