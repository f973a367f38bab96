// malloc, calloc, free and assert in regions: the argument says whether the assertion holds.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int value, int most) { assert(value < most && "small"); }

int main(int argc, char **argv) {
  int a[8], most = atoi(argv[argc - 1]);
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 8; i++) {
    int *own = malloc(4 * sizeof *own);
    for (int k = 0; k < 4; k++) own[k] = i + k;
    int *counts = calloc(2, sizeof *counts);
    counts[1]++;
    a[i] = own[0] + own[3] + counts[0] + counts[1] - 1;
    free(own), free(counts);
    check(a[i], most);
  }
  for (int i = 0; i < 8; i++) printf("%d ", a[i]);
}
