// Atomic updates, reads, writes and captures, also in functions that regions call.
#include "../acc/check.h"
#include "programs.h"

#define N 901
#define BINS 7

/* No directive says that it runs on the device: a region calls it. */
static void count(int *bins, int value) {
#pragma omp atomic update
  bins[value % BINS]++;
}

int atomics(void) {
  int bins[BINS] = {0}, want[BINS] = {0}, taken = 0, order[N] = {0}, flag = 0, seen[N];
  float sum = 0;
  for (int i = 0; i < N; i++)
    want[i * 5 % BINS]++;

#pragma omp target teams distribute parallel for map(tofrom: bins, taken, order, sum)
  for (int i = 0; i < N; i++) {
    count(bins, i * 5);
    int mine;
#pragma omp atomic capture
    mine = taken++;
#pragma omp atomic
    order[mine] += 1;
#pragma omp atomic relaxed
    sum += 0.5f;
  }
  for (int b = 0; b < BINS; b++)
    EXPECT_AT(b, bins[b], want[b]);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, order[i], 1);
  EXPECT(taken, N);
  NEAR(sum, 0.5 * N, 1e-6);

#pragma omp target teams distribute parallel for map(tofrom: flag) map(from: seen)
  for (int i = 0; i < N; i++) {
    if (i == 100) {
#pragma omp atomic write
      flag = 3;
    }
#pragma omp atomic read
    seen[i] = flag;
  }
  EXPECT(flag, 3);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, seen[i] == 0 || seen[i] == 3, 1);
  return report();
}
