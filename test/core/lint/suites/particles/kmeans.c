#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 90, k = 3 };
static float x[n], centre[k];
static int member[n], count[k];
static float sum[k];
int main(void) {
  for (int i = 0; i < n; i++) x[i] = i % 3 * 10 + i % 7 * 0.5f;
  for (int c = 0; c < k; c++) centre[c] = c * 8;
#pragma acc data copyin(x) create(member)
  for (int t = 0; t < 8; t++) {
    for (int c = 0; c < k; c++) sum[c] = count[c] = 0;
#pragma acc parallel loop copyin(centre) copy(sum, count)
    for (int i = 0; i < n; i++) {
      int best = 0;
      for (int c = 1; c < k; c++)
        if (fabsf(x[i] - centre[c]) < fabsf(x[i] - centre[best])) best = c;
      member[i] = best;
#pragma acc atomic update
      sum[best] += x[i];
#pragma acc atomic update
      count[best]++;
    }
    for (int c = 0; c < k; c++)
      if (count[c]) centre[c] = sum[c] / count[c];
  }
  printf("%.2f %.2f %.2f\n", centre[0], centre[1], centre[2]);
  return 0;
}
