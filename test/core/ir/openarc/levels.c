// Loops of one level inside each other, and barriers among the lanes of a gang: 0 wrong values.
#include <stdio.h>
#define N 37
#define M 21
static int a[N][M], hits[N][M], sums[N];
int main(void) {
#pragma acc parallel copy(a) copy(hits)
  {
#pragma acc loop gang
    for (int i = 0; i < N; i++) {
#pragma acc loop gang
      for (int j = 0; j < M; j++) {
        a[i][j] = 100 * i + j;
        hits[i][j]++;
      }
    }
  }
#pragma acc parallel loop gang copy(a, hits)
  for (int i = 0; i < N; i++) {
    int base = i;
#pragma acc loop worker
    for (int j = 0; j < 3; j++)
#pragma acc loop worker
      for (int k = 0; k < 7; k++) { a[i][j * 7 + k] += base; hits[i][j*7+k]++; }
  }
#pragma acc parallel loop gang copy(sums)
  for (int i = 0; i < N; i++) {
    int part[32];
#pragma acc loop vector
    for (int v = 0; v < 32; v++) {
      part[v] = v * i;
#pragma acc barrier
      for (int s = 16; s > 0; s /= 2) {
        if (v < s) part[v] += part[v + s];
#pragma acc barrier
      }
      if (v == 0) sums[i] = part[0];
    }
  }
  int bad = 0;
  for (int i = 0; i < N; i++) {
    if (sums[i] != 496 * i) bad++;
    for (int j = 0; j < M; j++) if (a[i][j] != 101 * i + j || hits[i][j] != 2) bad++;
  }
  printf("%d\n", bad);
}
