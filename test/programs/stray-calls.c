// Calls through pointers that lead to functions which are not for devices, by the number of arguments.
#include <stdio.h>
#pragma acc routine seq
static int next(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int apply(int (*f)(int), int x) { return f(x) + 1; }
#pragma acc routine seq
static void put(int *p) { *p += 1; }
static void put2(int *p) { *p += 2; }

int main(int argc, char **argv) {
  int (*f)(int) = argc == 2 ? twice : next;
  int (*h)(int) = argc == 4 ? twice : next;
  void (*g)(int *) = argc == 3 ? put2 : put;
  int r[100];
  for (int i = 0; i < 100; i++) r[i] = i;
#pragma acc parallel loop copy(r)
  for (int i = 0; i < 100; i++) {
    if (i % 10 == 3)
      r[i] = apply(f, r[i]);
    g(&r[i]);
  }
#pragma acc data copy(r)
  {
#pragma acc parallel loop async(1) present(r)
    for (int i = 0; i < 100; i++)
      if (i == 50)
        r[i] = apply(h, r[i]);
#pragma acc wait
  }
  printf("%d %d %d\n", r[3], r[4], r[50]);
  return 0;
}
