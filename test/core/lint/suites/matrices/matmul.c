#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 40 };
int main(void) {
  float *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
#pragma acc parallel loop collapse(2) copyin(a[0:n * n], b[0:n * n]) copyout(c[0:n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
  printf("%.1f %.1f\n", c[5], c[n * n - 1]);
  free(a), free(b), free(c);
  return 0;
}
