// Tiles of one to three loops with steps, bounds that shrink to nothing, and sizes that divide no trip count.
// arc: items>1, gcc-offload-cannot tile with remainders
#include "check.h"

#define N 71

static int seen[N][N], box[7][11][13], line[100];

static void walk(int n, int m) {
#pragma acc parallel loop tile(8, 32) copy(seen)
  for (int i = n - 1; i >= 0; i -= 2)
    for (unsigned j = 3; j <= (unsigned)m; j += 3)
      seen[i][j] += i * 100 + (int)j;
}

int main(void) {
  int sizes[] = {0, 1, 2, 31, 61, 67};
  for (int s = 0; s < 6; s++)
    for (int t = 0; t < 6; t++) {
      int n = sizes[s], m = sizes[t];
      for (int k = 0; k < N * N; k++)
        seen[k / N][k % N] = k;
      walk(n, m);
      for (int k = 0; k < N * N; k++) {
        int i = k / N, j = k % N, in = i < n && (n - 1 - i) % 2 == 0 && j >= 3 && j % 3 == 0 && j <= m;
        EXPECT_AT(k, seen[i][j], in ? k + i * 100 + j : k);
      }
    }

  int sum = 0;
#pragma acc parallel loop gang worker vector tile(2, *, 5) reduction(+ : sum) copy(box)
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 11; j++)
      for (long k = 12; k >= 0; k--) {
        box[i][j][k] += 1;
        if ((i + j) % 2)
          continue;
        sum += 1;
      }
  EXPECT(sum, 39 * 13);
  for (int k = 0; k < 7 * 11 * 13; k++)
    EXPECT_AT(k, box[k / 143][k / 13 % 11][k % 13], 1);

#pragma acc kernels loop independent tile(7) copy(line)
  for (int i = 99; i > 0; i--)
    line[i] = i * i;
  for (int i = 0; i < 100; i++)
    EXPECT_AT(i, line[i], i * i);
  return report();
}
