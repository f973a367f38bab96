/* Explicit tasks. */
#include <omp.h>
#include <stdio.h>

void two_bad(void) {
  int i = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    i = 1; /* expect: task-race */
#pragma omp task
    i = 2;
  }
  printf("%d\n", i);
}
void two_good(void) {
  int i = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : i)
    i = 1;
#pragma omp task depend(in : i)
    i = 2;
  }
  printf("%d\n", i);
}
void in_in_bad(void) {
  int i = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(in : i)
    i = 1; /* expect: task-race */
#pragma omp task depend(in : i)
    i = 2;
  }
  printf("%d\n", i);
}
int fib_bad(int n) {
  int i, j;
  if (n < 2) return n;
#pragma omp task shared(i)
  i = fib_bad(n - 1); /* expect: task-race */
#pragma omp task shared(j)
  j = fib_bad(n - 2); /* expect: task-race */
  return i + j;
}
int fib_good(int n) {
  int i, j;
  if (n < 2) return n;
#pragma omp task shared(i)
  i = fib_good(n - 1);
#pragma omp task shared(j)
  j = fib_good(n - 2);
#pragma omp taskwait
  return i + j;
}
void firstprivate_good(void) {
#pragma omp parallel
#pragma omp single
  {
    int i = 0;
#pragma omp task
    i = 1;
    i = 2;
    printf("%d\n", i);
  }
}
void taskgroup_good(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      result = 1;
    }
#pragma omp task
    result = 2;
  }
  printf("%d\n", result);
}
void grandchild_bad(void) {
  int a = 0, s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task
      a = 1; /* expect: task-race */
    }
#pragma omp taskwait
    s = a;
  }
  printf("%d\n", s);
}
void grandchild_good(void) {
  int a = 0, s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task
      a = 1;
#pragma omp taskwait
    }
#pragma omp taskwait
    s = a;
  }
  printf("%d\n", s);
}
void undeferred_good(void) {
  int var = 0;
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(var) if (0)
    var++;
  }
  printf("%d\n", var);
}
void undeferred_bad(void) {
  int var = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(var)
    var++; /* expect: task-race */
  }
  printf("%d\n", var);
}
void per_iteration_good(int *a, int n) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task
    a[i] = i;
  }
}
void per_iteration_bad(int *a, int n) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n - 1; i++) {
#pragma omp task
    a[i] = a[i + 1]; /* expect: task-race */
  }
}
void waits_each_time_good(int *a, int n) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n - 1; i++) {
#pragma omp task
    a[i] = a[i + 1];
#pragma omp taskwait
  }
}
void chain_good(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(in : x) depend(out : y)
    y = x;
#pragma omp task depend(in : y)
    x = y + 1;
  }
  printf("%d %d\n", x, y);
}
void mutexinoutset_good(void) {
  int d = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : d)
    d += 1;
#pragma omp task depend(mutexinoutset : d)
    d += 2;
  }
  printf("%d\n", d);
}
void critical_good(void) {
  int d = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task
    {
#pragma omp critical
      d += i;
    }
  }
  printf("%d\n", d);
}
void taskloop_bad(int a[100][100]) {
  int i, j;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (i = 0; i < 99; i++)
    for (j = 0; j < 100; j++) /* expect: missing-private */
      a[i][j] += 1;
}
void taskloop_good(int a[100][100]) {
  int i, j;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2)
  for (i = 0; i < 99; i++)
    for (j = 0; j < 100; j++)
      a[i][j] += 1;
}
void creator_bad(void) {
  int psum[2] = {0, 0}, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    psum[1] = 7; /* expect: task-race */
    sum = psum[1] + psum[0];
  }
  printf("%d\n", sum);
}
void creator_good(void) {
  int psum[2] = {0, 0}, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    psum[1] = 7;
    psum[0] = 1;
#pragma omp taskwait
    sum = psum[1] + psum[0];
  }
  printf("%d\n", sum);
}
/* Dependences order siblings, not what they leave behind. */
void no_siblings_bad(void) {
  int a = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : a) shared(a)
    {
#pragma omp task depend(inout : a) shared(a)
      a++; /* expect: task-race */
    }
