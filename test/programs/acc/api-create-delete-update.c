// Acc_create, acc_update_device, acc_update_self and acc_delete.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 151

int main(void) {
  int a[N], separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    a[i] = i;

  acc_create(a, sizeof a);
  acc_update_device(a, sizeof a);
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; i++)
    a[i] += 100;
  acc_update_self(a + 50, 20 * sizeof *a);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], !separate || (i >= 50 && i < 70) ? i + 100 : i);
  acc_update_self(a, sizeof a);
  EXPECT(a[N - 1], N + 99);
  acc_delete(a, sizeof a);
  if (separate)
    EXPECT(acc_is_present(a, sizeof a), 0);
  return report();
}
