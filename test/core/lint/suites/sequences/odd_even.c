#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 101 };
static int v[n];
int main(void) {
  for (int i = 0; i < n; i++) v[i] = i * 31 % 97;
#pragma acc data copy(v)
  for (int t = 0; t < n; t++) {
#pragma acc parallel loop
    for (int i = t % 2; i < n - 1; i += 2)
      if (v[i] > v[i + 1]) {
        int s = v[i];
        v[i] = v[i + 1];
        v[i + 1] = s;
      }
  }
  for (int i = 0; i < n; i += 20) printf("%d ", v[i]);
  printf("\n");
  return 0;
}
