// Device memory by hand: acc_malloc, copies in all directions, acc_free.
// arc: no-region
#include "check.h"
#include <openacc.h>

#define N 331

int main(void) {
  int a[N], b[N] = {0};
  for (int i = 0; i < N; i++)
    a[i] = i * 3;

  char *d = acc_malloc(sizeof a), *e = acc_malloc(sizeof a);
  EXPECT(d != 0 && e != 0, 1);
  acc_memcpy_to_device(d, a, sizeof a);
  acc_memcpy_from_device(b, d, 100 * sizeof *a);
  acc_memcpy_from_device(b + 100, d + 100 * sizeof *a, (N - 100) * sizeof *a);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, b[i], 3 * i);
  acc_free(d);
  acc_free(e);
  return report();
}
