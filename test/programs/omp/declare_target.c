// Functions and variables of declare target, also of another file.
#include "../acc/check.h"
#include "programs.h"
#include "table.h"

#define N 120

#pragma omp declare target
static int factor = 3;
static int offsets[4] = {1, 2, 3, 4};

static int scaled(int v) {
  int sum = 0;
  /* One thread runs the loop: it called the function. */
#pragma omp parallel for reduction(+: sum)
  for (int k = 0; k < factor; k++)
    sum += v;
  return sum + offsets[v % 4];
}
#pragma omp end declare target

int declare_target(void) {
  int x[N];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    x[i] = scaled(i) + lookup(i);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, x[i], 3 * i + i % 4 + 1 + (i % 5) * (i % 5));

  factor = 4;
  offsets[1] = 50;
  table[2] = 1000;
#pragma omp target update to(factor, offsets, table)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    x[i] = scaled(i) + lookup(i);
  EXPECT(x[1], 4 + 50 + 1);
  EXPECT(x[7], 28 + 4 + 1000);

  int counts[5] = {0};
#pragma omp target teams distribute parallel for map(tofrom: counts)
  for (int i = 0; i < N; i++)
    x[i] = count_lookups(counts, i);
  for (int k = 0; k < 5; k++)
    EXPECT_AT(k, counts[k], N / 5);
  EXPECT(x[3], 9);

#pragma omp target
  offsets[0] = -1;
#pragma omp target update from(offsets)
  EXPECT(offsets[0], -1);
  return report();
}
