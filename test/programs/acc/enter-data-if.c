// If clauses on enter data, update and exit data.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 61

int main(void) {
  int a[N] = {0}, b[N] = {0}, yes = 1, no = 0, separate = device_memory_is_separate();

#pragma acc enter data copyin(a) if(yes)
#pragma acc enter data copyin(b) if(no)
  if (separate) {
    EXPECT(acc_is_present(a, sizeof a) != 0, 1);
    EXPECT(acc_is_present(b, sizeof b), 0);
  }
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; i++)
    a[i] = i + 1;
#pragma acc update self(a) if(no)
  if (separate)
    EXPECT(a[9], 0);
#pragma acc update self(a) if(yes)
  EXPECT(a[9], 10);
#pragma acc exit data delete(a) if(no)
  EXPECT(acc_is_present(a, sizeof a) != 0, 1);
#pragma acc exit data delete(a) if(yes)
  if (separate)
    EXPECT(acc_is_present(a, sizeof a), 0);
  return report();
}
