// Atomics on elements of arrays, members of structs and through pointers, of several types.
// arc: items>1
#include "check.h"

#define N 3001
#define BINS 13

typedef struct {
  long long count;
  float weight;
} Bin;

int main(void) {
  static Bin bin[BINS];
  static double total[2][BINS];
  double *flat = &total[1][0];

#pragma acc parallel loop copy(bin, total)
  for (int i = 0; i < N; i++) {
    int b = i * 5 % BINS;
#pragma acc atomic update
    bin[b].count += i;
#pragma acc atomic update
    bin[b].weight += 0.25f;
#pragma acc atomic update
    total[i % 2][b] += 1;
  }
#pragma acc data copy(total)
  {
#pragma acc parallel loop present(flat[0:BINS])
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
      *(flat + i % BINS) += 100;
    }
  }

  for (int b = 0; b < BINS; b++) {
    long long count = 0;
    int odd = 0, even = 0, third = 0;
    for (int i = 0; i < N; i++) {
      third += i % BINS == b;
      if (i * 5 % BINS != b)
        continue;
      count += i;
      odd += i % 2;
      even += i % 2 == 0;
    }
    EXPECT_AT(b, bin[b].count, count);
    NEAR_AT(b, bin[b].weight, 0.25 * (odd + even), 0);
    NEAR_AT(b, total[0][b], even, 0);
    NEAR_AT(b, total[1][b], odd + 100 * third, 0);
  }
  return report();
}
