/* The four sides of a cell, each with its own border: every branch multiplies, other elements each. */
#include <stdio.h>
#define N 4096
static short in[N], out[N];

static void flow(void) {
#pragma acc parallel loop copyin(in) copyout(out)
  for (int k = 0; k < N; k++) {
    int y;
    if (k < 64)
      y = in[k] * in[k + 1] + 3;
    else if (k >= N - 64)
      y = in[k] * in[k - 1] + 5;
    else if ((k & 63) == 0)
      y = in[k + 1] * in[k + 2] + 7;
    else
      y = in[k + 1] * in[k - 1] + 9;
    out[k] = (short)y;
  }
}

int main(void) {
  for (int k = 0; k < N; k++) in[k] = (short)(k * 31 % 181 - 90);
  flow();
  long sum = 0;
  for (int k = 0; k < N; k++) sum = (sum * 31 + out[k]) % 1000003;
  printf("%ld\n", sum);
}
