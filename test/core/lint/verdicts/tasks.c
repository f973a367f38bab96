/* Tasks, lanes and devices. `//: NAME VERDICT` begins a program of its own. */
//: taskdep-missing proved
int f(void) { int i = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    i = 1;
#pragma omp task
    i = 2;
  }
  return i; }
//: taskdep-out nothing
int f(void) { int i = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : i)
    i = 1;
#pragma omp task depend(out : i)
    i = 2;
  }
  return i; }
//: taskdep-in-in proved
int f(void) { int i = 0, j;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(in : i)
    i = 1;
#pragma omp task depend(in : i)
    j = i;
  }
  return j; }
//: taskdep-three nothing
int f(void) { int i = 0, j = 0, k = 0;
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
  return j + k; }
//: taskwait-missing proved
void f(int *out) {
#pragma omp parallel
#pragma omp single
  { int r = 0;
#pragma omp task shared(r)
    r = read_input();
    *out = r;
#pragma omp taskwait
  } }
//: taskwait nothing
void f(int *out) {
#pragma omp parallel
#pragma omp single
  { int r = 0;
#pragma omp task shared(r)
    r = read_input();
#pragma omp taskwait
    *out = r;
  } }
//: taskgroup-children nothing
void f(int *out) { int r = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        r = read_input();
      }
    }
    *out = r;
  } }
//: taskwait-grandchildren proved
void f(int *out) { int r = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task
      r = read_input();
    }
#pragma omp taskwait
    *out = r;
  } }
//: task-counter-captured nothing
void f(int *a) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task
    a[i] = i;
  } }
//: task-counter-shared proved
void f(int *a) { int i;
#pragma omp parallel
#pragma omp single
  for (i = 0; i < 20; i++) {
#pragma omp task
    a[i] = i;
  } }
//: task-per-thread proved
int f(void) { int n = 0;
#pragma omp parallel
  {
#pragma omp task
    n++;
  }
  return n; }
//: task-per-thread-atomic nothing
int f(void) { int n = 0;
#pragma omp parallel
  {
#pragma omp task
    {
#pragma omp atomic
      n++;
    }
  }
  return n; }
//: taskloop-carried proved
void f(int *a, int n) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 1; i < n; i++) a[i] = a[i - 1]; }
//: taskloop nothing
void f(int *a, int n) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 1; i < n; i++) a[i] = i; }
//: taskloop-collapse proved
int a[50][50];
void f(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2)
  for (int i = 0; i < 50; i++) for (int j = 0; j < 49; j++) a[i][j] += a[i][j + 1]; }
//: taskloop-outer nothing
int a[50][50];
void f(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < 50; i++) for (int j = 0; j < 49; j++) a[i][j] += a[i][j + 1]; }
//: fib-nowait proved
int fib(int n) { int i, j; if (n < 2) return n;
#pragma omp task shared(i)
  i = fib(n - 1);
#pragma omp task shared(j)
  j = fib(n - 2);
  return i + j; }
//: fib nothing
int fib(int n) { int i, j; if (n < 2) return n;
#pragma omp task shared(i)
  i = fib(n - 1);
#pragma omp task shared(j)
  j = fib(n - 2);
#pragma omp taskwait
  return i + j; }
//: blocks-depend nothing
void f(double *a, int blocks) {
#pragma omp parallel
#pragma omp single
  for (int b = 1; b < blocks; b++) {
#pragma omp task depend(in : a[b - 1]) depend(inout : a[b])
    a[b] += a[b - 1];
  } }
//: blocks-depend-on-self-only proved
void f(double *a, int blocks) {
#pragma omp parallel
#pragma omp single
  for (int b = 1; b < blocks; b++) {
#pragma omp task depend(inout : a[b])
    a[b] += a[b - 1];
  } }
//: mutexinoutset nothing
int f(void) { int s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : s)
    s += 1;
#pragma omp task depend(mutexinoutset : s)
    s += 2;
  }
  return s; }
//: final-undeferred nothing
int f(void) { int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (0) shared(x)
    x = 1;
    x++;
  }
  return x; }
//: simd-true-dependence proved
void f(int *a, const int *b, int n) {
#pragma omp simd
  for (int i = 0; i < n - 1; i++) a[i + 1] = a[i] + b[i]; }
