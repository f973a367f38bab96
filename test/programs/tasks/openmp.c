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
  return 0;
}
