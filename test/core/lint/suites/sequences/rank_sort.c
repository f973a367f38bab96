#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 120 };
static float v[n], sorted[n];
int main(void) {
  for (int i = 0; i < n; i++) v[i] = i * 53 % 127;
#pragma acc parallel loop copyin(v) copyout(sorted)
  for (int i = 0; i < n; i++) {
    int rank = 0;
    for (int j = 0; j < n; j++) rank += v[j] < v[i] || (v[j] == v[i] && j < i);
    sorted[rank] = v[i];
  }
  printf("%.0f %.0f %.0f\n", sorted[0], sorted[50], sorted[119]);
  return 0;
}
