/* A sum and a dot product. TYPE is the elements' and the sums' type, DOT chooses the product. */
#include <stdio.h>
#ifndef TYPE
#define TYPE float
#endif
#define N 4096
static TYPE a[N], b[N];

static TYPE total(void) {
  TYPE sum = 0;
#ifdef DOT
#pragma acc parallel loop reduction(+:sum) copyin(a, b)
  for (int i = 0; i < N; i++) sum += a[i] * b[i];
#else
#pragma acc parallel loop reduction(+:sum) copyin(a)
  for (int i = 0; i < N; i++) sum += a[i];
#endif
  return sum;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = (TYPE)(i * 37 % 101) / 4;
    b[i] = (TYPE)(i * 53 % 97) / 8;
  }
  printf("%.7g\n", (double)total());
}
