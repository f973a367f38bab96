/* A line is smoothed, then its steps are found: two loops, with an array in memory between them or a channel. */
#include <stdio.h>
#define N 4096
static short in[N], smooth[N], out[N];

static void steps(void) {
#ifdef CHANNEL
#pragma acc data copyin(in) copyout(out) pipe(smooth)
#else
#pragma acc data copyin(in) copyout(out) create(smooth)
#endif
  {
#ifdef CHANNEL
#pragma acc serial loop pipeout(smooth)
#else
#pragma acc serial loop
#endif
    for (int k = 0; k < N; k++) smooth[k] = (in[k] * 3 + (k & 15)) >> 2;
#ifdef CHANNEL
#pragma acc serial loop pipein(smooth)
#else
#pragma acc serial loop
#endif
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
