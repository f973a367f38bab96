/* The product of examples/matmul, again and again: `product [size [seconds]]`. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* a is rows x inner, b is inner x columns, c is rows x columns. */
static void multiply(int rows, int inner, int columns, const float *restrict a, const float *restrict b,
                     float *restrict c) {
#pragma acc parallel loop collapse(2) present(a[0:rows * inner], b[0:inner * columns], c[0:rows * columns])
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      float sum = 0;
#pragma acc loop seq
      for (int k = 0; k < inner; k++)
        sum += a[i * inner + k] * b[k * columns + j];
      c[i * columns + j] = sum;
    }
  }
}

enum { ROUND = 20 };

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024;
  double limit = argc > 2 ? atof(argv[2]) : 0, begin, end;
  size_t size = (size_t)n * n;
  float *a = malloc(sizeof *a * size), *b = malloc(sizeof *b * size), *c = calloc(sizeof *c, size);
  for (size_t i = 0; i < size; i++) {
    a[i] = ((int)(i % 17) - 8) * 0.125f;
    b[i] = ((int)(i % 13) - 5) * 0.25f;
  }
#pragma acc data copyin(a[0:size], b[0:size]) copy(c[0:size])
  {
    begin = seconds();
    do {
      for (int r = 0; r < ROUND; r++)
        multiply(n, n, n, a, b, c);
#pragma acc wait
    } while ((end = seconds()) < begin + limit);
  }
  double sum = 0;
  for (size_t i = 0; i < size; i++)
    sum += c[i] * (double)(i % 5 + 1);
  printf("%.6g\nbusy: %.6f %.6f\n", sum, begin, end);
  return 0;
}
