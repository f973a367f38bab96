// Atomic capture compacts an array: the kept elements, in any order.
// arc: items>1
#include "check.h"

#define N 2003

int main(void) {
  static int a[N], kept[N];
  int count = 0;
  for (int i = 0; i < N; i++)
    a[i] = i * 7 % N;

#pragma acc parallel loop copyin(a) copy(kept, count)
  for (int i = 0; i < N; i++)
    if (a[i] % 3 == 1) {
      int slot;
#pragma acc atomic capture
      slot = count++;
      kept[slot] = a[i];
    }

  long sum = 0, want = 0;
  int wanted = 0;
  for (int i = 0; i < count; i++) {
    EXPECT_AT(i, kept[i] % 3, 1);
    sum += kept[i];
  }
  for (int i = 1; i < N; i += 3) {
    want += i;
    wanted++;
  }
  EXPECT(count, wanted);
  EXPECT(sum, want);
  return report();
}
