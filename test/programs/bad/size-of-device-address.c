// Inside host_data an array is an address of the device, and the size of one of variable size is not known.
// expect: 9:16 error[size-of-address]
// remedy: in front of
#include <string.h>
int main(void) {
  int n = 8, a[n], b[8];
#pragma acc data copyin(a)
#pragma acc host_data use_device(a)
  memset(b, 1, sizeof a);
  return b[0];
}
