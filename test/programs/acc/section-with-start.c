// A region moves only a section in the middle of an array.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 1000

int main(void) {
  static int a[N];
  int from = 123, count = 457;
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copy(a[from:count])
  {
    for (int i = 0; i < N; i++)
      a[i] = -i;
#pragma acc parallel loop present(a[from:count])
    for (int i = from; i < from + count; i++)
      a[i] += 7;
  }

  int separate = device_memory_is_separate();
  for (int i = 0; i < N; i++) {
    int inside = i >= from && i < from + count;
    EXPECT_AT(i, a[i], !inside ? -i : separate ? i + 7 : -i + 7);
  }
  return report();
}
