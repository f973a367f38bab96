// File-scope arrays and pointers in regions without any declare are copied like local ones.
// arc: items>1
#include "check.h"
#include <stdlib.h>

#define N 167

int input[N];
static float output[2][N];
double *heap;

int main(void) {
  heap = malloc(N * sizeof *heap);
  for (int i = 0; i < N; i++)
    input[i] = i;

#pragma acc parallel loop copyout(heap[0:N])
  for (int i = 0; i < N; i++) {
    output[0][i] = input[i] + 0.5f;
    output[1][N - 1 - i] = -input[i];
    heap[i] = input[i] * 2;
  }

  for (int i = 0; i < N; i++) {
    NEAR_AT(i, output[0][i], i + 0.5, 0);
    NEAR_AT(i, output[1][i], i - (N - 1), 0);
    NEAR_AT(i, heap[i], 2 * i, 0);
  }
  free(heap);
  return report();
}
