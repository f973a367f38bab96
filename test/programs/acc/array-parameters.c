// Array parameters with static, restrict and const, of one, two and three dimensions.
// arc: items>1
#include "check.h"

#define M 9

static void combine(int n, const float a[static restrict 1], const float b[][M], float c[restrict n][M][2]) {
#pragma acc parallel loop collapse(2) copyin(a[0:n], b[0:n]) copyout(c[0:n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++) {
      c[i][j][0] = a[i] + b[i][j];
      c[i][j][1] = a[i] - b[i][j];
    }
}

int main(void) {
  enum { N = 83 };
  static float a[N], b[N][M], c[N][M][2];
  for (int i = 0; i < N; i++) {
    a[i] = i;
    for (int j = 0; j < M; j++)
      b[i][j] = j * 0.5f;
  }
  combine(N, a, b, c);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      NEAR_AT(i, c[i][j][0], i + j * 0.5, 0);
      NEAR_AT(i, c[i][j][1], i - j * 0.5, 0);
    }
  return report();
}
