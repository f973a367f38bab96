// Object-like and function-like macros in directives are expanded.
// arc: items>1
#include "check.h"

#define N 211
#define GANGS 4
#define SECTION(p, n) p[0:n]
#define BOTH(a, b) a, b
#define LANES (16 * 2)

int main(void) {
  int a[N], b[N], sum = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc parallel loop num_gangs(GANGS) vector_length(LANES) copyin(SECTION(a, N)) copyout(SECTION(b, N))
  for (int i = 0; i < N; i++)
    b[i] = a[i] + GANGS;
#pragma acc parallel loop copyin(BOTH(a, b)) reduction(+:sum)
  for (int i = 0; i < N; i++)
    sum += b[i] - a[i];

  EXPECT(sum, N * GANGS);
  return report();
}
