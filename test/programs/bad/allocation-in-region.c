// A region calls a function of the C library that devices do not have.
// expect: 7:16 error[no-device-code]
#include <stdlib.h>
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    float *p = aligned_alloc(64, 64);
    a[i] = p != 0;
  }
}
