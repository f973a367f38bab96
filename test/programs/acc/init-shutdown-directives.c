// The executable directives init and shutdown.
// arc: items>1, gcc-cannot no init directive
#include "check.h"

#define N 71

int main(void) {
  int a[N], device = 0;
#pragma acc init
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc shutdown
#pragma acc init device_num(device) if(device == 0)
#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; i++)
    a[i] += 1;
#pragma acc shutdown device_num(0)

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 1);
  return report();
}
