/* A product of matrices: many work-items in lock-step, or one whose sums go through a shift register. */
#include <stdio.h>
#ifndef M
#define M 9
#define K 14
#define N 11
#endif
static float a[M * K], b[K * N], c[M * N];

static void product(void) {
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(c)
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
#pragma acc loop seq reduction(+:sum)
      for (int k = 0; k < K; k++) sum += a[i * K + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}

int main(void) {
  for (int k = 0; k < M * K; k++) a[k] = k % 7 - 3;
  for (int k = 0; k < K * N; k++) b[k] = k % 5 - 2;
  product();
  for (int k = 0; k < M * N; k++) printf("%g%c", c[k], k % N == N - 1 ? '\n' : ' ');
}
