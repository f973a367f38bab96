// The transfers of the runtime library that run on a queue.
// arc: items>1, async
#include "check.h"
#include <openacc.h>

#define N 1009

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

  acc_copyin_async(a, sizeof a, 1);
  acc_create_async(b, sizeof b, 1);
#pragma acc parallel loop present(a, b) async(1)
  for (int i = 0; i < N; i++)
    b[i] = a[i] * 2;
  acc_update_self_async(b, sizeof b, 1);
  acc_wait(1);
  EXPECT(b[N - 1], 2 * (N - 1));
  for (int i = 0; i < N; i++)
    a[i] = 7;
  acc_update_device_async(a, sizeof a, 2);
#pragma acc parallel loop present(a, b) async(2)
  for (int i = 0; i < N; i++)
    b[i] += a[i];
  acc_delete_async(a, sizeof a, 2);
  acc_copyout_async(b, sizeof b, 2);
  acc_wait(2);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, b[i], 2 * i + 7);
  return report();
}
