// A pointer in a region may lead to a function that is not for devices, beside one of its type that is.
// expect: 14:7 warning[unmarked-function]
// remedy: mark them as well
#include <stdio.h>

#pragma acc routine seq
static int next(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }

int main(int argc, char **argv) {
  int (*f)(int) = argc > 1 ? twice : next;
  int r = 0;
#pragma acc serial copy(r)
  r = f(10);
  printf("%d\n", r);
  return 0;
}
