/* Kernels each of which waits for the one before it; with an argument one of them faults: the last one, or one in the middle. */
#include <stdio.h>
#include <string.h>

enum { N = 1024, STEPS = 200 };

#pragma omp target device(cuda) ndrange(1, n, 64) file(chain.cu)
#pragma omp task inout([n]x)
void step(int n, int a, unsigned *x);

#pragma omp target device(cuda) ndrange(1, n, 64) file(chain.cu)
#pragma omp task inout([n]x)
void fault(int n, unsigned *x);

int main(int argc, char **argv) {
  static unsigned x[2][N];
  for (int i = 0; i < STEPS; i++) {
    step(N, i, x[0]);
    step(N, i + 1, x[1]);
    if (argc > 1 && strcmp(argv[1], "middle") == 0 && i == STEPS / 2) fault(N, x[0]);
  }
#pragma omp taskwait
  if (argc > 1) fault(N, x[0]);
#pragma omp taskwait
  printf("%u %u\n", x[0][N - 1], x[1][0]);
  return 0;
}
