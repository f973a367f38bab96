/* Threads of a team: worksharing, barriers, locks. */
#include <omp.h>
#include <stdio.h>

void all_bad(void) {
  int n = 0;
#pragma omp parallel
  n++; /* expect: data-race */
  printf("%d\n", n);
}
void all_good(void) {
  int n = 0;
#pragma omp parallel reduction(+ : n)
  n++;
  printf("%d\n", n);
}
void nowait_bad(int *a, int b) {
  int error, n = 1000;
#pragma omp parallel shared(b, error)
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      a[i] = b + a[i] * 5; /* expect: data-race */
#pragma omp single
    error = a[9] + 1;
  }
  printf("%d\n", error);
}
void nowait_good(int *a, int b) {
  int error, n = 1000;
#pragma omp parallel shared(b, error)
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      a[i] = b + a[i] * 5;
#pragma omp barrier
#pragma omp single
    error = a[9] + 1;
  }
  printf("%d\n", error);
}
void two_loops_bad(int *a, int *b) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      a[i] = i; /* expect: data-race */
#pragma omp for
    for (int i = 0; i < 100; i++)
      b[i] = a[99 - i];
  }
}
void two_loops_good(int *a, int *b) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma omp for
    for (int i = 0; i < 100; i++)
      b[i] = a[99 - i];
  }
}
void sections_bad(void) {
  int i = 0;
#pragma omp parallel sections
  {
#pragma omp section
    i = 1; /* expect: data-race */
#pragma omp section
    i = 2;
  }
  printf("%d\n", i);
}
void sections_good(void) {
  int i = 0, j = 0;
#pragma omp parallel sections
  {
#pragma omp section
    i = 1;
#pragma omp section
    j = 2;
  }
  printf("%d %d\n", i, j);
}
void sections_lock_good(void) {
  omp_lock_t lck;
  int i = 0;
  omp_init_lock(&lck);
#pragma omp parallel sections
  {
#pragma omp section
    {
      omp_set_lock(&lck);
      i += 1;
      omp_unset_lock(&lck);
    }
#pragma omp section
    {
      omp_set_lock(&lck);
      i += 2;
      omp_unset_lock(&lck);
    }
  }
  omp_destroy_lock(&lck);
  printf("%d\n", i);
}
void sections_lock_bad(void) {
  omp_lock_t lck;
  int i = 0;
  omp_init_lock(&lck);
#pragma omp parallel sections
  {
#pragma omp section
    {
      omp_set_lock(&lck);
      i += 1; /* expect: data-race */
      omp_unset_lock(&lck);
    }
#pragma omp section
    {
      i += 2;
    }
  }
  omp_destroy_lock(&lck);
  printf("%d\n", i);
}
void thread_number_bad(void) {
  int n = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      n = omp_get_num_threads(); /* expect: data-race */
    else
      printf("%d\n", n);
  }
}
void thread_number_good(void) {
  int n = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) n = omp_get_num_threads();
  }
  printf("%d\n", n);
}
void by_thread_good(int *a) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    a[me] = me;
  }
}
void by_thread_bad(int *a) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    a[me / 2] = me; /* expect: data-race */
  }
}
void master_bad(void) {
  int init = 0, local;
#pragma omp parallel private(local)
  {
#pragma omp master
    init = 10; /* expect: data-race */
    local = init;
    printf("%d\n", local);
  }
}
void master_good(void) {
  int init = 0, local;
#pragma omp parallel private(local)
  {
#pragma omp master
    init = 10;
#pragma omp barrier
    local = init;
    printf("%d\n", local);
  }
}
void single_good(void) {
  int n = 0;
#pragma omp parallel
  {
#pragma omp single
    n++;
    printf("%d\n", n);
  }
}
void single_bad(void) {
  int n = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    n++; /* expect: data-race */
    printf("%d\n", n);
  }
}
void reduction_barrier_bad(void) {
  int a, i;
#pragma omp parallel shared(a) private(i)
  {
#pragma omp master
    a = 0; /* expect: data-race */
#pragma omp for reduction(+ : a)
    for (i = 0; i < 10; i++)
      a += i;
#pragma omp single
    printf("%d\n", a);
  }
}
void critical_good(void) {
  int n = 0;
#pragma omp parallel
  {
#pragma omp critical
    n++;
  }
  printf("%d\n", n);
}
void names_bad(void) {
  int n = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp critical(left)
      n++; /* expect: data-race */
    }
