// A pointer in a present clause, with no section, whose memory no region mapped stops the program with a message.
// arc: aborts not present
#include <stdlib.h>

int main(void) {
  int n = 37, *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma acc parallel loop present(a)
  for (int i = 0; i < n; i++)
    a[i] *= 2;
  int last = a[n - 1];
  free(a);
  return last != 2 * (n - 1);
}
