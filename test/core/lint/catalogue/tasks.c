/* Tasks. `//: NAME LABEL` begins a program: yes, it races; no, it does not. */
//: dependences-missing yes
int main(void) { int i = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    i = 1;
#pragma omp task
    i = 2;
  }
  printf("%d\n", i); return 0; }
//: dependences no
int main(void) { int i = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : i)
    i = 1;
#pragma omp task depend(in : i)
    printf("%d\n", i);
  }
  return 0; }
//: dependences-of-two-readers no
int main(void) { int i = 0, j = 0, k = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : i)
    i = 1;
#pragma omp task depend(in : i)
    j = i;
#pragma omp task depend(in : i)
    k = i;
  }
  printf("%d %d\n", j, k); return 0; }
//: dependences-of-readers-that-write yes
int main(void) { int i = 0, j = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : i)
    i = 1;
#pragma omp task depend(in : i)
    j = i;
#pragma omp task depend(in : i)
    j = i + 1;
  }
  printf("%d\n", j); return 0; }
//: dependences-of-blocks no
#define N 64
#define B 16
static float a[N][N], b[N][N], c[N][N];
int main(void) { int i, j, k, ii, jj, kk;
#pragma omp parallel
#pragma omp single
  for (i = 0; i < N; i += B) for (j = 0; j < N; j += B) for (k = 0; k < N; k += B) {
#pragma omp task firstprivate(i, j, k) private(ii, jj, kk) depend(in : a[i : B][k : B], b[k : B][j : B]) depend(inout : c[i : B][j : B])
    for (ii = i; ii < i + B; ii++) for (jj = j; jj < j + B; jj++) for (kk = k; kk < k + B; kk++) c[ii][jj] = c[ii][jj] + a[ii][kk] * b[kk][jj];
  }
  return 0; }
//: value-of-a-counter no
#define MAX 100
int a[MAX];
void gen(int i) {
#pragma omp task
  a[i] = i + 1; }
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < MAX; i++) gen(i);
  return 0; }
//: fibonacci no
int fib(unsigned n) { if (n < 2) return n; int i, j;
#pragma omp task shared(i)
  i = fib(n - 1);
#pragma omp task shared(j)
  j = fib(n - 2);
#pragma omp taskwait
  return i + j; }
int main(void) { int r = 0;
#pragma omp parallel
#pragma omp single
  r = fib(10);
  printf("%d\n", r); return 0; }
//: fibonacci-without-taskwait yes
int fib(unsigned n) { if (n < 2) return n; int i, j;
#pragma omp task shared(i)
  i = fib(n - 1);
#pragma omp task shared(j)
  j = fib(n - 2);
  return i + j; }
int main(void) { int r = 0;
#pragma omp parallel
#pragma omp single
  r = fib(10);
  printf("%d\n", r); return 0; }
//: fibonacci-by-dependences no
int fib(int n) { int i, j, s; if (n < 2) return n;
#pragma omp task shared(i) depend(out : i)
  i = fib(n - 1);
#pragma omp task shared(j) depend(out : j)
  j = fib(n - 2);
#pragma omp task shared(i, j, s) depend(in : i, j)
  s = i + j;
#pragma omp taskwait
  return s; }
int main(void) { int r = 0;
#pragma omp parallel
#pragma omp single
  r = fib(10);
  return r; }
//: fibonacci-by-dependences-without-taskwait yes
int fib(int n) { int i, j, s; if (n < 2) return n;
#pragma omp task shared(i) depend(out : i)
  i = fib(n - 1);
#pragma omp task shared(j) depend(out : j)
  j = fib(n - 2);
#pragma omp task shared(i, j, s) depend(in : i, j)
  s = i + j;
  return s; }
int main(void) { int r = 0;
#pragma omp parallel
#pragma omp single
  r = fib(10);
  return r; }
//: taskgroup no
int main(void) { int r = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      r = 1;
    }
#pragma omp task
    r = 2;
  }
  printf("%d\n", r); return 0; }
//: taskwait-for-children-only yes
int main(void) { int a[4] = {0}, psum[2] = {0};
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 4; ++i) a[i] = i;
#pragma omp single
    {
#pragma omp task
      {
#pragma omp task
        psum[1] = a[2] + a[3];
        psum[0] = a[0] + a[1];
      }
#pragma omp taskwait
      printf("%d\n", psum[1] + psum[0]);
    }
  }
  return 0; }
//: taskgroup-for-grandchildren no
int main(void) { int psum[2] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        psum[1] = 3;
        psum[0] = 4;
      }
    }
    printf("%d\n", psum[1] + psum[0]);
  }
  return 0; }
//: undeferred no
int main(void) { int var = 0;
#pragma omp parallel sections
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(var) if (0)
      var++;
    }
  }
  printf("%d\n", var); return 0; }
//: deferred-in-a-loop yes
int main(void) { int var = 0;
#pragma omp parallel sections
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(var)
      var++;
    }
  }
  printf("%d\n", var); return 0; }
