// A loop without a level fills each gang's own array and stores to memory that they share: each gang gets all of it.
// arc: items>1
#include <stdio.h>

#define N 1003

int main(void) {
  static int a[N], b[N], c[N];
  for (int i = 0; i < N; i++) a[i] = i * 7 % 11;
  long sum = 0;
  for (int i = 0; i < N; i++) sum += a[i];
  int wrong = 0;
#pragma acc parallel num_gangs(7) copyin(a) copy(b, c)
  {
    int own[N];
    long s = 0;
#pragma acc loop reduction(+ : s)
    for (int i = 0; i < N; i++) {
      own[i] = a[i] + 1;
      s += a[i];
      b[i] = 2 * a[i];
    }
#pragma acc loop gang
    for (int i = 0; i < N; i++) c[i] = own[N - 1 - i] + (int)s;
  }
  for (int i = 0; i < N; i++) wrong += c[i] != a[N - 1 - i] + 1 + (int)sum || b[i] != 2 * a[i];
  if (wrong) printf("%d are wrong\n", wrong);
  return wrong != 0;
}
