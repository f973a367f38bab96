/* Every call of a function with a directive is a task: its clauses are evaluated with the call's arguments. */
#include <stdio.h>

enum { N = 1024, BLOCK = 128 };

#pragma omp target device(smp) copy_deps
#pragma omp task in([n]x) inout([n]y)
void saxpy(int n, float a, float *x, float *y);

/* Directives in the other order, on a definition that calls itself. */
#pragma omp task out([1]result) label(fib)
#pragma omp target device(smp)
static void fib(int n, long *result) {
  if (n < 2) {
    *result = n;
    return;
  }
  long a, b;
  fib(n - 1, &a), fib(n - 2, &b);
#pragma omp taskwait
  *result = a + b;
}

struct window {
  int size[2];
};

#pragma oss task inout([jc.size[0] / 4]out)
void shift(struct window jc, int out[]);

void saxpy(int n, float a, float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void shift(struct window jc, int out[]) {
  for (int i = 0; i < jc.size[0] / 4; i++) out[i] = out[i] * 3 + jc.size[1];
}

int main(void) {
  static float x[N], y[N];
  float a = 1;
  for (int i = 0; i < N; i++) x[i] = y[i] = i;
  for (int turn = 0; turn < 5; turn++) {
    for (int i = 0; i < N; i += BLOCK) saxpy(BLOCK, a, x + i, y + i);
    a += 1;
  }
  a = -1000;
  long result = 0;
  fib(14, &result);
  static int out[256];
  struct window jc = {{1024, 1}};
  for (int turn = 0; turn < 7; turn++, jc.size[1]++) turn == 3 ? (void)0 : shift(jc, out);
#pragma omp taskwait
  double sum = 0;
  for (int i = 0; i < N; i++) sum += y[i];
  printf("%g %g %ld %d %d\n", y[127], sum, result, out[0], out[255]);
  return 0;
}
