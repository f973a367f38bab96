// A device function is defined in another translation unit, with a global variable of its own.
// arc: items>1, gcc-offload-cannot update static variables of declare
#include "../check.h"
#include "table.h"

#define N 219

int main(void) {
  static int a[N];
  set_table(4);

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = look_up(i) + table_size;

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i % 16 * 4 + 16);
  return report();
}
