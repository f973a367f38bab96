#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 50, m = 400 };
static int from[m], to[m], in[n], out[n];
int main(void) {
  for (int e = 0; e < m; e++) {
    from[e] = e * 7 % n;
    to[e] = e * 13 % n;
  }
#pragma acc parallel loop copyin(from, to) copy(in, out)
  for (int e = 0; e < m; e++) {
#pragma acc atomic update
    out[from[e]]++;
#pragma acc atomic update
    in[to[e]]++;
  }
  int s = 0;
  for (int i = 0; i < n; i++) s += in[i] * i - out[i];
  printf("%d\n", s);
  return 0;
}
