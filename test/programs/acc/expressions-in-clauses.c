// Clause arguments are any expressions: enumerators, sizeof, ternaries, calls, array elements, members.
// arc: items>1
#include "check.h"

enum { LANES = 32, COUNT = 3 * 61 };

static int halved(int x) { return x / 2; }

int main(void) {
  struct {
    int gangs;
    int lengths[2];
  } plan = {8, {COUNT, 7}};
  int a[COUNT], yes = 1;
  int *p = a;

#pragma acc parallel loop num_gangs(halved(plan.gangs)) vector_length(LANES << 0) \
    if(yes && sizeof(int) == 4 ? plan.lengths[0] > 0 : 0) copyout(p[0:plan.lengths[0]])
  for (int i = 0; i < COUNT; i++)
    p[i] = i;
#pragma acc parallel loop copy(p[(1 + 1) * 3 : sizeof a / sizeof a[0] - 6])
  for (int i = 6; i < COUNT; i++)
    p[i] += (int)sizeof(long);

  for (int i = 0; i < COUNT; i++)
    EXPECT_AT(i, a[i], i < 6 ? i : i + (int)sizeof(long));
  return report();
}
