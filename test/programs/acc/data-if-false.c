// A data construct whose if clause is false does nothing; the region inside moves its own data.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 157

static void run(int *a, int keep, int separate) {
#pragma acc data copy(a[0:N]) if(keep)
  {
#pragma acc parallel loop copy(a[0:N])
    for (int i = 0; i < N; i++)
      a[i] += 1;
    EXPECT(a[3], keep && separate ? 3 : 4);
  }
  EXPECT(a[3], 4);
}

int main(void) {
  int a[N], b[N], separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;
  run(a, 0, separate);
  run(b, 1, separate);
  return report();
}
