/* Regions that use more of an array than was mapped before: where the device shares the memory, nothing is missing. */
#include <stdio.h>
int main(void) {
  int a[100];
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma acc data copy(a[20 : 30])
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 100; i++)
    a[i]++;
#pragma acc data copy(a[50 : 50])
  {
#pragma acc parallel loop
    for (int i = 0; i < 100; i++)
      a[i]++;
#pragma acc update self(a)
  }
  printf("%d %d %d\n", a[0], a[25], a[99]);
  return 0;
}
