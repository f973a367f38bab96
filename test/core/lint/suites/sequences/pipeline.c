#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 256, block = 64 };
static int a[n], b[n];
int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;
#pragma acc data create(a, b)
  {
    for (int k = 0; k < n; k += block) {
#pragma acc update device(a[k:block]) async(1)
#pragma acc parallel loop async(1)
      for (int i = k; i < k + block; i++) b[i] = 3 * a[i] + 1;
#pragma acc update self(b[k:block]) async(1)
    }
#pragma acc wait(1)
  }
  int s = 0;
  for (int i = 0; i < n; i++) s += b[i] * (i % 3);
  printf("%d\n", s);
  return 0;
}
