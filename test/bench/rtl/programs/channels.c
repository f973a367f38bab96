/* A line is smoothed, then its steps are cut: two loops, with an array in memory between them. */
#include <stdio.h>
#define N 4096
static short in[N], smooth[N], out[N];

static void steps(void) {
#pragma acc data copyin(in) copyout(out) create(smooth)
  {
#pragma acc serial loop present(in)
    for (int k = 0; k < N; k++) smooth[k] = (in[k] * 3 + (k & 15)) >> 2;
#pragma acc serial loop present(out)
    for (int k = 0; k < N; k++) out[k] = smooth[k] > 200 ? 200 - smooth[k] : smooth[k];
  }
}

int main(void) {
  for (int k = 0; k < N; k++) in[k] = (short)(k * 7919 % 1000 - 300);
  steps();
  long sum = 0;
  for (int k = 0; k < N; k++) sum = (sum * 31 + out[k]) % 1000003;
  printf("%ld\n", sum);
}
