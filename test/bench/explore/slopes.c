/* The steepness of a line of bytes: a small pipeline, whose whole space of variants can be built. */
#include <stdio.h>
#include <stdlib.h>

#define N 4096

static void slopes(const unsigned char *restrict in, unsigned char *restrict out) {
#pragma acc parallel loop copyin(in[0:N]) copyout(out[0:N])
#pragma openarc transform window(in, out)
  for (int i = 0; i < N; i++) {
    int slope = 0;
    if (i >= 2 && i < N - 2) {
      slope = abs(in[i + 1] - in[i - 1]) + (abs(in[i + 2] - in[i - 2]) >> 1);
      if (slope > 255)
        slope = 255;
    }
    out[i] = (unsigned char)slope;
  }
}

int main(void) {
  static unsigned char in[N], out[N];
  for (int i = 0; i < N; i++)
    in[i] = (unsigned char)(i * 37 % 251);
  slopes(in, out);
  long sum = 0;
  for (int i = 0; i < N; i++)
    sum = (sum * 31 + out[i]) % 1000003;
  printf("%ld\n", sum);
  return 0;
}
