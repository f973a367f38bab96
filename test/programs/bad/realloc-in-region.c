// Devices do not know how large the memory was that realloc is given.
// expect: 11:9 error[no-device-code]
// remedy: allocate the new size with malloc, copy what is needed with memcpy
#include <stdlib.h>

int main(void) {
  int r = 0;
#pragma acc serial copy(r)
  {
    int *p = malloc(4);
    p = realloc(p, 8);
    p[1] = 3;
    r = p[1];
    free(p);
  }
  return r != 3;
}
