// Memory behind a pointer is private to each gang, or to each lane: its size is computed when the region starts.
// arc: items>1, gcc-cannot private of sections
#include <stdio.h>
#include <stdlib.h>

enum { N = 30 };

int main(void) {
  int n = 7, first = 2, out[N], each[N], wrong = 0;
  int *w = malloc(n * sizeof *w);
#pragma acc parallel loop gang private(w[0:n]) copyout(out) num_gangs(4)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector
    for (int k = 0; k < n; k++) w[k] = k * i + 3;
    int s = 0;
#pragma acc loop vector reduction(+ : s)
    for (int k = 0; k < n; k++) s += w[n - 1 - k];
    out[i] = s;
  }
#pragma acc parallel loop gang vector private(w[first:n - 2]) copyout(each)
  for (int i = 0; i < N; i++) {
    for (int k = first; k < n; k++) w[k] = k + i;
    each[i] = w[first] * w[n - 1];
  }
  for (int i = 0; i < N; i++) wrong += out[i] != 21 * i + 21 || each[i] != (2 + i) * (6 + i);
  free(w);
  if (wrong) printf("%d are wrong\n", wrong);
  return wrong != 0;
}
