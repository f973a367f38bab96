#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 500, bins = 16 };
static unsigned keys[n], sorted[n];
static int hist[bins], first[bins];
int main(void) {
  for (int i = 0; i < n; i++) keys[i] = (unsigned)i * 2654435761u >> 24;
#pragma acc parallel loop copyin(keys) copy(hist)
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    hist[keys[i] & 15]++;
  }
  for (int b = 1; b < bins; b++) first[b] = first[b - 1] + hist[b - 1];
#pragma acc parallel loop copyin(keys, first) copyout(sorted)
  for (int b = 0; b < bins; b++) {
    int at = first[b];
    for (int i = 0; i < n; i++)
      if ((keys[i] & 15) == b) sorted[at++] = keys[i];
  }
  printf("%u %u %u\n", sorted[0], sorted[250], sorted[n - 1]);
  return 0;
}
