/* The regions of regions.ts for the host back end. */
#include "arc_host_kernel.h"
void add(const struct arc_host_grid *g, void *const *args) {
  int *p = args[0], value = *(const int *)args[1], count = *(const int *)args[2];
  for (int64_t i = 0; i < g->grid[0] * g->group[0]; i++)
    if (i < count) p[i] += value;
}
struct row {
  int factor;
  int *values;
  long sum;
};
void scale(const struct arc_host_grid *g, void *const *args) {
  struct row *rows = args[0];
  int length = *(const int *)args[1];
  for (int64_t i = 0; i < g->grid[0]; i++) {
    rows[i].sum = 0;
    for (int j = 0; j < length; j++) rows[i].sum += rows[i].values[j] *= rows[i].factor;
  }
}
