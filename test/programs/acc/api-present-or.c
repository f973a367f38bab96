// Acc_copyin and acc_create on data that is present count a further reference and copy nothing.
// arc: no-region
#include "check.h"
#include "separate.h"

#define N 31

int main(void) {
  int a[N], separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    a[i] = 1;
  void *first = acc_copyin(a, sizeof a);
  for (int i = 0; i < N; i++)
    a[i] = 2;
  EXPECT(acc_present_or_copyin(a, sizeof a) == first, 1);
  EXPECT(acc_create(a, sizeof a) == first, 1);
  acc_update_self(a, sizeof a);
  EXPECT(a[3], separate ? 1 : 2);
  acc_delete(a, sizeof a);
  acc_delete(a, sizeof a);
  EXPECT(acc_is_present(a, sizeof a) != 0, 1);
  acc_delete(a, sizeof a);
  if (separate)
    EXPECT(acc_is_present(a, sizeof a), 0);

  acc_copyin(a, sizeof a);
  acc_copyin(a, sizeof a);
  acc_copyout_finalize(a, sizeof a);
  if (separate)
    EXPECT(acc_is_present(a, sizeof a), 0);
  return report();
}
