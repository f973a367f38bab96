// Directives for the host's threads stay as they are, and OpenACC's regions stand beside OpenMP's.
#include "../acc/check.h"
#include "programs.h"

#define N 256

int beside_host_code(void) {
  int x[N], y[N], sum = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    x[i] = i;
#pragma omp target data map(to: x) map(from: y)
  {
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < N; i++)
      y[i] = x[i] + 1;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      y[i] += 1;
  }
#pragma omp parallel for reduction(+: sum)
  for (int i = 0; i < N; i++)
    sum += y[i];
#pragma omp critical
  sum += 1;
  EXPECT(sum, N * (N - 1) / 2 + 2 * N + 1);
  return report();
}
