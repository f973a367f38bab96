// Variables that gangs reduce, which the region reads in front of the loop: they have the values of before there.
#include "check.h"

#define N 100

static int high = 5;
unsigned low = 1000;

int main(void) {
  int a[N], seen[N], sum = 3, want = 3;
  static long most = 9;
  for (int i = 0; i < N; i++)
    a[i] = i * 37 % N + 4;
#pragma acc parallel num_gangs(4) copyin(a) copyout(seen)
  {
    int before = sum + high + (int)most;
    if (low > 2)
      before++;
#pragma acc loop gang reduction(+ : sum) reduction(max : high, most) reduction(min : low)
    for (int i = 0; i < N; i++) {
      sum += a[i];
      high = high > a[i] ? high : a[i];
      most = most > a[i] ? most : a[i];
      if (a[i] < low)
        low = a[i];
      seen[i] = before;
    }
  }
  for (int i = 0; i < N; i++)
    want += a[i];
  EXPECT(sum, want);
  EXPECT(high, N + 3);
  EXPECT(most, N + 3);
  EXPECT(low, 4);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, seen[i], 3 + 5 + 9 + 1);
#pragma acc data copy(sum) copyin(a)
  {
#pragma acc parallel num_gangs(3) copyout(seen)
    {
      int before = sum;
#pragma acc loop gang vector reduction(+ : sum)
      for (int i = 0; i < N; i++) {
        sum += a[i];
        seen[i] = before;
      }
    }
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, seen[i], want);
  EXPECT(sum, want + want - 3);
  return report();
}
