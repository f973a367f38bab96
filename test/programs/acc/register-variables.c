// Variables with the storage classes register and auto around and in a region, with and without clauses.
// arc: gcc-cannot it takes the address of a register variable in a data clause
#include "check.h"

#define FAST register

static int sum_of(register int n, int *squares, FAST int offset) {
  register int sum = 0, i;
#pragma acc parallel loop copyout(squares[0:n]) reduction(+:sum)
  for (i = 0; i < n; i++) {
    register int square = i * i;
    auto int shifted = square + offset;
    squares[i] = shifted;
    sum += shifted;
  }
  return sum;
}

int main(void) {
  enum { N = 21 };
  int squares[N];
  register int count = 0;
  EXPECT(sum_of(N, squares, 3), 2870 + 3 * N);
  for (register int i = 0; i < N; i++) EXPECT_AT(i, squares[i], i * i + 3);
#pragma acc data copyin(squares)
  {
    register int last = N - 1;
#pragma acc serial copy(count)
    count = squares[last];
  }
  EXPECT(count, 403);
  return report();
}
