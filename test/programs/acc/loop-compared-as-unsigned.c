// Loops whose variable and bound have other signs and widths: the iterations are those that C's conversions give.
// arc: items>1, gcc-cannot take != with a variable step
#include "check.h"
#include <limits.h>
#include <stddef.h>

#define N 100

static int runs(int from, unsigned to) {
  int count = 0;
#pragma acc parallel loop reduction(+ : count)
  for (int i = from; i < to; i++)
    count++;
  return count;
}

static int runs_wide(int from, size_t to) {
  int count = 0;
#pragma acc parallel loop reduction(+ : count)
  for (int i = from; i < to; i++)
    count++;
  return count;
}

static int until(int from, unsigned to) {
  int count = 0;
#pragma acc parallel loop reduction(+ : count)
  for (int i = from; i != to; i++)
    count++;
  return count;
}

static int down(unsigned from, unsigned step) {
  int count = 0;
#pragma acc parallel loop reduction(+ : count)
  for (unsigned i = from; i > 2; i -= step)
    count++;
  return count;
}

static int far(long from, long to, long step) {
  int count = 0;
#pragma acc parallel loop reduction(+ : count)
  for (long i = from; i < to; i += step)
    count++;
  return count;
}

static int back_to_front(unsigned n, int *order) {
  int count = 0;
#pragma acc parallel loop reduction(+ : count) copyout(order[0 : n + 1])
  for (unsigned i = n; i != UINT_MAX; i--) {
    order[i] = (int)i;
    count++;
  }
  return count;
}

int main(void) {
  EXPECT(runs(-7, 5), 0);
  EXPECT(runs(3, N), 97);
  EXPECT(runs(-7, UINT_MAX - 1), 5);
  EXPECT(runs_wide(-7, 5), 0);
  EXPECT(runs_wide(-7, ULONG_MAX - 1), 5);
  EXPECT(until(-7, 5), 12);
  EXPECT(down(N, 3), 33);
  EXPECT(down(1, 3), 0);
  EXPECT(far(5, LONG_MIN, 1), 0);
  EXPECT(far(LONG_MIN, LONG_MAX / 2, LONG_MAX / 2), 4);
  EXPECT(far(0, LONG_MAX / 3 * 2, LONG_MAX / 3), 2);
  int order[N + 1];
  EXPECT(back_to_front(N, order), N + 1);
  for (int i = 0; i <= N; i++)
    EXPECT_AT(i, order[i], i);
  return report();
}
