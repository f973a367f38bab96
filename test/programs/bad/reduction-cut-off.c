// A whole number adds up floating-point numbers: each addition cuts off, so the sum depends on the order; the largest does not.
// expect: 11:12 warning[reduction-narrowed]
// remedy: floating-point
#include <stdio.h>

int main(void) {
  double a[10] = {0.5, 1.5};
  int sum = 0, largest = 0;
#pragma acc parallel loop reduction(+ : sum) reduction(max : largest) copyin(a)
  for (int i = 0; i < 10; i++) {
    sum += a[i];
    largest = a[i] > largest ? a[i] : largest;
  }
  printf("%d %d\n", sum, largest);
  return 0;
}
