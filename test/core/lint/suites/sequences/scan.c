#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 256 };
static int v[n], w[n];
int main(void) {
  for (int i = 0; i < n; i++) v[i] = i % 5;
#pragma acc data copy(v) create(w)
  for (int d = 1; d < n; d *= 2) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) w[i] = i >= d ? v[i] + v[i - d] : v[i];
#pragma acc parallel loop
    for (int i = 0; i < n; i++) v[i] = w[i];
  }
  printf("%d %d\n", v[100], v[n - 1]);
  return 0;
}
