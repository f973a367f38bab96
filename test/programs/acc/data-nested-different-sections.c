// Regions inside a data region name smaller sections of data that is already present.
// arc: items>1
#include "check.h"

#define N 500

int main(void) {
  static int a[N];

#pragma acc data copy(a[0:N])
  {
#pragma acc parallel loop copy(a[100:50])
    for (int i = 100; i < 150; i++)
      a[i] = i;
#pragma acc parallel loop copyin(a[100:207])
    for (int i = 300; i < 307; i++)
      a[i] = a[i - 200] + 1;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i >= 100 && i < 150 ? i : i >= 300 && i < 307 ? i - 199 : 0);
  return report();
}
