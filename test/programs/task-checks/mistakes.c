/* What ARC_CHECK=tasks finds: each line with a mistake says so. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static int counter;

#pragma omp task in([n]x) out([n]y)
void copy(int n, const int *x, int *y) {
  for (int i = 0; i < n; i++) y[i] = x[i] + 1;
}

/* Reads twice as much as it says. */
#pragma omp task in([n / 2]x) out(*sum)
void add(int n, const int *x, int *sum) {
  *sum = 0;
  for (int i = 0; i < n; i++) *sum += x[i];
}

/* Writes what it says it reads. */
#pragma omp task in(*x)
void scale(int *x) { *x *= 2; }

/* Uses a variable that no clause names. */
#pragma omp task inout(*own)
void count(int *own) { *own = ++counter; }

/* Right: one at a time, and memory of its own. */
#pragma omp task commutative(*total)
void gather(int n, int *total) {
  int own[4] = {n, n, n, n};
  int *heap = malloc(sizeof own);
  for (int i = 0; i < 4; i++) heap[i] = own[i];
  *total += heap[3];
  free(heap);
}

int main(void) {
  int *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  int sum, a, b, total = 0;
  for (int i = 0; i < N; i++) x[i] = i;
  copy(N, x, y);
  add(N, y, &sum);
  scale(&x[1]);
  count(&a);
  count(&b);
  for (int i = 0; i < 4; i++) gather(i, &total);
  /* Before the wait. */
  printf("%d\n", sum);
#pragma omp taskwait
  printf("%d %d %d\n", sum, total, a + b);
  return 0;
}
