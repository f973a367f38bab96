/* A FIR filter whose taps shift through a local array. */
#define TAPS 16
static const short taps[TAPS] = {1, -4, 9, -12, 25, 40, 61, 77, 77, 61, 40, 25, -12, 9, -4, 1};
void work(const short *x, int *y) {
#pragma acc serial copyin(x[0:100]) copyout(y[0:100])
  {
    short line[TAPS] = {0};
    for (int n = 0; n < 100; n++) {
      for (int k = TAPS - 1; k > 0; k--) line[k] = line[k - 1];
      line[0] = x[n];
      int sum = 0;
      for (int k = 0; k < TAPS; k++) sum += taps[k] * line[k];
      y[n] = sum >> 5;
    }
  }
}
