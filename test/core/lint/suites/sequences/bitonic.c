#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 256 };
static int v[n];
int main(void) {
  for (int i = 0; i < n; i++) v[i] = i * 7919 % 1009;
#pragma acc data copy(v)
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
#pragma acc parallel loop
      for (int i = 0; i < n; i++) {
        int o = i ^ j;
        if (o > i) {
          int a = v[i], b = v[o];
          if ((i & k) == 0 ? a > b : a < b) {
            v[i] = b;
            v[o] = a;
          }
        }
      }
    }
  for (int i = 0; i < n; i += 32) printf("%d ", v[i]);
  printf("\n");
  return 0;
}
