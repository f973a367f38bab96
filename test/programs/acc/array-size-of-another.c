// Arrays of a region whose size is computed from arrays that are mapped, which are pointers in the kernel.
// arc: items>1, gcc-cannot it crashes at reductions of arrays
#include "check.h"
#include <string.h>

typedef struct {
  char name[12];
  short parts[5];
} record;

static const int kinds[] = {3, 1, 4, 1, 5};
static double table[3][7];

int main(void) {
  double sums[sizeof kinds / sizeof *kinds] = {0};
  int weights[7] = {1, 2, 3, 4, 5, 6, 7}, out[40];
  record r = {"hello", {1, 2, 3, 4, 5}};
  for (int i = 0; i < 21; i++)
    table[i / 7][i % 7] = i;
#pragma acc parallel loop copyin(kinds, weights, r, table) copyout(out) copy(sums) reduction(+ : sums)
  for (int p = 0; p < 40; p++) {
    int local[sizeof weights / sizeof weights[0]], other[2 * sizeof(table[0]) / sizeof table[0][0]];
    char text[sizeof r.name + 1];
    short parts[sizeof r.parts / sizeof *r.parts];
    struct {
      int of[sizeof kinds / sizeof(int)];
      unsigned low : sizeof kinds / sizeof *kinds;
    } s = {.low = p};
    int chosen[8] = {[sizeof kinds / sizeof *kinds] = 100, [sizeof weights / 4 - 1] = 7};
    for (unsigned k = 0; k < sizeof local / sizeof *local; k++)
      local[k] = weights[k] * p + (int)table[1][k];
    for (unsigned k = 0; k < sizeof other / sizeof *other; k++)
      other[k] = k;
    memset(text, 0, sizeof text);
    memcpy(text, r.name, sizeof r.name);
    memcpy(parts, r.parts, sizeof parts);
    for (unsigned k = 0; k < sizeof s.of / sizeof *s.of; k++) {
      s.of[k] = kinds[k];
      sums[k] += s.of[k] * parts[k];
    }
    out[p] = local[6] + other[13] + text[1] + (int)(sizeof text + sizeof local + s.low) + chosen[5] + chosen[6];
  }
  for (int p = 0; p < 40; p++)
    EXPECT_AT(p, out[p], 7 * p + 13 + 13 + 'e' + 13 + 28 + p % 32 + 107);
  for (int k = 0; k < 5; k++)
    EXPECT_AT(k, sums[k], 40 * kinds[k] * (k + 1));
  return report();
}
