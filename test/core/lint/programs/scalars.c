/* Scalars that iterations share, each beside a twin in which they do not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double sum_bad(const double *a, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    s += a[i]; /* expect: missing-reduction */
  return s;
}
double sum_good(const double *a, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
double sum_of_loops_bad(int n, double u[n][n]) {
  double s = 0, t;
  int i, j;
#pragma omp parallel for private(t, i, j)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      t = u[i][j];
      s = s + t * t; /* expect: missing-reduction */
    }
  return s;
}
int count_bad(const int *a, int n) {
  int c = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (a[i] <= 0) c--; /* expect: missing-reduction */
  return c;
}
int count_good(const int *a, int n) {
  int c = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (a[i] <= 0) {
#pragma omp atomic
      c--;
    }
  return c;
}
double max_bad(const double *a, int n) {
  double m = a[0];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (a[i] > m) m = a[i]; /* expect: missing-reduction */
  return m;
}
double max_good(const double *a, int n) {
  double m = a[0];
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; i++)
    if (a[i] > m) m = a[i];
  return m;
}
double critical_good(const double *a, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    s += a[i];
  }
  return s;
}
double two_criticals_bad(const double *a, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical(one)
    s += a[i]; /* expect: missing-reduction */
#pragma omp critical(two)
    s += 1;
  }
  return s;
}

void temporary_bad(double *a, int n) {
  double t;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    t = a[i] * 2; /* expect: missing-private */
    a[i] = t + 1;
  }
}
void temporary_good(double *a, int n) {
  double t;
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) {
    t = a[i] * 2;
    a[i] = t + 1;
  }
}
void last_bad(int n) {
  int i, x = 0;
#pragma omp parallel for
  for (i = 0; i < n; i++)
    x = i; /* expect: missing-private */
  printf("%d\n", x);
}
void last_good(int n) {
  int i, x = 0;
#pragma omp parallel for lastprivate(x)
  for (i = 0; i < n; i++)
    x = i;
  printf("%d\n", x);
}
void inner_counter_bad(int a[100][100]) {
  int i, j;
#pragma omp parallel for
  for (i = 0; i < 100; i++)
    for (j = 0; j < 100; j++) /* expect: missing-private */
      a[i][j] = a[i][j] + 1;
}
void inner_counter_good(int a[100][100]) {
  int i, j;
#pragma omp parallel for private(j)
  for (i = 0; i < 100; i++)
    for (j = 0; j < 100; j++)
      a[i][j] = a[i][j] + 1;
}
void induction_bad(double *c, const double *a, const double *b, int n) {
  int j = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    c[j] += a[i] * b[i];
    j++; /* expect: loop-carried-dependence */
  }
}
void induction_good(double *c, const double *a, const double *b, int n) {
  int j = 0;
#pragma omp parallel for linear(j)
  for (int i = 0; i < n; i++) {
    c[j] += a[i] * b[i];
    j++;
  }
}
int ordered_bad(void) {
  int x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < 100; i++)
    x++; /* expect: missing-reduction */
  return x;
}
int ordered_good(void) {
  int x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < 100; i++) {
#pragma omp ordered
    x++;
  }
  return x;
}
int default_private_good(const int *a, int *b, int n) {
  int t;
#pragma omp parallel for default(none) shared(a, b, n) private(t)
  for (int i = 0; i < n; i++) {
    t = a[i];
    b[i] = t;
  }
  return 0;
}

static int counter;
static int own;
#pragma omp threadprivate(own)

static void step(void) { counter++; /* expect: data-race */ }
static void step_own(void) { own++; }
void through_a_call_bad(void) {
#pragma omp parallel
  step();
}
void through_a_call_good(void) {
#pragma omp parallel
  step_own();
}
static void add_to(int *q) { *q += 1; /* expect: data-race */ }
void by_reference_bad(void) {
  int i = 0;
#pragma omp parallel
  {
    add_to(&i);
  }
  printf("%d\n", i);
}
static void add_to_own(int *q) { *q += 1; }
void by_reference_good(void) {
#pragma omp parallel
  {
    int i = 0;
    add_to_own(&i);
  }
}
static int locals(int i) {
  int k = i + 1;
  k *= 2;
  return k;
}
void locals_good(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = locals(i);
}
static int remembers(int i) {
  static int k;
  k += i; /* expect: data-race */
  return k;
}
void static_local_bad(int *a, int n) {
#pragma omp parallel
  a[0] = remembers(2); /* expect: data-race */
}
static int sum0;
static void gather(int i) { sum0 = sum0 + i; /* expect: loop-carried-dependence */ }
void gather_bad(void) {
#pragma omp parallel for
  for (int i = 1; i <= 1000; i++)
    gather(i);
}
void heap_bad(void) {
  int *counter = malloc(sizeof *counter);
  if (!counter) return;
  *counter = 0;
#pragma omp parallel
  {
    (*counter)++; /* expect: data-race */
  }
  free(counter);
}
void heap_good(void) {
#pragma omp parallel
  {
    int *counter = malloc(sizeof *counter);
    if (counter) {
      *counter = 0;
      (*counter)++;
    }
    free(counter);
  }
}
/* Whether more than one iteration stores is not known. */
int search_good(const int *a, int n, int key) {
  int at = -1;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (a[i] == key) at = i;
  return at;
}
int flag_good(const int *a, int n) {
  int found = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (a[i] < 0) found = 1;
  return found;
}
