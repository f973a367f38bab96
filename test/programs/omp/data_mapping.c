// Maps by type, sections, reference counts, always, update, conditions.
#include "../acc/check.h"
#include "programs.h"
#include <stdlib.h>

#define N 203

struct series {
  int n;
  double *values;
};

static void twice(double *v, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    v[i] *= 2;
}

int data_mapping(void) {
  double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), work[N];
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = 0;

  /* Pointers without a clause lead to what data regions around have mapped. */
#pragma omp target data map(to: a[0:N]) map(from: b[:N]) map(alloc: work)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      work[i] = a[i] + 1;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      b[i] = 2 * work[i];
  }
  for (int i = 0; i < N; i++)
    NEAR_AT(i, b[i], 2.0 * (i + 1), 0);

  /* Each map is one reference; the last one copies. */
#pragma omp target enter data map(to: a[0:N])
#pragma omp target enter data map(to: a[0:N])
  twice(a, N);
#pragma omp target exit data map(from: a[0:N])
  twice(a, N);
#pragma omp target update from(a[10:20])
  NEAR(a[10], 40.0, 0);
  NEAR(a[29], 116.0, 0);
#pragma omp target exit data map(from: a[0:N])
  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], 4.0 * i, 0);

  /* What is not on the device is not updated. */
#pragma omp target update from(a[0:N])
#pragma omp target update to(a[0:N]) if(target update: N > 1000)
  NEAR(a[5], 20.0, 0);

#pragma omp target enter data map(alloc: a[0:N]) if(N > 1)
#pragma omp target update to(a[0:N])
  twice(a, N);
#pragma omp target data map(always, from: a[0:N])
  twice(a, N);
  NEAR(a[7], 112.0, 0);
#pragma omp target exit data map(release: a[0:N])

  /* A member's section; a region beside the device. */
  struct series s = {N, b};
#pragma omp target teams distribute parallel for map(tofrom: s.values[0:s.n])
  for (int i = 0; i < N; i++)
    s.values[i] += 1;
#pragma omp target teams distribute parallel for map(tofrom: b[0:N]) if(target: N < 10)
  for (int i = 0; i < N; i++)
    b[i] += 1;
  for (int i = 0; i < N; i++)
    NEAR_AT(i, b[i], 2.0 * (i + 1) + 2, 0);

  /* A structure is mapped whole, an array of known size too. */
  struct { int count; float part[3]; } whole = {2, {1, 2, 3}};
#pragma omp target
  {
    whole.count += 1;
    for (int k = 0; k < 3; k++)
      whole.part[k] *= whole.count;
  }
  EXPECT(whole.count, 3);
  NEAR(whole.part[2], 9.0, 0);

  /* Addresses on the device, for a library or for regions that know them as such. */
#pragma omp target data map(tofrom: b[0:N]) use_device_ptr(b)
  {
#pragma omp target teams distribute parallel for is_device_ptr(b)
    for (int i = 0; i < N; i++)
      b[i] = -i;
  }
  NEAR(b[9], -9.0, 0);
  free(a);
  free(b);
  return report();
}
