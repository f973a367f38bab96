/* How often each byte value occurs, overall and weighted by position. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BINS 256

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Every lane counts into the same bins. */
static void count(long n, const unsigned char *restrict values, unsigned *restrict bins) {
#pragma acc parallel loop present(values[0:n], bins[0:BINS])
  for (long i = 0; i < n; i++) {
#pragma acc atomic update
    bins[values[i]]++;
  }
}

/* The place of each bin's first value: the smallest index at which it occurs, n if it never does. */
static void find_first(long n, const unsigned char *restrict values, long *restrict first) {
#pragma acc parallel loop present(values[0:n], first[0:BINS])
  for (int b = 0; b < BINS; b++) {
    long i = 0;
    while (i < n && values[i] != b)
      i++;
    first[b] = i;
  }
}

static void write_bins(const char *path, const unsigned *bins, const long *first) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int b = 0; b < BINS; b++)
    fprintf(file, "%d %u %ld\n", b, bins[b], first[b]);
  fclose(file);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 50000000;
  if (n < 0 || n > 4000000000) {
    fprintf(stderr, "usage: histogram [values [file]], at most 4000000000 values\n");
    return 2;
  }
  unsigned char *values = malloc(n + 1);
  unsigned bins[BINS] = {0};
  long first[BINS];
  if (!values) {
    fprintf(stderr, "histogram: no memory for %ld values\n", n);
    return 1;
  }
  /* The mean of two random bytes: values in the middle are commoner. */
  unsigned random = 2024;
  for (long i = 0; i < n; i++) {
    random = random * 1664525u + 1013904223u;
    values[i] = (unsigned char)(((random >> 24) + (random >> 16 & 255)) / 2);
  }

  double start, elapsed;
#pragma acc data copyin(values[0:n]) copy(bins) copyout(first)
  {
    start = seconds();
    count(n, values, bins);
    find_first(n, values, first);
#pragma acc wait
    elapsed = seconds() - start;
  }

  int commonest = 0, empty = 0;
  long total = 0;
  for (int b = 0; b < BINS; b++) {
    total += bins[b];
    empty += bins[b] == 0;
    if (bins[b] > bins[commonest])
      commonest = b;
  }
  printf("%ld values, %d bins empty, commonest %d: %u times, first at %ld\n", total, empty, commonest, bins[commonest],
         first[commonest]);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 2)
    write_bins(argv[2], bins, first);
  free(values);
  return 0;
}
