// Ternaries in chains and as arguments, commas, short circuits that guard accesses, assignments in conditions.
// arc: items>1
#include "check.h"

#define N 151

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i * 13 % 29;

#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < N; i++) {
    int left, count = 0, t;
    left = i > 0 && a[i - 1] > 10 ? a[i - 1] : i == N - 1 || a[i + 1] < 5 ? -1 : 0;
    t = (count++, count += 2, count * 2);
    if ((t = a[i] - 14) > 0 && ++count)
      t = -t;
    while (t++ < 0)
      count++;
    b[i] = 100 * left + (count > 5 ? t > 0 ? 1 : 2 : 3);
  }

  for (int i = 0; i < N; i++) {
    int left = 0, count = 3, t = a[i] - 14;
    if (i > 0 && a[i - 1] > 10)
      left = a[i - 1];
    else if (i == N - 1 || a[i + 1] < 5)
      left = -1;
    if (t > 0) {
      count++;
      t = -t;
    }
    count += t < 0 ? -t : 0;
    t = t < 0 ? 1 : t + 1;
    EXPECT_AT(i, b[i], 100 * left + (count > 5 ? t > 0 ? 1 : 2 : 3));
  }
  return report();
}
