// Each lane has a private matrix.
// arc: items>1
#include "check.h"

#define N 133

int main(void) {
  static long out[N];

#pragma acc parallel loop copyout(out)
  for (int n = 0; n < N; n++) {
    long m[2][2] = {{1, 1}, {1, 0}}, r[2][2] = {{1, 0}, {0, 1}};
    for (int k = n % 80; k > 0; k /= 2) {
      long t[2][2];
      if (k % 2) {
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++)
            t[i][j] = r[i][0] * m[0][j] + r[i][1] * m[1][j];
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++)
            r[i][j] = t[i][j];
      }
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          t[i][j] = k > 1 ? m[i][0] * m[0][j] + m[i][1] * m[1][j] : 0;
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          m[i][j] = t[i][j];
    }
    out[n] = r[0][1];
  }

  long fib[80] = {0, 1};
  for (int i = 2; i < 80; i++)
    fib[i] = fib[i - 1] + fib[i - 2];
  for (int n = 0; n < N; n++)
    EXPECT_AT(n, out[n], fib[n % 80]);
  return report();
}
