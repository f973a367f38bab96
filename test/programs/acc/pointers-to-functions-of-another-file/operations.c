#include "operations.h"

int triple(int a) { return 3 * a; }
int quadruple(int a) { return 4 * a; }
int through(operation by, int a) { return by(a) + 100; }

operation chosen(int k) { return k ? triple : quadruple; }

void all(operation by, int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = by(a[i]);
}
