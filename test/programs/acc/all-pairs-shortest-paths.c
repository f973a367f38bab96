// Floyd and Warshall: a sequential outer loop on the host, two parallel loops inside, in place.
// arc: items>1
#include "check.h"

#define N 71

int main(void) {
  static int d[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      d[i][j] = i == j ? 0 : (j - i + N) % N == 1 ? 3 : (j - i + N) % N == 10 ? 7 : 1000000;

#pragma acc data copy(d)
  {
    for (int k = 0; k < N; k++) {
#pragma acc parallel loop gang
      for (int i = 0; i < N; i++) {
        /* Row k and column k do not change in round k: no path through k is shorter. */
        if (i == k)
          continue;
        int to_k = d[i][k];
#pragma acc loop vector
        for (int j = 0; j < N; j++)
          if (j != k && to_k + d[k][j] < d[i][j])
            d[i][j] = to_k + d[k][j];
      }
    }
  }

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int best = 1000000, distance = (j - i + N) % N;
      for (int tens = 0; tens < 2 * N; tens++)
        for (int turns = 0; turns < 10; turns++) {
          int ones = distance + turns * N - 10 * tens;
          if (ones >= 0 && 7 * tens + 3 * ones < best)
            best = 7 * tens + 3 * ones;
        }
      EXPECT_AT(i * N + j, d[i][j], best);
    }
  return report();
}
