// Code between the loops of a target region runs once, and its threads see what it has done.
#include "../acc/check.h"
#include "programs.h"

#define N 515

int one_team(void) {
  int a[N], b[N], total = 0, seen = 7;
#pragma omp target map(from: a, b) map(tofrom: total)
  {
    int first = 10;
    seen = 4;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      a[i] = first * i + seen;
    first = a[N - 1];
    int sum = 0;
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < N; i++) {
      b[i] = a[N - 1 - i] - first;
      sum += a[i];
    }
    total = sum + first;
  }
  int want = 0;
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 10 * i + 4);
    EXPECT_AT(i, b[i], -10 * i);
    want += 10 * i + 4;
  }
  EXPECT(total, want + 10 * (N - 1) + 4);

  /* Loops of one parallel construct follow each other: a barrier stands between them. */
#pragma omp target map(from: a, b)
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma omp for simd
    for (int i = 0; i < N; i++)
      b[i] = a[N - 1 - i];
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, b[i], N - 1 - i);

  /* Threads count in a variable of the team, each with an answer of its own. */
  int taken[N] = {0};
#pragma omp target map(tofrom: taken)
  {
    int next = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
      int mine;
#pragma omp atomic capture
      mine = next++;
#pragma omp atomic
      taken[mine] += 1;
    }
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, taken[i], 1);
  return report();
}