#pragma omp section
    {
#pragma omp critical(right)
      n++;
    }
  }
  printf("%d\n", n);
}
void names_good(void) {
  int n = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp critical(left)
      n++;
    }
#pragma omp section
    {
#pragma omp critical(left)
      n++;
    }
  }
  printf("%d\n", n);
}
void half_atomic_bad(void) {
  int n = 0;
#pragma omp parallel
  {
#pragma omp atomic
    n++; /* the other one is none */
    n += 2; /* expect: data-race */
  }
  printf("%d\n", n);
}
void atomic_good(void) {
  int n = 0;
#pragma omp parallel
  {
#pragma omp atomic
    n++;
#pragma omp atomic
    n += 2;
  }
  printf("%d\n", n);
}
void copyprivate_good(void) {
  float x = 0, y = 0;
#pragma omp parallel private(x, y)
  {
#pragma omp single copyprivate(x, y)
    {
      x = 1;
      y = 2;
    }
    printf("%f %f\n", x, y);
  }
}
void shared_counter_bad(int *a) {
  int i;
#pragma omp parallel
  {
    for (i = 0; i < 10; i++) /* expect: data-race */
      printf("%d\n", i);
  }
}
void shared_counter_good(int *a) {
  int i;
#pragma omp parallel private(i)
  {
    for (i = 0; i < 10; i++)
      printf("%d\n", i);
  }
}
void waits_good(void) {
  int data = 0, flag = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
      data = 1;
#pragma omp flush
#pragma omp atomic write
      flag = 1;
    }
