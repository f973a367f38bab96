// Functions that a region calls, directly and through each other, change pointers and numbers at file scope.
// arc: gcc-cannot call functions without a routine directive
#include "check.h"

static unsigned char stream[32];
static unsigned char *from;
static const int *steps;
static unsigned seed;
#pragma acc declare create(stream, from)

static unsigned next(void) { return *from++; }
static unsigned pair(void) {
  unsigned first = next();
  return first * 256 + next();
}
static unsigned random_number(void) { return seed = seed * 1664525u + 1013904223u; }
static void skip(unsigned **out) { *out += *steps++; }

int main(void) {
  int strides[4] = {1, 2, 1, 3};
  unsigned words[4], expected[4], spread[8] = {0}, numbers[3];
  for (int i = 0; i < 32; i++) stream[i] = (unsigned char)(7 * i + 1);
#pragma acc update device(stream)

#pragma acc serial copyout(words)
  {
    from = stream + 3;
    for (int i = 0; i < 4; i++) words[i] = pair();
    words[3] += *from;
  }
  for (int i = 0; i < 4; i++) expected[i] = stream[3 + 2 * i] * 256u + stream[4 + 2 * i];
  expected[3] += stream[11];
  for (int i = 0; i < 4; i++) EXPECT_AT(i, words[i], expected[i]);

#pragma acc serial copy(spread) copyin(strides)
  {
    steps = strides;
    unsigned *to = spread;
    for (int i = 0; i < 4; i++) {
      *to = i + 1;
      skip(&to);
    }
  }
  const unsigned placed[8] = {1, 2, 0, 3, 4, 0, 0, 0};
  for (int i = 0; i < 8; i++) EXPECT_AT(i, spread[i], placed[i]);

  seed = 5;
#pragma acc serial copyout(numbers) copy(seed)
  for (int i = 0; i < 3; i++) numbers[i] = random_number();
  unsigned reached = seed;
  seed = 5;
  for (int i = 0; i < 3; i++) EXPECT_AT(i, numbers[i], random_number());
  EXPECT(reached, seed);
  return report();
}
