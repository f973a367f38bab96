#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static double u[66 * 66], v[66 * 66];
int main(void) {
  int n = 66;
  for (int i = 0; i < n * n; i++) u[i] = v[i] = (i * 37 % 11) / 10.0;
#pragma acc data copy(u[0:n * n]) copyin(v[0:n * n])
  for (int step = 0; step < 20; step++) {
#pragma acc parallel loop collapse(2)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
#pragma acc parallel loop collapse(2)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) u[i * n + j] = v[i * n + j];
  }
  double sum = 0;
  for (int i = 0; i < n * n; i++) sum += u[i];
  printf("%.6f\n", sum);
  return 0;
}
