// Several reductions of different operators and types on one loop.
// arc: items>1
#include "check.h"

#define N 1511

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = (i * 7919) % 1511;
  long total = -9;
  double squares = 0;
  int most = -1, least = 99999;
  unsigned bits = 0;

#pragma acc parallel loop reduction(+:total, squares) reduction(max:most) reduction(min:least) reduction(^:bits) \
    copyin(a)
  for (int i = 0; i < N; i++) {
    total += a[i];
    squares += (double)a[i] * a[i];
    if (a[i] > most)
      most = a[i];
    if (a[i] < least)
      least = a[i];
    bits ^= (unsigned)a[i] << (i % 8);
  }

  long want_total = -9;
  double want_squares = 0;
  int want_most = -1, want_least = 99999;
  unsigned want_bits = 0;
  for (int i = 0; i < N; i++) {
    want_total += a[i];
    want_squares += (double)a[i] * a[i];
    want_most = a[i] > want_most ? a[i] : want_most;
    want_least = a[i] < want_least ? a[i] : want_least;
    want_bits ^= (unsigned)a[i] << (i % 8);
  }
  EXPECT(total, want_total);
  NEAR(squares, want_squares, 1e-12);
  EXPECT(most, want_most);
  EXPECT(least, want_least);
  EXPECT(bits, want_bits);
  return report();
}
