#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#pragma acc routine seq
static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}
int main(void) {
  long hits = 0;
#pragma acc parallel loop reduction(+ : hits)
  for (int i = 0; i < 500; i++) {
    unsigned state = 12345u + 977u * (unsigned)i;
    int own = 0;
    for (int k = 0; k < 40; k++) {
      float x = next(&state) / 16777216.0f, y = next(&state) / 16777216.0f;
      own += x * x + y * y < 1;
    }
    hits += own;
  }
  printf("%ld\n", hits);
  return 0;
}
