// Pointers that a gang sets once and its lanes follow: to its variables, arrays and structs, to pointers, and in arrays.
// arc: items>1
#include "check.h"

#define GANGS 7
#define LANES 45

struct pair {
  int a, b;
};

static void bump(int *p, int by) { *p += by; }

int main(void) {
  static int out[GANGS][LANES], sums[GANGS];
#pragma acc parallel loop gang copyout(out)
  for (int g = 0; g < GANGS; g++) {
    int x = g + 1, list[3] = {g, 2 * g, 3 * g};
    struct pair both = {g, -g};
    int *p = &x, **pp = &p, *ends[2] = {&list[0], &list[2]};
    struct pair *q = &both;
    *p += 1;
    q->b += 2;
#pragma acc loop vector
    for (int k = 0; k < LANES; k++)
      out[g][k] = *p + **pp + *ends[k % 2] + q->a + q->b;
  }
  for (int g = 0; g < GANGS; g++)
    for (int k = 0; k < LANES; k++)
      EXPECT_AT(g * LANES + k, out[g][k], 2 * (g + 2) + (k % 2 ? 3 * g : g) + 2);
  /* Variables of one lane's own, in code beside loops that all lanes share. */
#pragma acc parallel loop gang copyout(out, sums)
  for (int g = 0; g < GANGS; g++) {
    sums[g] = 0;
    for (int k = 0; k < 3; k++) {
      int own = k, *at = &own;
      bump(&own, g);
      *at += 1;
      sums[g] += own;
    }
#pragma acc loop vector
    for (int k = 0; k < LANES; k++)
      out[g][k] = sums[g] + k;
  }
  for (int g = 0; g < GANGS; g++)
    for (int k = 0; k < LANES; k++)
      EXPECT_AT(g * LANES + k, out[g][k], 3 * g + 6 + k);
  return report();
}
