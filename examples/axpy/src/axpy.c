/* y = a x + y, repeated; then the dot product of x and y. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void axpy(long n, float a, const float *restrict x, float *restrict y) {
#pragma acc parallel loop present(x[0:n], y[0:n])
  for (long i = 0; i < n; i++)
    y[i] += a * x[i];
}

static double dot(long n, const float *restrict x, const float *restrict y) {
  double sum = 0;
#pragma acc parallel loop reduction(+:sum) present(x[0:n], y[0:n])
  for (long i = 0; i < n; i++)
    sum += (double)x[i] * y[i];
  return sum;
}

static void write_vector(const char *path, long n, const float *y) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (long i = 0; i < n; i++)
    fprintf(file, "%.7g\n", y[i]);
  fclose(file);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 10000000;
  int repeats = argc > 2 ? atoi(argv[2]) : 20;
  if (n < 0 || repeats < 0) {
    fprintf(stderr, "usage: axpy [size [repeats [file]]]\n");
    return 2;
  }
  float *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
  if (!x || !y) {
    fprintf(stderr, "axpy: no memory for %ld elements\n", n);
    return 1;
  }
  for (long i = 0; i < n; i++) {
    x[i] = 0.001f * (i % 1000);
    y[i] = 1.0f;
  }

  double product, start, elapsed;
#pragma acc data copyin(x[0:n]) copy(y[0:n])
  {
    start = seconds();
    for (int k = 0; k < repeats; k++)
      axpy(n, 1.0f / (k + 1), x, y);
    product = dot(n, x, y);
#pragma acc wait
    elapsed = seconds() - start;
  }

  printf("x . y = %.9g\n", product);
  if (n > 0)
    printf("y[0] = %.7g, y[%ld] = %.7g\n", y[0], n - 1, y[n - 1]);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 3)
    write_vector(argv[3], n, y);
  free(x);
  free(y);
  return 0;
}
