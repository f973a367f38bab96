// The program's own device memory is mapped to a host array: clauses then find it present.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 223

int main(void) {
  static int a[N];
  int separate = device_memory_is_separate();
  int *d = acc_malloc(sizeof a);
  for (int i = 0; i < N; i++)
    a[i] = i;
  acc_memcpy_to_device(d, a, sizeof a);

  /* Where memory is shared there is nothing to map: the region works on the array itself. */
  if (separate) {
    acc_map_data(a, d, sizeof a);
    EXPECT(acc_is_present(a, sizeof a) != 0, 1);
  }
#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; i++)
    a[i] = -a[i];
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], separate ? i : -i);
  if (separate) {
    acc_unmap_data(a);
    acc_memcpy_from_device(a, d, sizeof a);
  }

  acc_free(d);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], -i);
  return report();
}
