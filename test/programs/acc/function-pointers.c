// Pointers to functions: as copies, in tables, as arguments and results, without a prototype, set by one region for the next.
// arc: warns
#include <stdio.h>
#include <stdlib.h>
typedef struct { double re, im; } pair;
static pair conj_(pair p) { p.im = -p.im; return p; }
static pair twice(pair p) { p.re *= 2; p.im *= 2; return p; }
static void store(double *to, double v) { *to = v; }
static void negate(double *to, double v) { *to = -v; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
#pragma acc routine seq
static void sort(int *a, int n, int (*less)(const void *, const void *)) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && less(&a[j], &a[j - 1]) < 0; j--) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; }
}
static int id(int n) { return n; }
static int inc(int n) { return n + 1; }
typedef int (*old)();
static double half(double x) { return x / 2; }
static double dbl(double x) { return x * 2; }
static double (*pick(int k))(double) { return k ? half : dbl; }
#define REGION(x) _Pragma("acc parallel loop copyout(q[0:20])") for (int i = 0; i < 20; i++) q[i] = x(i)
int main(void) {
  int bad = 0, n = 20;
  pair p[20];
  pair (*f)(pair) = conj_;
  for (int i = 0; i < n; i++) p[i] = (pair){i, i};
#pragma acc kernels copy(p)
  {
    for (int i = 0; i < n; i++) p[i] = f(p[i]);
    for (int i = 0; i < n; i++) p[i] = (i & 1 ? twice : conj_)(p[i]);
  }
  for (int i = 0; i < n; i++) bad += p[i].im != (i & 1 ? -2 * i : i);
  printf("%d\n", bad);
  double *v = malloc(n * sizeof *v);
  void (*to[2])(double *, double) = {store, negate};
#pragma acc parallel loop copyout(v[0:n]) copyin(to)
  for (int i = 0; i < n; i++) (**to[i % 2])(&v[i], i);
  for (int i = 0; i < n; i++) bad += v[i] != (i & 1 ? -i : i);
  printf("%d\n", bad);
  int a[40];
  for (int i = 0; i < 40; i++) a[i] = (i * 7) % 40;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 4; i++) sort(&a[i * 10], 10, i & 1 ? down : compare);
  for (int i = 0; i < 39; i++) if (i % 10 != 9) bad += i / 10 & 1 ? a[i] < a[i + 1] : a[i] > a[i + 1];
  printf("%d\n", bad);
  int q[20];
  old o = id;
#pragma acc parallel loop copyout(q) default(none) copyin(n) firstprivate(o)
  for (int i = 0; i < n; i++) q[i] = o(i) + (o == inc);
  for (int i = 0; i < n; i++) bad += q[i] != i;
  old u = inc;
  REGION(u);
  for (int i = 0; i < n; i++) bad += q[i] != i + 1;
  printf("%d\n", bad);
  double w[20];
#pragma acc parallel loop copyout(w)
  for (int i = 0; i < n; i++) w[i] = pick(i & 1)(i);
  for (int i = 0; i < n; i++) bad += w[i] != (i & 1 ? i / 2.0 : i * 2.0);
  int (*later)(int) = 0;
#pragma acc data create(later)
  {
#pragma acc parallel present(later)
    later = inc;
#pragma acc parallel loop copyout(q) present(later)
    for (int i = 0; i < n; i++) q[i] = later(i);
  }
  for (int i = 0; i < n; i++) bad += q[i] != i + 1;
  printf("%d\n", bad);
  return bad != 0;
}
