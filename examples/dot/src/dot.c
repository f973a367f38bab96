/* The scalar product of two vectors: a reduction, whose sum every iteration waits for. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static float dot(int n, const float *restrict x, const float *restrict y) {
  float sum = 0;
#pragma acc parallel loop reduction(+:sum) present(x[0:n], y[0:n])
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22;
  if (n < 0) {
    fprintf(stderr, "usage: dot [elements]\n");
    return 2;
  }
  float *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
  if (!x || !y) {
    fprintf(stderr, "dot: no memory for %d elements\n", n);
    return 1;
  }
  for (int i = 0; i < n; i++) {
    x[i] = (float)(i % 16) / 16;
    y[i] = (float)(i % 7) - 2;
  }
  float result;
#pragma acc data copyin(x[0:n], y[0:n])
  {
    double start = seconds();
    result = dot(n, x, y);
    printf("time: %.6f s\n", seconds() - start);
  }
  printf("%d elements: %.6g\n", n, result);
  free(x);
  free(y);
  return 0;
}