#pragma omp task depend(inout : a) shared(a)
    {
#pragma omp task depend(inout : a) shared(a)
      a++;
    }
  }
  printf("%d\n", a);
}
void no_siblings_good(void) {
  int a = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : a) shared(a)
    {
#pragma omp task depend(inout : a) shared(a)
      a++;
#pragma omp taskwait
    }
#pragma omp task depend(inout : a) shared(a)
    a++;
  }
  printf("%d\n", a);
}
void waits_for_some_bad(void) {
  int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task shared(y)
  y--; /* expect: task-race */
#pragma omp taskwait depend(in : x)
  printf("%d %d\n", x, y);
#pragma omp taskwait
}
void waits_for_some_good(void) {
  int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task shared(y)
  y--;
#pragma omp taskwait depend(in : x)
  printf("%d\n", x);
#pragma omp taskwait
  printf("%d\n", y);
}
void undeferred_wait_bad(void) {
  int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task shared(y)
  y--; /* expect: task-race */
#pragma omp task depend(in : x) if (0)
  {}
  printf("%d %d\n", x, y);
#pragma omp taskwait
}
void undeferred_wait_good(void) {
  int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task depend(inout : y) shared(y)
  y--;
#pragma omp task depend(in : x, y) if (0)
  {}
  printf("%d %d\n", x, y);
#pragma omp taskwait
}
int fib_depends_bad(int n) {
  int i, j, s;
  if (n < 2) return n;
#pragma omp task shared(i) depend(out : i)
  i = fib_depends_bad(n - 1); /* expect: task-race */
#pragma omp task shared(j) depend(out : j)
  j = fib_depends_bad(n - 2);
#pragma omp task shared(i, j) depend(in : j)
  s = i + j;
#pragma omp taskwait
  return i + j;
}
int fib_depends_good(int n) {
  int i, j, s;
  if (n < 2) return n;
#pragma omp task shared(i) depend(out : i)
  i = fib_depends_good(n - 1);
#pragma omp task shared(j) depend(out : j)
  j = fib_depends_good(n - 2);
#pragma omp task shared(i, j, s) depend(in : i, j)
  s = i + j;
#pragma omp taskwait
  return s;
}
/* Outside of parallel constructs there is one thread. */
int var;
int main(void) {
#pragma omp task
  var = 1;
  if (var == 2) printf("%d\n", var);
  return 0;
}

/* Dependences that name one element by different names, or a part of an array and all of it. */
void other_names_good(int *b) {
  int a[20];
  for (int i = 0; i < 20; i++) {
#pragma omp task shared(a) depend(out : a[i])
    a[i] = i;
  }
  for (int j = 0; j < 20; j++) {
#pragma omp task shared(a) depend(in : a[j])
    b[j] = a[j];
  }
#pragma omp task shared(a) depend(out : *a)
  a[0] = 1;
#pragma omp task shared(a) depend(in : a[0])
  b[0] = a[0];
#pragma omp taskwait
  b[1] = a[0];
}

void element_chain_bad(int *b) {
  int a[20] = {0};
  for (int i = 1; i < 20; i++) {
#pragma omp task shared(a) depend(out : a[i])
    a[i] = a[i - 1] + 1; /* expect: task-race */
  }
#pragma omp taskwait
  b[0] = a[19];
}
void element_chain_good(int *b) {
  int a[20] = {0};
  for (int i = 1; i < 20; i++) {
#pragma omp task shared(a) depend(in : a[i - 1]) depend(out : a[i])
    a[i] = a[i - 1] + 1;
  }
#pragma omp taskwait
  b[0] = a[19];
}

int waits_for_writers_bad(void) {
  int x = 0, s = 0;
#pragma omp task shared(x) depend(out : x)
  x = 1;
#pragma omp task shared(x, s) depend(in : x) depend(out : s)
  s = x + 1; /* expect: task-race */
#pragma omp taskwait depend(in : x)
  return s;
}
int waits_for_writers_good(void) {
  int x = 0, s = 0;
#pragma omp task shared(x) depend(out : x)
  x = 1;
#pragma omp task shared(x, s) depend(in : x) depend(out : s)
  s = x + 1;
#pragma omp taskwait depend(in : s)
  x = 5;
  return s + x;
}
