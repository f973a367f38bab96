// The if clause decides at run time whether a region runs on the device or on the host.
#include "check.h"

#define N 101

static void fill(int *a, int n, int on_device) {
#pragma acc parallel loop if(on_device) copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i * i;
}

int main(void) {
  int here[N] = {0}, there[N] = {0};
  fill(here, N, 0);
  fill(there, N, 1);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, here[i], i * i);
    EXPECT_AT(i, there[i], i * i);
  }
  return report();
}
