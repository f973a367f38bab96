#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 400 };
static float a[n], b[n], c[n];
int main(void) {
  for (int i = 0; i < n; i++) a[i] = i % 9;
#pragma acc data copyin(a) copyout(b, c)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++) b[i] = a[i] * 2;
#pragma acc parallel loop async(2)
    for (int i = 0; i < n; i++) c[i] = a[i] + 1;
#pragma acc wait(1) async(2)
#pragma acc parallel loop async(2)
    for (int i = 0; i < n; i++) c[i] += b[i];
#pragma acc wait
  }
  printf("%.1f %.1f\n", b[10], c[20]);
  return 0;
}
