// Acc_is_present for whole, part and more than what is on the device.
// arc: no-region
#include "check.h"
#include "separate.h"

int main(void) {
  static int a[100];
  if (!device_memory_is_separate())
    return 0;
  EXPECT(acc_is_present(a, sizeof a), 0);
#pragma acc enter data copyin(a[10:50])
  EXPECT(acc_is_present(a + 10, 50 * sizeof *a) != 0, 1);
  EXPECT(acc_is_present(a + 20, 10 * sizeof *a) != 0, 1);
  EXPECT(acc_is_present(a + 59, sizeof *a) != 0, 1);
  EXPECT(acc_is_present(a + 60, sizeof *a), 0);
  EXPECT(acc_is_present(a, sizeof a), 0);
  EXPECT(acc_is_present(a + 50, 20 * sizeof *a), 0);
#pragma acc exit data delete(a[10:50])
  EXPECT(acc_is_present(a + 20, sizeof *a), 0);
  return report();
}
