// Wait clauses on update, enter data and exit data.
// arc: items>1, async
#include "check.h"

#define N 911

int main(void) {
  static int a[N], b[N];

#pragma acc enter data copyin(a) async(1)
#pragma acc enter data create(b) wait(1) async(2)
#pragma acc parallel loop present(a, b) async(2)
  for (int i = 0; i < N; i++) {
    a[i] = i;
    b[i] = a[i] + 1;
  }
#pragma acc update self(a) wait(2)
  EXPECT(a[N - 1], N - 1);
#pragma acc parallel loop present(b) async(4)
  for (int i = 0; i < N; i++)
    b[i] *= 3;
#pragma acc exit data copyout(b) delete(a) wait(4)

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, b[i], 3 * (i + 1));
  return report();
}
