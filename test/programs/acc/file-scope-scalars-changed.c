// Scalars at file scope that a parallel region changes and no clause names: the region has a copy of each, as of local ones.
// arc: directives-needed
#include <stdio.h>

enum { N = 13 };

int state = 5;
static double sum = 1.5;
static unsigned char steps;
extern int shared_later;
int shared_later = 3;

/* Each gang changes its own copy once, however many gangs there are. */
static int gangs(void) {
  int a[N], b[N], wrong = 0;
#pragma acc parallel num_gangs(5) copyout(a, b)
  {
    state += 4;
    if (state++ > 8) sum += 2;
#pragma acc loop gang
    for (int i = 0; i < N; i++) {
      a[i] = state + i;
      b[i] = (int)(sum * 2);
    }
  }
  for (int i = 0; i < N; i++) wrong += a[i] != 10 + i || b[i] != 7;
  return wrong + (state != 5) + (sum != 1.5);
}

/* One gang changes it from iteration to iteration, and the change ends with the region. */
static int one_gang(void) {
  static int kept = 2;
  int a[N], wrong = 0;
#pragma acc serial copyout(a)
  for (int i = 0; i < N; i++) a[i] = kept += shared_later;
  for (int i = 0; i < N; i++) wrong += a[i] != 2 + 3 * (i + 1);
  return wrong + (kept != 2);
}

/* Clauses and data constructs around still say otherwise. */
static int named(void) {
  int a[N], wrong = 0;
#pragma acc serial copy(shared_later) copyout(a)
  for (int i = 0; i < N; i++) a[i] = shared_later++;
  for (int i = 0; i < N; i++) wrong += a[i] != 3 + i;
  wrong += shared_later != 3 + N;
#pragma acc data copy(steps)
  {
#pragma acc serial
    for (int i = 0; i < N; i++) steps++;
#pragma acc serial
    steps += 2;
  }
  return wrong + (steps != N + 2);
}

int main(void) {
  int wrong[] = {gangs(), one_gang(), named()};
  for (int i = 0; i < 3; i++)
    if (wrong[i]) printf("part %d: %d wrong\n", i, wrong[i]);
  return wrong[0] + wrong[1] + wrong[2] != 0;
}
