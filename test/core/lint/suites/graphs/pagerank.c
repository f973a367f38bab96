#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 80 };
static int start[n + 1], from[n * 4], degree[n];
static double rank[n], next[n];
int main(void) {
  int m = 0;
  for (int i = 0; i < n; i++) degree[i] = 0;
  for (int i = 0; i < n; i++) {
    start[i] = m;
    for (int k = 1; k <= 4; k++) {
      from[m] = (i * k + 3) % n;
      degree[from[m++]]++;
    }
  }
  start[n] = m;
  for (int i = 0; i < n; i++) {
    rank[i] = 1.0 / n;
    if (degree[i] == 0) degree[i] = 1;
  }
#pragma acc data copyin(start, from, degree) copy(rank) create(next)
  for (int t = 0; t < 15; t++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = start[i]; k < start[i + 1]; k++) s += rank[from[k]] / degree[from[k]];
      next[i] = 0.15 / n + 0.85 * s;
    }
#pragma acc parallel loop
    for (int i = 0; i < n; i++) rank[i] = next[i];
  }
  printf("%.6f %.6f\n", rank[3], rank[40]);
  return 0;
}
