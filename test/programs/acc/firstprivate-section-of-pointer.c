// Memory behind a pointer is firstprivate: each gang begins with the host's values, whatever the device has of it.
// arc: items>1, directives-needed, gcc-cannot firstprivate of sections
#include "check.h"
#include <stdlib.h>

enum { GANGS = 6 };

struct pair {
  short key;
  double value;
};

int main(void) {
  int n = 9, first = 4, out[GANGS], wide[GANGS][9], chosen[GANGS], later[GANGS];
  int *w = malloc(n * sizeof *w), (*rows)[3] = malloc(4 * sizeof *rows);
  struct pair *pairs = malloc(5 * sizeof *pairs);
  for (int k = 0; k < n; k++) w[k] = 10 * k;
  for (int k = 0; k < 12; k++) rows[k / 3][k % 3] = k;
  for (int k = 0; k < 5; k++) pairs[k] = (struct pair){k, 0.5 * k};

  // What the device has of the memory stays as it is.
#pragma acc data copyin(w[0:n])
  {
    for (int k = 0; k < n; k++) w[k] += 1;
#pragma acc parallel num_gangs(GANGS) firstprivate(w[0:n]) copyout(wide)
#pragma acc loop gang
    for (int g = 0; g < GANGS; g++) {
#pragma acc loop vector
      for (int k = 0; k < n; k++) wide[g][k] = w[k] + g;
    }
#pragma acc parallel loop num_gangs(GANGS) gang firstprivate(w[first:n - 4]) copyout(out)
    for (int g = 0; g < GANGS; g++) {
      w[first + g % 2] += g;
      out[g] = w[first + g % 2] + w[n - 1] - g;
      w[first + g % 2] -= g;
    }
  }
#pragma acc parallel loop gang firstprivate(rows[1:3], pairs[:5]) copyout(chosen)
  for (int g = 0; g < GANGS; g++) chosen[g] = rows[1 + g % 3][g % 2] + (int)(2 * pairs[g % 5].value) + pairs[g % 5].key;

  // The values of the launch, although it may run later.
#pragma acc serial firstprivate(w[2:3]) copyout(later) async(1)
  for (int g = 0; g < GANGS; g++) {
    later[g] = w[2 + g % 3];
    w[2 + g % 3] = -1;
  }
  int before[3] = {w[2], w[3], w[4]};
  for (int k = 2; k < 5; k++) w[k] = 1000;
#pragma acc wait(1)

  for (int g = 0; g < GANGS; g++) {
    for (int k = 0; k < n; k++) EXPECT_AT(g, wide[g][k], 10 * k + 1 + g);
    EXPECT_AT(g, out[g], 10 * (first + g % 2) + 1 + 10 * (n - 1) + 1);
    EXPECT_AT(g, chosen[g], 3 * (1 + g % 3) + g % 2 + 2 * (g % 5));
    EXPECT_AT(g, later[g], g < 3 ? before[g] : -1);
  }
  for (int k = 0; k < n; k++) EXPECT_AT(k, w[k], k >= 2 && k < 5 ? 1000 : 10 * k + 1);
  free(w), free(rows), free(pairs);
  return report();
}
