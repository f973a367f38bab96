#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define N 18
static float in[N * N * N], out[N * N * N];
#define AT(i, j, k) (((i) * N + (j)) * N + (k))
int main(void) {
  for (int i = 0; i < N * N * N; i++) in[i] = i % 13;
#pragma acc parallel loop collapse(3) copyin(in) copy(out)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      for (int k = 1; k < N - 1; k++)
        out[AT(i, j, k)] = in[AT(i, j, k)] * 2 + in[AT(i - 1, j, k)] + in[AT(i + 1, j, k)] + in[AT(i, j - 1, k)] +
                           in[AT(i, j + 1, k)] + in[AT(i, j, k - 1)] + in[AT(i, j, k + 1)];
  double s = 0;
  for (int i = 0; i < N * N * N; i++) s += out[i];
  printf("%.1f\n", s);
  return 0;
}
