// Structured and dynamic references to the same data are counted apart.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 73

int main(void) {
  int a[N], separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copy(a)
  {
#pragma acc enter data create(a)
#pragma acc parallel loop present(a)
    for (int i = 0; i < N; i++)
      a[i] += 1;
  }
  /* The dynamic reference keeps it there, so the data region's end copied nothing out. */
  EXPECT(acc_is_present(a, sizeof a) != 0, 1);
#pragma acc exit data copyout(a)
  if (separate)
    EXPECT(acc_is_present(a, sizeof a), 0);

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 1);
  return report();
}
