// Update moves only the named section, in both directions.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 311

int main(void) {
  static int a[N];
  int separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; i++)
    a[i] += 1000;
#pragma acc update self(a[40:100])
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], (i >= 40 && i < 140) || !separate ? i + 1000 : i);
  for (int i = 0; i < N; i++)
    a[i] = -i;
#pragma acc update device(a[100:150])
#pragma acc update host(a[0:N])
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], (i >= 100 && i < 250) || !separate ? -i : i + 1000);
#pragma acc exit data delete(a)
  return report();
}
