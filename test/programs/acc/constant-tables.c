// Constant tables: at file scope, static in the function, local in the region, and a string.
// arc: items>1, gcc-offload-cannot keep from copying constants back
#include "check.h"

static const double weight[3] = {0.25, 0.5, 0.25};
static const char *const unused_names[] = {"zero", "one"};

#define N 139

int main(void) {
  static const int step[2][4] = {{0, 1, 0, -1}, {1, 0, -1, 0}};
  static double a[N];
  static char hex[N];
  static int turn[N];

#pragma acc parallel loop copyout(a, hex, turn)
  for (int i = 0; i < N; i++) {
    const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    a[i] = weight[i % 3] * days[i % 12];
    hex[i] = "0123456789abcdef"[i % 16];
    turn[i] = 10 * step[0][i % 4] + step[1][i % 4];
  }

  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  EXPECT(unused_names[1][0], 'o');
  for (int i = 0; i < N; i++) {
    NEAR_AT(i, a[i], weight[i % 3] * days[i % 12], 0);
    EXPECT_AT(i, hex[i], i % 16 < 10 ? '0' + i % 16 : 'a' + i % 16 - 10);
    EXPECT_AT(i, turn[i], 10 * step[0][i % 4] + step[1][i % 4]);
  }
  return report();
}
