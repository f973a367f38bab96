// Device functions write global variables that declare create put on the device.
// arc: items>1, gcc-offload-cannot update static variables of declare
#include "check.h"

#define N 401

static int log_of[N];
static long calls;
#pragma acc declare create(log_of, calls)

#pragma acc routine seq
static void note(int i, int x) {
  log_of[i] = x;
#pragma acc atomic update
  calls += 1;
}

#pragma acc routine seq
static void ilog2(int i) {
  int x = 0;
  for (int rest = i + 1; rest > 1; rest /= 2)
    x++;
  note(i, x);
}

int main(void) {
  calls = 1000;
#pragma acc update device(calls)
#pragma acc parallel loop
  for (int i = 0; i < N; i++)
    ilog2(i);
#pragma acc update self(calls, log_of)

  EXPECT(calls, 1000 + N);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, 1 << log_of[i] <= i + 1 && i + 1 < 2 << log_of[i], 1);
  return report();
}
