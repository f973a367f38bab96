/* Prefix sums with OpenACC: sums of pieces, their prefix sums, then each piece from the sum in front of it. */
#include "scan.h"

static void scan(const int *restrict a, int *restrict sums, int *restrict pieces) {
#pragma acc parallel loop present(a[0:NUMBERS], pieces[0:NUMBERS / PIECE])
  for (int p = 0; p < NUMBERS / PIECE; p++) {
    int sum = 0;
    for (int i = p * PIECE; i < (p + 1) * PIECE; i++)
      sum += a[i];
    pieces[p] = sum;
  }
#pragma acc serial present(pieces[0:NUMBERS / PIECE])
  for (int p = 0, before = 0; p < NUMBERS / PIECE; p++) {
    int sum = pieces[p];
    pieces[p] = before;
    before += sum;
  }
#pragma acc parallel loop present(a[0:NUMBERS], sums[0:NUMBERS], pieces[0:NUMBERS / PIECE])
  for (int p = 0; p < NUMBERS / PIECE; p++) {
    int sum = pieces[p];
    for (int i = p * PIECE; i < (p + 1) * PIECE; i++) {
      sum += a[i];
      sums[i] = sum;
    }
  }
}

int main(void) {
  int *a = make_numbers(), *sums = malloc((size_t)NUMBERS * sizeof *sums), *pieces = malloc(NUMBERS / PIECE * sizeof *pieces);
  double best = INFINITY;
#pragma acc data copyin(a[0:NUMBERS]) copyout(sums[0:NUMBERS]) create(pieces[0:NUMBERS / PIECE])
  for (int run = 0; run <= RUNS; run++) {
#pragma acc wait
    double start = milliseconds();
    scan(a, sums, pieces);
#pragma acc wait
    if (run > 0)
      best = fmin(best, milliseconds() - start);
  }
  check_scan(a, sums);
  print_time("scan", "openacc", best);
  return 0;
}
