// Lanes add to the same bins through atomic update.
// arc: items>1
#include "check.h"

#define N 20011
#define BINS 17

int main(void) {
  static int key[N];
  int bin[BINS] = {0}, want[BINS] = {0};
  for (int i = 0; i < N; i++) {
    key[i] = (i * 31 + i / 7) % BINS;
    want[key[i]]++;
  }

#pragma acc parallel loop copyin(key) copy(bin)
  for (int i = 0; i < N; i++) {
#pragma acc atomic update
    bin[key[i]]++;
  }

  for (int b = 0; b < BINS; b++)
    EXPECT_AT(b, bin[b], want[b]);
  return report();
}
