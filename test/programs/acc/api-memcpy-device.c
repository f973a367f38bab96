// Copies between two places in device memory.
// arc: no-region, directives-needed, gcc-cannot no acc_memcpy_device
#include "check.h"
#include <openacc.h>

#define N 127

int main(void) {
  int a[N], b[N] = {0};
  for (int i = 0; i < N; i++)
    a[i] = i + 7;
  void *from = acc_malloc(sizeof a), *to = acc_malloc(sizeof a);
  acc_memcpy_to_device(from, a, sizeof a);
  acc_memcpy_device(to, from, sizeof a);
  acc_memcpy_from_device(b, to, sizeof b);
  acc_free(from);
  acc_free(to);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, b[i], i + 7);
  return report();
}
