// Gangs make partial sums in an array of their own; a serial region adds them up on the device.
// arc: items>1
#include "check.h"

#define N 9001
#define BLOCKS 13

int main(void) {
  static int a[N];
  long partial[BLOCKS], total = -1;
  for (int i = 0; i < N; i++)
    a[i] = i % 23;

#pragma acc data copyin(a) create(partial)
  {
#pragma acc parallel loop gang
    for (int b = 0; b < BLOCKS; b++) {
      long sum = 0;
      int from = b * ((N + BLOCKS - 1) / BLOCKS), to = from + (N + BLOCKS - 1) / BLOCKS;
#pragma acc loop vector reduction(+:sum)
      for (int i = from; i < (to < N ? to : N); i++)
        sum += a[i];
      partial[b] = sum;
    }
#pragma acc serial copyout(total)
    {
      total = 0;
      for (int b = 0; b < BLOCKS; b++)
        total += partial[b];
    }
  }

  long want = 0;
  for (int i = 0; i < N; i++)
    want += a[i];
  EXPECT(total, want);
  return report();
}
