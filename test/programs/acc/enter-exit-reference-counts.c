// Data entered twice leaves with the second exit; finalize makes it leave at once.
// arc: no-region
#include "check.h"
#include "separate.h"

int main(void) {
  int a[50] = {0}, b[50] = {0}, separate = device_memory_is_separate();

#pragma acc enter data copyin(a)
#pragma acc enter data copyin(a)
#pragma acc exit data delete(a)
  EXPECT(acc_is_present(a, sizeof a) != 0, 1);
#pragma acc exit data delete(a)
  if (separate)
    EXPECT(acc_is_present(a, sizeof a), 0);

#pragma acc enter data create(b)
#pragma acc enter data create(b[0:50])
#pragma acc exit data delete(b) finalize
  if (separate)
    EXPECT(acc_is_present(b, sizeof b), 0);
  return report();
}
