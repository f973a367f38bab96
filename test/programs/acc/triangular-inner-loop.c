// The inner loop's trip count depends on the outer variable.
// arc: items>1
#include "check.h"

#define N 67

int main(void) {
  static int a[N][N];

#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector
    for (int j = i; j < N; j++)
      a[i][j] = 100 * i + j;
  }

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      EXPECT_AT(i * N + j, a[i][j], j >= i ? 100 * i + j : 0);
  return report();
}