//: threadprivate-set-by-two yes
int tp;
#pragma omp threadprivate(tp)
int var;
void foo(void) {
#pragma omp task
  {
#pragma omp task
    { tp = 1;
#pragma omp task
      { }
      var = tp; }
  }
}
int main(void) {
#pragma omp parallel
  foo();
  return var; }
//: threadprivate-in-tied-tasks no
int tp;
#pragma omp threadprivate(tp)
int var;
void foo(void) {
#pragma omp task
  {
#pragma omp task
    { tp = 1; tp = 2; }
    tp = 3;
  }
}
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0; }
//: merged yes
int main(void) { int x = 2;
#pragma omp task mergeable
  x++;
  printf("%d\n", x); return 0; }
//: merged-and-waited-for no
int main(void) { int x = 2;
#pragma omp task shared(x) mergeable
  x++;
#pragma omp taskwait
  printf("%d\n", x); return 0; }
//: taskwait-with-a-dependence-of-another yes
void foo(void) { int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task shared(y)
  y--;
#pragma omp task depend(in : x) if (0)
  { }
  printf("%d %d\n", x, y); 
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0; }
//: taskwait-with-a-dependence no
void foo(void) { int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task shared(y)
  y--;
#pragma omp task depend(in : x) if (0)
  { }
  printf("%d\n", x);
#pragma omp taskwait
  printf("%d\n", y); }
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0; }
//: taskwait-depend yes
void foo(void) { int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task depend(in : x) depend(inout : y) shared(x, y)
  y -= x;
#pragma omp taskwait depend(in : x)
  printf("%d\n", x);
  printf("%d\n", y); }
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0; }
//: taskwait-depend-of-both no
void foo(void) { int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task depend(in : x) depend(inout : y) shared(x, y)
  y -= x;
#pragma omp taskwait depend(in : x, y)
  printf("%d\n", x);
  printf("%d\n", y); }
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0; }
//: mutexinoutset no
int main(void) { int a, b, c, d;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : c)
    c = 1;
#pragma omp task depend(out : a)
    a = 2;
#pragma omp task depend(out : b)
    b = 3;
#pragma omp task depend(in : a) depend(mutexinoutset : c)
    c += a;
#pragma omp task depend(in : b) depend(mutexinoutset : c)
    c += b;
#pragma omp task depend(in : c)
    d = c;
  }
  printf("%d\n", d); return 0; }
//: mutexinoutset-missing yes
int main(void) { int a, b, c, d;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : c)
    c = 1;
#pragma omp task depend(out : a)
    a = 2;
#pragma omp task depend(out : b)
    b = 3;
#pragma omp task depend(in : a)
    c += a;
#pragma omp task depend(in : b)
    c += b;
#pragma omp task depend(in : c)
    d = c;
  }
  printf("%d\n", d); return 0; }
//: inoutset-that-writes-one yes
int main(void) { int c = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inoutset : c)
    c += 1;
#pragma omp task depend(inoutset : c)
    c += 2;
  }
  printf("%d\n", c); return 0; }
//: inoutset-then-a-reader no
int main(void) { int c[2] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inoutset : c)
    c[0] += 1;
#pragma omp task depend(inoutset : c)
    c[1] += 2;
#pragma omp task depend(in : c)
    printf("%d\n", c[0] + c[1]);
  }
  return 0; }
//: taskloop-inner-counter-shared yes
int a[100][100];
int main(void) { int i, j;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) a[i][j] += 1;
  return 0; }
//: taskloop-collapsed no
int a[100][100];
int main(void) { int i, j;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2)
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) a[i][j] += 1;
  return 0; }
//: taskloop-sum yes
int main(void) { int s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < 100; i++) s += i;
  return s; }
//: taskloop-reduction no
int main(void) { int s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s)
  for (int i = 0; i < 100; i++) s += i;
  return s; }
//: task-reduction no
int main(void) { int s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
  for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : s)
    s += i;
  }
  return s; }
//: task-reduction-not-joined yes
int main(void) { int s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
  for (int i = 0; i < 100; i++) {
#pragma omp task shared(s)
    s += i;
  }
  return s; }
//: taskloop-nogroup-and-read yes
int main(void) { int a[100], s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < 100; i++) a[i] = i;
    s = a[50];
  }
  return s; }
//: taskloop-and-read no
int main(void) { int a[100], s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < 100; i++) a[i] = i;
    s = a[50];
  }
  return s; }
//: not-siblings yes
int main(void) { int a = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : a) shared(a)
    {
#pragma omp task depend(inout : a) shared(a)
      a++;
    }
#pragma omp task depend(inout : a) shared(a)
    a++;
  }
  printf("%d\n", a); return 0; }
//: not-siblings-that-wait no
int main(void) { int a = 0;
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
  printf("%d\n", a); return 0; }
//: by-every-thread yes
void foo(void) { int a = 0;
#pragma omp parallel
  {
#pragma omp task depend(inout : a) shared(a)
    a++;
  }
  printf("%d\n", a); }
int main(void) { foo(); return 0; }
//: by-one-thread no
void foo(void) { int a = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : a) shared(a)
    a++;
#pragma omp task depend(inout : a) shared(a)
    a++;
  }
  printf("%d\n", a); }
