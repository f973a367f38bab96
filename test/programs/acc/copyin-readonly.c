// The readonly modifier of copyin.
// arc: items>1, gcc-cannot no readonly modifier
#include "check.h"

#define N 227

int main(void) {
  float table[16], a[N];
  for (int i = 0; i < 16; i++)
    table[i] = i * i;

#pragma acc parallel loop copyin(readonly: table[0:16]) copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = table[i % 16];

  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], (i % 16) * (i % 16), 0);
  return report();
}
