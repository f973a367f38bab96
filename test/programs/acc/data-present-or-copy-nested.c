// A copy clause on data that is already present copies nothing: only the outermost region moves it.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 211

int main(void) {
  int a[N], separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copy(a)
  {
    for (int i = 0; i < N; i++)
      a[i] = -1;
#pragma acc data copy(a)
    {
#pragma acc parallel loop copy(a)
      for (int i = 0; i < N; i++)
        a[i] += 5;
    }
    for (int i = 0; i < N; i++)
      EXPECT_AT(i, a[i], separate ? -1 : 4);
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], separate ? i + 5 : 4);
  return report();
}
