// Loops that combine a variable by the operator of the construct's reduction, and have no such clause of their own.
#include "check.h"

#define N 1000

int main(void) {
  int a[N], gang = 0, open = 0, nested = 0, odd = 1, most = 0, several = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc parallel copyin(a) reduction(+:gang) num_gangs(3)
  {
#pragma acc loop gang
    for (int i = 0; i < N; i++)
      gang += a[i];
  }
  EXPECT(gang, N * (N - 1) / 2);
#pragma acc parallel copyin(a) reduction(+:open)
  {
#pragma acc loop
    for (int i = 0; i < N; i++)
      open += a[i];
  }
  EXPECT(open, N * (N - 1) / 2);
#pragma acc parallel copyin(a) reduction(+:nested)
  {
#pragma acc loop gang
    for (int i = 0; i < N; i++) {
      nested += a[i];
      for (int k = 0; k < 3; k++)
        nested += k;
    }
  }
  EXPECT(nested, N * (N - 1) / 2 + 3 * N);
#pragma acc parallel copyin(a) reduction(+:odd) reduction(max:most)
  {
#pragma acc loop gang vector
    for (int i = 0; i < N; i++) {
      if (a[i] % 2)
        odd++;
      if (a[i] > most)
        most = a[i];
    }
  }
  EXPECT(odd, 1 + N / 2);
  EXPECT(most, N - 1);
#pragma acc parallel copyin(a) reduction(+:several) num_gangs(4)
  {
#pragma acc loop gang
    for (int i = 0; i < N / 10; i++)
#pragma acc loop vector
      for (int j = 0; j < 10; j++)
        several += a[i * 10 + j];
#pragma acc loop gang
    for (int i = 0; i < N / 10; i++) {
      int row = 0;
#pragma acc loop vector reduction(+:row)
      for (int j = 0; j < 10; j++)
        row += a[i * 10 + j];
      several -= row;
    }
  }
  EXPECT(several, 0);
  return report();
}
