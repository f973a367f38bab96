#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 1000 };
static unsigned char in[n], out[n], map[256];
static int hist[256];
int main(void) {
  for (int i = 0; i < n; i++) in[i] = (i * i + 3 * i) % 200;
#pragma acc data copyin(in) copyout(out)
  {
#pragma acc parallel loop copy(hist)
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
      hist[in[i]] += 1;
    }
    int sum = 0;
    for (int b = 0; b < 256; b++) {
      sum += hist[b];
      map[b] = sum * 255 / n;
    }
#pragma acc parallel loop copyin(map)
    for (int i = 0; i < n; i++) out[i] = map[in[i]];
  }
  printf("%d %d\n", out[5], out[999]);
  return 0;
}
