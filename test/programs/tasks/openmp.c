/* OpenMP's own tasks: sharing as OpenMP has it, and the ends of `parallel` and `single` wait for them. */
#include <stdio.h>

static int nodes;

static void tree(int depth, int *out) {
  int left = 0, right = 0;
  if (depth > 0) {
#pragma omp task shared(left) if (depth > 2)
    tree(depth - 1, &left);
#pragma omp task shared(right)
    tree(depth - 1, &right);
#pragma omp taskwait
  }
#pragma omp atomic
  nodes++;
  *out = left + right + 1;
}

static double loops(int n, double *a) {
  double sum = 1;
  long long last = 0;
  unsigned char u;
  int i;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(7)
    for (i = 0; i < n; i++) {
      if (i % 5 == 4) continue;
      a[i] = i * 2;
    }
#pragma omp taskloop num_tasks(5) shared(last)
    for (long k = n - 1; k >= 3; k -= 4) {
      a[k] += 1;
#pragma omp critical
      last = last > k ? last : k;
    }
#pragma omp taskloop nogroup private(u)
    for (unsigned k = 3; k <= 9; k += 2) {
      u = k;
      a[u] *= 3;
    }
#pragma omp taskloop
    for (int k = 5; k < 5; k++) a[0] = 100;
  }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) grainsize(16)
  for (i = 0; i < n; i++) sum += a[i];
  return sum + last;
}

int main(void) {
  int x = 1, y = 2, own = 3, result = 0, cells[32] = {0};
#pragma omp parallel firstprivate(own)
  {
#pragma omp single
    {
      int local = 4;
      tree(6, &result);
#pragma omp task depend(out : x)
      x = 10;
#pragma omp task depend(in : x) depend(out : y) depend(inout : own)
      {
        y = x + own + local;
        own = local = 0;
      }
#pragma omp task depend(in : y)
      {
#pragma omp task
        x += y;
      }
      for (int i = 1; i < 32; i++) {
#pragma omp task depend(in : cells[i - 1]) depend(out : cells[i])
        cells[i] = cells[i - 1] + i * local;
      }
    }
    result += x;
  }
  printf("%d %d %d %d %d\n", x, y, result, nodes, cells[31]);
  static double a[100];
  printf("%g\n", loops(100, a));
  return 0;
}
