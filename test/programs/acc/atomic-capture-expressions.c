// Atomic capture of assignments: v = x op= e, v = x = x op e, v = x = e op x.
// arc: items>1
#include "check.h"

#define N 331

int main(void) {
  static int a[N], b[N], c[N];
  int x = 0, y = 5, z = -1;
  long sum = 0;

#pragma acc parallel loop copy(x, y, z) copyout(a, b, c)
  for (int i = 0; i < N; i++) {
#pragma acc atomic capture
    a[i] = x += 2;
#pragma acc atomic capture
    b[i] = y = y + 3;
#pragma acc atomic capture
    c[i] = z = 1 + z;
  }

  EXPECT(x, 2 * N);
  EXPECT(y, 5 + 3 * N);
  EXPECT(z, N - 1);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i] % 2 == 0 && a[i] > 0 && a[i] <= 2 * N, 1);
    EXPECT_AT(i, (b[i] - 5) % 3 == 0 && b[i] > 5 && b[i] <= 5 + 3 * N, 1);
    sum += c[i];
  }
  EXPECT(sum, N * (N - 1) / 2);
  return report();
}
