/* How often each byte comes, counted in an array of the region's own. */
#include <stdio.h>
#define N 20000
static unsigned char data[N];
static int counts[256];

static void count(void) {
#pragma acc serial copyin(data) copyout(counts)
  {
    int bins[256] = {0};
    for (int i = 0; i < N; i++) bins[data[i]]++;
    for (int b = 0; b < 256; b++) counts[b] = bins[b];
  }
}

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < N; i++) {
    state = state * 1103515245u + 12345u;
    data[i] = state >> (i % 5 ? 16 : 28);
  }
  count();
  for (int b = 0; b < 256; b++) printf("%d ", counts[b]);
}
