// Declarations between statements and between regions, several declarators, initialisers that use earlier ones.
// arc: items>1
#include "check.h"

int main(void) {
  int n = 100;
  n += 3;
  int a[103], *p = a, m = n / 2, k;
  k = m - 1;
#pragma acc parallel loop copyout(p[0:n])
  for (int i = 0; i < n; i++) {
    int u = i, v = u * 2;
    v += k;
    int w = u + v, *q = &w;
    *q += 1;
    p[i] = w;
  }
  int sum = 0, unused[1] = {0};
#pragma acc parallel loop reduction(+:sum) copyin(p[0:n])
  for (int i = 0; i < n; i++)
    sum += p[i];
  long twice = 2L * sum;

  EXPECT(unused[0], 0);
  EXPECT(twice, 2L * (3 * n * (n - 1) / 2 + n * (k + 1)));
  return report();
}