#pragma omp section
    {
      int seen = 0;
      while (!seen) {
#pragma omp atomic read
        seen = flag;
      }
#pragma omp flush
      printf("%d\n", data);
    }
  }
}
void phases_good(double *a, double *b, int n, int steps) {
#pragma omp parallel
  for (int t = 0; t < steps; t++) {
#pragma omp for
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i - 1] + a[i + 1];
#pragma omp for
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
}
void phases_bad(double *a, double *b, int n, int steps) {
#pragma omp parallel
  for (int t = 0; t < steps; t++) {
#pragma omp for nowait
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i - 1] + a[i + 1]; /* expect: data-race */
#pragma omp for
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i - 1]; /* expect: data-race */
  }
}
/* A flush makes visible; it does not wait. */
static void store(int *q) {
#pragma omp critical
  *q = 1; /* expect: data-race */
#pragma omp flush
}
void flush_bad(void) {
  int i = 0, sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(10)
  {
    store(&i);
    sum += i;
  }
  printf("%d\n", sum);
}
static void store_own(int *q) { *q = 1; }
void flush_good(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(10)
  {
    int i = 0;
    store_own(&i);
    sum += i;
  }
  printf("%d\n", sum);
}
typedef struct {
  int a, b;
  omp_nest_lock_t lck;
} pair;
static void more_b(pair *p) { p->b += 1; /* expect: data-race */ }
static void more_a(pair *p) { p->a += 1; }
void nested_lock_bad(void) {
  pair p[1];
  p->a = p->b = 0;
  omp_init_nest_lock(&p->lck);
#pragma omp parallel sections
  {
#pragma omp section
    {
      omp_set_nest_lock(&p->lck);
      more_b(p);
      more_a(p);
      omp_unset_nest_lock(&p->lck);
    }
#pragma omp section
    more_b(p);
  }
  omp_destroy_nest_lock(&p->lck);
  printf("%d\n", p->b);
}
static void locked_b(pair *p) {
  omp_set_nest_lock(&p->lck);
  p->b += 1;
  omp_unset_nest_lock(&p->lck);
}
void nested_lock_good(void) {
  pair p[1];
  p->a = p->b = 0;
  omp_init_nest_lock(&p->lck);
#pragma omp parallel sections
  {
#pragma omp section
    {
      omp_set_nest_lock(&p->lck);
      locked_b(p);
      p->a += 1;
      omp_unset_nest_lock(&p->lck);
    }
#pragma omp section
    locked_b(p);
  }
  omp_destroy_nest_lock(&p->lck);
  printf("%d\n", p->b);
}
void doacross_good(int a[100][100]) {
  int i, j;
#pragma omp parallel for ordered(2)
  for (i = 1; i < 100; i++)
    for (j = 1; j < 100; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      a[i][j] = a[i - 1][j] + a[i][j - 1];
#pragma omp ordered depend(source)
    }
}
/* The iterations of one thread come one after the other. */
void one_threads_iterations_good(const int *a, int n) {
  int mine = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int me = omp_get_thread_num();
    if (omp_get_thread_num() == 0) mine += a[i];
    if (me == 0) mine++;
  }
  printf("%d\n", mine);
}
void planes_bad(double r[8][8][8]) {
  double t[8];
  int i, j, k;
#pragma omp parallel for default(shared) private(j, k)
  for (i = 1; i < 7; i++)
    for (j = 1; j < 7; j++)
      for (k = 0; k < 8; k++)
        t[k] = r[i][j - 1][k] + r[i - 1][j][k]; /* expect: loop-carried-dependence */
  printf("%f\n", t[0]);
}
void two_singles_good(void) {
  int n = 0;
#pragma omp parallel shared(n)
  {
#pragma omp single
    n++;
#pragma omp barrier
#pragma omp single
    n++;
  }
  printf("%d\n", n);
}
void shuffle_good(int *a, int *sums) {
  int v = 0, w = 0;
#pragma omp target teams num_teams(4) shuffle(w) map(a[0:256], sums[0:8])
#pragma omp parallel num_threads(64) shuffle(v)
  {
    int t = omp_get_team_num() * 64 + omp_get_thread_num();
    v = a[t];
    w = 1;
    for (int k = 16; k > 0; k /= 2) {
#pragma omp shuffle down(0xffffffff, k, v +=, v)
    }
#pragma omp shuffle sync(1u << t % 32, 0, w, w)
    if (t % 32 == 0) sums[t / 32] = v + w;
  }
}
void shuffle_bad(int *a, int *sum) {
  int v = 0;
#pragma omp target map(a[0:64], sum[0:1])
#pragma omp parallel num_threads(64) shuffle(v)
  {
    v = a[omp_get_thread_num()];
#pragma omp shuffle up(0xffffffff, 1, sum[0] +=, v) /* expect: data-race */
  }
}

/* Without a parallel region around it: each thread that comes here has variables of its own. */
void orphan_good(const int *a, int *b, int n) {
  int s = 0, t[2];
#pragma omp for
  for (int i = 0; i < n; i++) {
    s += a[i];
    t[0] = i;
  }
#pragma omp sections
  {
#pragma omp section
    t[1] = 1;
#pragma omp section
    t[1] = 2;
  }
#pragma omp critical
  b[0] += s + t[0] + t[1];
}
void orphan_bad(int n) {
  static int last;
#pragma omp for
  for (int i = 0; i < n; i++)
    last = i; /* expect: missing-private */
}

void device_task_good(int *out) {
  int a = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a) shared(a)
    a = 5;
#pragma omp target depend(inout : a) map(tofrom : a)
    a += 1;
    out[0] = a;
  }
}
