// Directives broken over lines, with odd spaces, tabs and comments, with and without commas between clauses.
// arc: items>1
#include "check.h"

#define N 109

int main(void) {
  int a[N], b[N], c[N];

#pragma acc parallel \
  loop copyout(a, \
               b) \
  copyout(c) /* all of c */ num_gangs(3)
  for (int i = 0; i < N; i++) {
    a[i] = i;
    b[i] = 2 * i;
    c[i] = 3 * i;
  }
  #  pragma	acc   parallel	loop  copy( a ),copy(b [ 0 : N ] ) // the rest is implicit
  for (int i = 0; i < N; i++) {
    a[i] += c[i];
    b[i] -= c[i];
  }
#pragma /**/ acc parallel/**/loop copyin(a)copyin(b)copyout(c)
  for (int i = 0; i < N; i++)
    c[i] = a[i] + b[i];

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 4 * i);
    EXPECT_AT(i, b[i], -i);
    EXPECT_AT(i, c[i], 3 * i);
  }
  return report();
}
