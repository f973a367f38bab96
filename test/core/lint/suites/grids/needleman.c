#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 40 };
static int score[(n + 1) * (n + 1)], ref[(n + 1) * (n + 1)];
int main(void) {
  for (int i = 0; i <= n; i++) {
    score[i] = -2 * i;
    score[i * (n + 1)] = -2 * i;
  }
  for (int i = 0; i < (n + 1) * (n + 1); i++) ref[i] = i * 11 % 7 - 3;
#pragma acc data copy(score) copyin(ref)
  for (int d = 2; d <= 2 * n; d++) {
    int from = d > n ? d - n : 1, to = d > n ? n : d - 1;
#pragma acc parallel loop independent
    for (int i = from; i <= to; i++) {
      int j = d - i, at = i * (n + 1) + j;
      int best = score[at - n - 2] + ref[at];
      if (score[at - 1] - 2 > best) best = score[at - 1] - 2;
      if (score[at - n - 1] - 2 > best) best = score[at - n - 1] - 2;
      score[at] = best;
    }
  }
  printf("%d %d\n", score[n * (n + 1) + n], score[20 * (n + 1) + 20]);
  return 0;
}
