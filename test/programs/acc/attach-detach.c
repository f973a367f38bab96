// Attach points a device copy of a pointer at data that is present; detach undoes it.
// arc: items>1
#include "check.h"

typedef struct {
  int *values;
  int n;
} View;

#define N 89

int main(void) {
  int first[N], second[N];
  View v = {first, N};
  for (int i = 0; i < N; i++) {
    first[i] = i;
    second[i] = 100 * i;
  }

#pragma acc enter data copyin(first, second, v)
#pragma acc enter data attach(v.values)
#pragma acc parallel loop present(v)
  for (int i = 0; i < v.n; i++)
    v.values[i] += 1;
#pragma acc exit data detach(v.values)

  v.values = second;
#pragma acc update device(v)
#pragma acc enter data attach(v.values)
#pragma acc parallel loop present(v)
  for (int i = 0; i < v.n; i++)
    v.values[i] += 2;
#pragma acc exit data detach(v.values)
#pragma acc exit data copyout(first, second) delete(v)

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, first[i], i + 1);
    EXPECT_AT(i, second[i], 100 * i + 2);
  }
  return report();
}
