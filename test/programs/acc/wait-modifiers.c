// The queues and devnum modifiers and the if clause of wait.
// arc: items>1, async, gcc-cannot no modifiers in wait
#include "check.h"

#define N 607

int main(void) {
  static int a[N], b[N];
  int no = 0;

#pragma acc data copyout(a, b)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma acc parallel loop async(2) wait(queues: 1)
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
#pragma acc wait(1) if(no)
#pragma acc wait(devnum: 0 : queues: 1, 2) if(!no)
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i);
    EXPECT_AT(i, b[i], 2 * i);
  }
  return report();
}
