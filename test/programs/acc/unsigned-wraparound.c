// Unsigned arithmetic wraps in 8, 16, 32 and 64 bits; a random generator depends on it.
// arc: items>1
#include "check.h"
#include <stdint.h>

#define N 509

static uint64_t next(uint64_t s) {
  s = s * 6364136223846793005u + 1442695040888963407u;
  uint32_t x = (uint32_t)(((s >> 18) ^ s) >> 27), r = (uint32_t)(s >> 59);
  return (uint64_t)(x >> r | x << (-r & 31)) << 32 | (uint16_t)(x * 40503u) | (uint8_t)(r + 250);
}

int main(void) {
  static uint64_t a[N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) {
    uint64_t s = i;
    s = s * 6364136223846793005u + 1442695040888963407u;
    uint32_t x = (uint32_t)(((s >> 18) ^ s) >> 27), r = (uint32_t)(s >> 59);
    a[i] = (uint64_t)(x >> r | x << (-r & 31)) << 32 | (uint16_t)(x * 40503u) | (uint8_t)(r + 250);
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i] == next(i), 1);
  return report();
}
