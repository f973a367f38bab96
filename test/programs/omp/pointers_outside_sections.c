// Pointers that no clause names: to sections that begin behind them, to parts of what they lead to, and device addresses.
#include "../acc/check.h"
#include "programs.h"
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define N 203

/* How much memory a parameter leads to is not known here. */
static void add(const double *from, double *to, int first, int end) {
#pragma omp target teams distribute parallel for
  for (int i = first; i < end; i++)
    to[i] += from[i];
}

/* A section is mapped through the pointers themselves. */
static void by_base(double *a, double *b) {
  int first = 64;
#pragma omp target enter data map(to: a[first:50]) map(to: b[64:first])
  add(a, b, 64, 114);
#pragma omp target
  for (int i = 70; i < 100; i++)
    b[i] *= 2;
#pragma omp target exit data map(release: a[first:50]) map(from: b[64:64])
  for (int i = 0; i < N; i++)
    NEAR_AT(i, b[i], i >= first && i < 114 ? (i >= 70 && i < 100 ? 6.0 : 3.0) * i : 2.0 * i, 0);
}

/* Another pointer leads to the start of the section. */
static void by_part(void) {
  double *a = malloc(N * sizeof *a), *inner = a + 30;
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target data map(tofrom: inner[0:40])
  {
#pragma omp target
    for (int i = 30; i < 70; i++)
      a[i] += 0.5;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 40; i++)
      inner[i] *= 2;
  }
  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], i >= 30 && i < 70 ? 2 * i + 1.0 : i, 0);
  free(a);
}

#ifdef _OPENMP
static void by_device_address(void) {
  double *a = omp_target_alloc(N * sizeof *a, omp_get_default_device()), *second = a + 100, found = 0;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target map(tofrom: found)
  found += *second + second[-1];
  NEAR(found, 199.0, 0);
  omp_target_free(a, omp_get_default_device());
}
#else
static void by_device_address(void) {}
#endif

/* A region also maps the place that another pointer leads to, of the same array: it leaves what it found. */
static void by_place(int n) {
  static double all[N];
  double *a = all, *same = all;
  a[70] = 70;
#pragma omp target enter data map(to: a[64:50])
#pragma omp target
  a[70] += 1;
#pragma omp target map(to: same[0:4])
  if (n < same[1])
    a[70] = -1;
#pragma omp target exit data map(from: a[64:50])
  NEAR(a[70], 71.0, 0);
}

int pointers_outside_sections(void) {
  double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = 2 * i;
  by_place(N);
  by_base(a, b);
  by_part();
  by_device_address();
  free(a);
  free(b);
  return report();
}
