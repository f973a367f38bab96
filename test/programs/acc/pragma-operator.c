// Directives written with _Pragma, also from a macro that makes whole regions.
// arc: items>1
#include "check.h"

#define N 157
#define DO_PRAGMA(text) _Pragma(#text)
#define PARALLEL_LOOP(clauses) DO_PRAGMA(acc parallel loop clauses)

#define DEFINE_FILL(name, type, expression)                                                                          \
  static void name(type *a, int n) {                                                                                 \
    DO_PRAGMA(acc parallel loop copyout(a [0:n]))                                                                    \
    for (int i = 0; i < n; i++)                                                                                      \
      a[i] = (expression);                                                                                           \
  }

DEFINE_FILL(fill_int, int, i * 3)
DEFINE_FILL(fill_double, double, i * 0.5)

int main(void) {
  int a[N], sum = 0;
  double b[N];
  fill_int(a, N);
  fill_double(b, N);

  _Pragma("acc parallel loop reduction(+:sum) copyin(a)")
  for (int i = 0; i < N; i++)
    sum += a[i];
  PARALLEL_LOOP(copy(b) num_gangs(2))
  for (int i = 0; i < N; i++)
    b[i] += 1;

  EXPECT(sum, 3 * N * (N - 1) / 2);
  for (int i = 0; i < N; i++)
    NEAR_AT(i, b[i], i * 0.5 + 1, 0);
  return report();
}
