// Pi from pseudo-random points: each lane has its own generator, seeded from its index.
// arc: items>1
#include "check.h"

#define LANES 4001
#define POINTS 40

#pragma acc routine seq
static unsigned random_next(unsigned *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state >> 9;
}

static long hits(void) {
  long inside = 0;
#pragma acc parallel loop gang worker vector reduction(+:inside)
  for (int i = 0; i < LANES; i++) {
    unsigned state = 2463534242u + 7919u * (unsigned)i;
    for (int k = 0; k < POINTS; k++) {
      long x = random_next(&state), y = random_next(&state);
      inside += x * x + y * y < 1L << 46;
    }
  }
  return inside;
}

int main(void) {
  long inside = hits(), want = 0;
  for (int i = 0; i < LANES; i++) {
    unsigned state = 2463534242u + 7919u * (unsigned)i;
    for (int k = 0; k < POINTS; k++) {
      long x = random_next(&state), y = random_next(&state);
      want += x * x + y * y < 1L << 46;
    }
  }
  EXPECT(inside, want);
  NEAR(4.0 * inside / (LANES * POINTS), 3.1416, 0.01);
  return report();
}
