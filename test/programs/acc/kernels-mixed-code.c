// A kernels construct with scalar code between loops, an if and a nest.
// arc: items>1
#include "check.h"

#define N 127

int main(void) {
  static double a[N], b[N];
  double offset = 1, largest = -1;
  int reverse = 1;

#pragma acc kernels copyout(a, b)
  {
    offset += 2;
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      a[i] = i + offset;
    if (reverse) {
#pragma acc loop independent
      for (int i = 0; i < N; i++)
        b[i] = a[N - 1 - i];
    }
    largest = b[0];
  }

  NEAR(offset, 3, 0);
  NEAR(largest, N + 2, 0);
  for (int i = 0; i < N; i++) {
    NEAR_AT(i, a[i], i + 3, 0);
    NEAR_AT(i, b[i], N + 2 - i, 0);
  }
  return report();
}
