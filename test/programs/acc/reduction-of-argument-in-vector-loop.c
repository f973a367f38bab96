// A vector loop reduces into a variable that came from the host, by value, by reference, and step by step.
#include "check.h"

#define STEPS 7
#define N 301

int main(void) {
  static int a[N];
  int by_value = 4, by_reference = 5, in_order = 6, seen = 0, wanted = 6;
  for (int i = 0; i < N; i++)
    a[i] = i % 13 - 4;
  int sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i];
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < N; i++)
      wanted ^= a[i] + t;
    wanted %= 1000;
  }

#pragma acc parallel num_gangs(1) vector_length(64) copyin(a) copy(by_reference) copyout(seen)
  {
#pragma acc loop vector reduction(+ : by_value)
    for (int i = 0; i < N; i++)
      by_value += a[i];
#pragma acc loop worker reduction(+ : by_reference)
    for (int k = 0; k < 3; k++)
#pragma acc loop vector reduction(+ : by_reference)
      for (int i = 0; i < N; i++)
        by_reference += a[i];
    seen = by_value;
  }
#pragma acc kernels copyin(a)
  for (int t = 0; t < STEPS; t++) {
#pragma acc loop independent reduction(^ : in_order)
    for (int i = 0; i < N; i++)
      in_order ^= a[i] + t;
    in_order %= 1000;
  }

  EXPECT(seen, 4 + sum);
  EXPECT(by_reference, 5 + 3 * sum);
  EXPECT(in_order, wanted);
  return report();
}
