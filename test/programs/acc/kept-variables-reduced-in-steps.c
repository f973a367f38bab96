// A static variable and one of file scope that a parallel loop reduces in each iteration of a loop in order.
#include "check.h"

#define N 1000
#define STEPS 12

static unsigned short low = 5;
long high = 7;

int main(void) {
  static int a[N];
  int seen[STEPS];
#pragma acc kernels copyout(a, seen) copy(low, high)
  {
    for (int t = 0; t < STEPS; t++) {
#pragma acc loop worker reduction(+:low) reduction(max:high)
      for (int i = 0; i < N; i++) {
        a[i] = i + t;
        low += i & 63;
        high = high > i * t ? high : i * t;
      }
      seen[t] = low % 100 + (int)(high % 100);
    }
  }
  unsigned short sum = 5;
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < N; i++)
      sum += i & 63;
    long most = t == 0 ? 7 : (N - 1) * t;
    EXPECT_AT(t, seen[t], sum % 100 + (int)(most % 100));
  }
  EXPECT(low, sum);
  EXPECT(high, (N - 1) * (STEPS - 1));
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + STEPS - 1);
  return report();
}
