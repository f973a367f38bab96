// The runtime library attaches a pointer inside a struct on the device.
// arc: items>1
#include "check.h"
#include <openacc.h>

#define N 101

struct series {
  int n;
  int *values;
};

int main(void) {
  static int values[N];
  struct series s = {N, values};
  acc_copyin(&s, sizeof s);
  acc_copyin(values, sizeof values);
  acc_attach((void **)&s.values);
#pragma acc parallel loop present(s)
  for (int i = 0; i < s.n; i++)
    s.values[i] = 4 * i;
  acc_detach((void **)&s.values);
  acc_copyout(values, sizeof values);
  acc_delete(&s, sizeof s);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, values[i], 4 * i);
  return report();
}
