/* Types and enumerators that a function declares inside, in its tasks: also those of another function by the same name. */
#include <stdio.h>

static int points(void) {
  enum { N = 6, M = 4 };
  struct point {
    int x, y;
  } list[N];
  typedef struct {
    struct point p[2];
    enum kind { ONE = 1, TWO } kind;
  } pair;
  typedef double grid[N][M];
  pair d = {{{1, 2}, {3, 4}}, TWO};
  grid a;
  int sum = 0;
  for (int t = 0; t < N; t++) {
    enum { OFFSET = 100 };
#pragma omp task depend(out : list[t], a[t]) firstprivate(t, d) shared(list, a)
    {
      struct part {
        int left;
      } part = {d.kind};
      list[t].x = t + OFFSET;
      list[t].y = d.p[0].y;
#pragma omp task shared(part, list) firstprivate(t)
      list[t].y += part.left - TWO;
#pragma omp taskwait
      for (int k = 0; k < M; k++)
        a[t][k] = t * M + k;
    }
#pragma omp task depend(in : list[t], a[t]) depend(inout : sum) firstprivate(t) shared(list, a, sum)
    sum += list[t].x + list[t].y - OFFSET + (int)a[t][M - 1];
  }
#pragma omp taskwait
  return sum;
}

static int others(void) {
  enum { N = 3, M = 50 };
  struct point {
    double x[M];
  } list[N];
#pragma omp taskloop shared(list) grainsize(1)
  for (int i = 0; i < N; i++)
    list[i].x[M - 1] = i + sizeof(struct point) / sizeof(double);
  return (int)(list[0].x[M - 1] + list[2].x[M - 1]);
}

int main(void) {
  printf("%d %d\n", points(), others());
  return 0;
}