int main(void) { foo(); return 0; }
//: local-of-the-creator-gone yes
void foo(void) { int x = 1;
#pragma omp task shared(x)
  x++;
}
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0; }
//: elements-of-a-loop no
int main(void) { int a[100];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task
    a[i] = i;
  }
  return a[3]; }
//: elements-of-a-loop-and-neighbours yes
int main(void) { int a[100] = {0};
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < 100; i++) {
#pragma omp task
    a[i] = a[i - 1] + 1;
  }
  return a[3]; }
//: elements-in-a-chain no
int main(void) { int a[100] = {0};
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < 100; i++) {
#pragma omp task depend(in : a[i - 1]) depend(out : a[i])
    a[i] = a[i - 1] + 1;
  }
  return a[3]; }
//: elements-in-the-wrong-chain yes
int main(void) { int a[100] = {0};
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < 100; i++) {
#pragma omp task depend(out : a[i])
    a[i] = a[i - 1] + 1;
  }
  return a[3]; }
//: list-of-tasks no
struct node { int v; struct node *next; } *head;
void process(struct node *p) { p->v++; }
int main(void) {
#pragma omp parallel
#pragma omp single
  for (struct node *p = head; p; p = p->next) {
#pragma omp task firstprivate(p)
    process(p);
  }
  return 0; }
//: counter-of-tasks yes
int n;
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task
    n++;
  }
  return n; }
//: counter-of-tasks-atomic no
int n;
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task
    {
#pragma omp atomic
      n++;
    }
  }
  return n; }
//: counter-shared-with-the-task yes
int main(void) { int i, a[100];
#pragma omp parallel
#pragma omp single
  for (i = 0; i < 100; i++) {
#pragma omp task shared(i)
    a[i] = i;
  }
  return a[3]; }
//: detached no
typedef void *omp_event_handle_t;
void omp_fulfill_event(omp_event_handle_t);
int main(void) { int x = 0; omp_event_handle_t e;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(e) depend(out : x)
    { x = 1; omp_fulfill_event(e); }
#pragma omp task depend(in : x)
    printf("%d\n", x);
  }
  return 0; }
//: detached-and-nobody-waits yes
typedef void *omp_event_handle_t;
void omp_fulfill_event(omp_event_handle_t);
int main(void) { int x = 0; omp_event_handle_t e;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(e)
    { x = 1; omp_fulfill_event(e); }
#pragma omp task
    printf("%d\n", x);
  }
  return 0; }
//: barrier-ends-tasks no
int main(void) { int x = 0, s = 0;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp single nowait
    {
#pragma omp task
      x = 1;
    }
#pragma omp barrier
    s += x;
  }
  return s; }
//: no-barrier-ends-the-task yes
int main(void) { int x = 0, s = 0;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp master
    {
#pragma omp task
      x = 1;
    }
    s += x;
  }
  return s; }
//: quicksort no
void sort(int *a, int lo, int hi) { if (lo >= hi) return; int p = a[hi], i = lo;
  for (int j = lo; j < hi; j++) if (a[j] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; }
  a[hi] = a[i]; a[i] = p;
#pragma omp task
  sort(a, lo, i - 1);
#pragma omp task
  sort(a, i + 1, hi);
#pragma omp taskwait
}
int v[100];
int main(void) {
#pragma omp parallel
#pragma omp single
  sort(v, 0, 99);
  return 0; }
//: priorities-order-nothing yes
int main(void) { int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task priority(10)
    x = 1;
#pragma omp task priority(1)
    printf("%d\n", x);
  }
  return 0; }
//: taskyield-orders-nothing yes
int main(void) { int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    x = 1;
#pragma omp taskyield
    printf("%d\n", x);
  }
  return 0; }
//: final-tasks no
int main(void) { int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (0) shared(x)
    x = 1;
    printf("%d\n", x);
  }
  return 0; }
//: tasks-of-halves no
static void fill(int *a, int n, int v) { if (n < 4) { for (int i = 0; i < n; i++) a[i] = v; return; }
#pragma omp task
  fill(a, n / 2, v);
#pragma omp task
  fill(a + n / 2, n - n / 2, v + 1);
#pragma omp taskwait
}
int main(void) { int a[64];
#pragma omp parallel
#pragma omp single
  fill(a, 64, 0);
  printf("%d\n", a[9]); return 0; }
//: tasks-of-halves-that-overlap yes
int main(void) { int a[64];
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    for (int i = 0; i <= 32; i++) a[i] = 1;
#pragma omp task
    for (int i = 32; i < 64; i++) a[i] = 2;
  }
  printf("%d\n", a[9]); return 0; }
//: taskloop-with-a-shared-scratch yes
int main(void) { int a[64], t;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop shared(t)
  for (int i = 0; i < 64; i++) { t = i * 2; a[i] = t; }
  printf("%d\n", a[9]); return 0; }
//: taskloop-with-a-scratch-of-its-own no
int main(void) { int a[64], t;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop private(t)
  for (int i = 0; i < 64; i++) { t = i * 2; a[i] = t; }
  printf("%d\n", a[9]); return 0; }
