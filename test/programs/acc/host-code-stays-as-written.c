// Around the regions the file holds what compilers trip over: nested functions' look-alikes, odd macros, K&R, gotos.
// arc: items>1
#include "check.h"
#include <stdarg.h>
#include <string.h>

#define N 83
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define BEGIN {
#define END }

static int old_style(a, b)
int a, b;
{ return a - b; }

static int sum_of(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  FOR(i, count) sum += va_arg(list, int);
  va_end(list);
  return sum;
}

static int retry(int *a) {
  int tries = 0;
again:
#pragma acc parallel loop copy(a[0:N])
  FOR(i, N) a[i]++;
  if (++tries < 3)
    goto again;
  return tries;
}

int main(void) {
  int a[N];
  char text[] = "#pragma acc parallel \"not a directive\" // nor a comment";
  memset(a, 0, sizeof a);
  EXPECT(retry(a), 3);
  if (old_style(5, 3) == 2) BEGIN
#pragma acc parallel loop copy(a)
    FOR(i, N) a[i] += sizeof text > 5 ? 10 : 0;
  END
  FOR(i, N) EXPECT_AT(i, a[i], 13);
  EXPECT(sum_of(3, 1, 2, 3), 6);
  return report();
}
