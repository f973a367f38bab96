// Every operator, into scalars and arrays, by every construct that reduces.
#include "../acc/check.h"
#include "programs.h"
#include <stdbool.h>

#define N 777
#define BINS 6

int reductions(void) {
  int x[N];
  for (int i = 0; i < N; i++)
    x[i] = (i * 31) % 101 - 50;
  int sum = 3, low = 99, high = -99, bits = 0, mask = -1, odd = 0;
  bool all = true, any = false;
  double product = 1;
#pragma omp target teams distribute parallel for reduction(+: sum) reduction(min: low) reduction(max: high) \
    reduction(|: bits) reduction(&: mask) reduction(^: odd) reduction(&&: all) reduction(||: any) reduction(*: product)
  for (int i = 0; i < N; i++) {
    sum += x[i];
    low = x[i] < low ? x[i] : low;
    if (x[i] > high)
      high = x[i];
    bits |= x[i] & 12;
    mask &= x[i] | 7;
    odd ^= x[i];
    all = all && x[i] < 60;
    any = any || x[i] == 50;
    product *= i % 100 == 7 ? 2 : 1;
  }
  int want = 3, wodd = 0;
  for (int i = 0; i < N; i++)
    want += x[i], wodd ^= x[i];
  EXPECT(sum, want);
  EXPECT(low, -50);
  EXPECT(high, 50);
  EXPECT(bits, 12);
  EXPECT(mask, 7);
  EXPECT(odd, wodd);
  EXPECT(all, 1);
  EXPECT(any, 1);
  NEAR(product, 256.0, 0);

  /* Into elements, and by a separate teams construct. */
  int bins[BINS] = {1, 2, 3, 4, 5, 6}, wbins[BINS] = {1, 2, 3, 4, 5, 6};
  for (int i = 0; i < N; i++)
    wbins[(x[i] + 50) % BINS]++;
#pragma omp target teams distribute parallel for reduction(+: bins[0:BINS])
  for (int i = 0; i < N; i++)
    bins[(x[i] + 50) % BINS]++;
  for (int b = 0; b < BINS; b++)
    EXPECT_AT(b, bins[b], wbins[b]);

  int apart = 0;
#pragma omp target map(tofrom: apart)
#pragma omp teams distribute parallel for reduction(-: apart)
  for (int i = 0; i < N; i++)
    apart -= x[i];
  EXPECT(apart, 3 - want);

  /* Rows by teams, the row's sum by their threads. */
  int rows[20], total = 0;
#pragma omp target teams distribute map(from: rows) reduction(+: total)
  for (int r = 0; r < 20; r++) {
    int row = 0;
#pragma omp parallel for reduction(+: row)
    for (int i = r; i < N; i += 20)
      row += x[i];
    rows[r] = row;
    total += row;
  }
  EXPECT(total, want - 3);
  for (int r = 0; r < 20; r++)
    total -= rows[r];
  EXPECT(total, 0);

  int simd = 0;
#pragma omp target parallel for reduction(+: simd)
  for (int r = 0; r < 20; r++) {
    int row = 0;
#pragma omp simd reduction(+: row)
    for (int i = r; i < N; i += 20)
      row += x[i];
    simd += row;
  }
  EXPECT(simd, want - 3);
  return report();
}
