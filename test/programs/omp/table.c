/* Device code of its own file: declared in table.h. */
#include "table.h"

int table[5] = {0, 1, 4, 9, 16};

int lookup(int i) { return table[i % 5]; }
#pragma omp declare target to(lookup, table)

/* Of the device by its declaration. */
int count_lookups(int *counts, int i) {
#pragma omp atomic
  counts[i % 5]++;
  return lookup(i);
}