//: simd-anti-dependence nothing
void f(int *a, const int *b, int n) {
#pragma omp simd
  for (int i = 0; i < n - 1; i++) a[i] = a[i + 1] + 1; }
//: simd-safelen nothing
void f(int *a, int n) {
#pragma omp simd safelen(4)
  for (int i = 4; i < n; i++) a[i] = a[i - 4] + 1; }
//: simd-safelen-too-long maybe
void f(int *a, int n) {
#pragma omp simd safelen(8)
  for (int i = 4; i < n; i++) a[i] = a[i - 4] + 1; }
//: parallel-for-simd-safelen maybe
void f(int *a, int n) {
#pragma omp parallel for simd safelen(4)
  for (int i = 4; i < n; i++) a[i] = a[i - 4] + 1; }
//: simd-reduction-missing proved
int f(const int *a, int n) { int s = 0;
#pragma omp simd
  for (int i = 0; i < n; i++) s += a[i];
  return s; }
//: simd-reduction nothing
int f(const int *a, int n) { int s = 0;
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; i++) s += a[i];
  return s; }
//: target-parallel-for proved
void f(void) { int a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target map(tofrom : a)
#pragma omp parallel for
  for (int i = 0; i < 99; i++) a[i] = a[i + 1] + 1;
  work(a[3]); }
//: target-parallel-for-mended nothing
void f(void) { int a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target map(tofrom : a)
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = a[i] + 1;
  work(a[3]); }
//: teams-share proved
int f(void) { int n = 0;
#pragma omp target map(tofrom : n)
#pragma omp teams num_teams(8)
  n++;
  return n; }
//: teams-share-atomic nothing
int f(void) { int n = 0;
#pragma omp target map(tofrom : n)
#pragma omp teams num_teams(8)
  {
#pragma omp atomic
    n++;
  }
  return n; }
//: teams-distribute-critical proved
int f(void) { int n = 0;
#pragma omp target teams distribute map(tofrom : n)
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    n++;
  }
  return n; }
//: distribute-reduction nothing
int f(void) { int n = 0;
#pragma omp target teams distribute reduction(+ : n)
  for (int i = 0; i < 100; i++) n++;
  return n; }
//: distribute-inner-carried proved
void f(void) { double m[40][40] = {{0}};
#pragma omp target teams distribute map(tofrom : m)
  for (int i = 0; i < 40; i++)
#pragma omp parallel for
    for (int j = 1; j < 40; j++) m[i][j] = m[i][j - 1] + 1;
  work(m[3][3]); }
//: distribute-inner nothing
void f(void) { double m[40][40] = {{0}};
#pragma omp target teams distribute map(tofrom : m)
  for (int i = 0; i < 40; i++)
#pragma omp parallel for
    for (int j = 1; j < 40; j++) m[i][j] = m[i][j] + 1;
  work(m[3][3]); }
//: gang-sum proved
double f(const double *a, int n) { double s[1] = {0};
#pragma acc parallel loop copyin(a[0:n]) copy(s)
  for (int i = 0; i < n; i++) s[0] += a[i];
  return s[0]; }
//: gang-sum-reduction nothing
double f(const double *a, int n) { double s = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : s)
  for (int i = 0; i < n; i++) s += a[i];
  return s; }
//: independent-carried proved
void f(double *a, int n) {
#pragma acc kernels loop independent copy(a[0:n])
  for (int i = 1; i < n; i++) a[i] = a[i - 1]; }
//: kernels-carried nothing
void f(double *a, int n) {
#pragma acc kernels loop copy(a[0:n])
  for (int i = 1; i < n; i++) a[i] = a[i - 1]; }
//: seq-carried nothing
void f(double *a, int n) {
#pragma acc parallel loop seq copy(a[0:n]) num_gangs(1)
  for (int i = 1; i < n; i++) a[i] = a[i - 1]; }
//: private-shared-over-gangs proved
void f(double *a, int n) { double t[4];
#pragma acc parallel loop copyout(a[0:n]) create(t)
  for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) t[k] = i + k; a[i] = t[0] + t[3]; } }
//: private-of-gangs nothing
void f(double *a, int n) { double t[4];
#pragma acc parallel loop copyout(a[0:n]) private(t)
  for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) t[k] = i + k; a[i] = t[0] + t[3]; } }
