// Calls through pointers to functions of another file: the file that calls has their prototypes, for devices.
#include <stdio.h>

#include "operations.h"

enum { N = 14 };

static int one_less(int a) { return a - 1; }

/* Nothing here takes the address of a function of the other file. */
static int called_here(void) {
  operation by[2] = {chosen(0), chosen(1)};
  int a[N], wrong = 0;
#pragma acc parallel loop copyin(by) copyout(a)
  for (int i = 0; i < N; i++) a[i] = by[i % 2](i);
  for (int i = 0; i < N; i++) wrong += a[i] != (i % 2 ? 3 * i : 4 * i);
  return wrong;
}

/* The other file calls through the pointer, and has a region of its own that does. */
static int called_there(void) {
  operation by = chosen(1);
  int a[N], wrong = 0;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) a[i] = through(by, i);
  for (int i = 0; i < N; i++) wrong += a[i] != 3 * i + 100;
  all(chosen(0), N, a);
  for (int i = 0; i < N; i++) wrong += a[i] != 4 * (3 * i + 100);
  return wrong;
}

/* A function of this file is among those that the pointer may lead to, without a directive. */
static int of_both_files(int last) {
  operation by = last ? chosen(1) : one_less;
  int a[N], wrong = 0;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) a[i] = by(i);
  for (int i = 0; i < N; i++) wrong += a[i] != (last ? 3 * i : i - 1);
  return wrong;
}

int main(void) {
  int wrong[] = {called_here(), called_there(), of_both_files(1), of_both_files(0)};
  for (int i = 0; i < 4; i++)
    if (wrong[i]) printf("part %d: %d wrong\n", i, wrong[i]);
  return wrong[0] + wrong[1] + wrong[2] + wrong[3] != 0;
}
