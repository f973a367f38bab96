/* Parallel regions, sections, locks, flags. `//: NAME LABEL` begins a program: yes, it races; no, it does not. */
//: sections-that-write-one yes
int main(void) { int i = 0;
#pragma omp parallel sections
  {
#pragma omp section
    i = 1;
#pragma omp section
    i = 2;
  }
  printf("%d\n", i); return 0; }
//: sections-with-a-lock no
int main(void) { omp_lock_t l; int i = 0; omp_init_lock(&l);
#pragma omp parallel sections
  {
#pragma omp section
    { omp_set_lock(&l); i += 1; omp_unset_lock(&l); }
#pragma omp section
    { omp_set_lock(&l); i += 2; omp_unset_lock(&l); }
  }
  omp_destroy_lock(&l); printf("%d\n", i); return 0; }
//: sections-of-firstprivate no
int main(void) { int count = 0, i = 3;
#pragma omp parallel num_threads(10)
  {
#pragma omp sections firstprivate(i)
    {
#pragma omp section
      { i++; printf("%d\n", i); }
#pragma omp section
      { i++; printf("%d\n", i); }
    }
  }
  return count; }
//: sections-of-different-parts no
int main(void) { int a[100];
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp section
    for (int i = 50; i < 100; i++) a[i] = i;
  }
  return a[3]; }
//: sections-of-parts-that-meet yes
int main(void) { int a[100];
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i <= 50; i++) a[i] = i;
#pragma omp section
    for (int i = 50; i < 100; i++) a[i] = i;
  }
  return a[3]; }
//: sections-that-do-not-wait yes
int main(void) { int a = 0, b = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp sections nowait
    {
#pragma omp section
      a = 1;
#pragma omp section
      b = 2;
    }
    printf("%d\n", a);
  }
  return b; }
//: flush-without-order-in-a-callee yes
void f1(int *q) {
#pragma omp critical
  *q = 1;
#pragma omp flush
}
int main(void) { int i = 0, sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(10)
  { f1(&i); sum += i; }
  printf("%d\n", sum); return 0; }
//: flush-of-own-values no
void f1(int *q) { *q = 1; }
int main(void) { int i = 0, sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(10) private(i)
  { f1(&i); sum += i; }
  printf("%d\n", sum); return 0; }
//: single-counts-the-team no
int main(void) { int count = 0;
#pragma omp parallel shared(count)
  {
#pragma omp single
    count += 1;
  }
  printf("%d\n", count); return 0; }
//: single-nowait-and-read yes
int main(void) { int count = 0, seen = 0;
#pragma omp parallel shared(count) reduction(+ : seen)
  {
#pragma omp single nowait
    count += 1;
    seen += count;
  }
  printf("%d\n", seen); return 0; }
//: argument-by-address yes
void f1(int *q) { *q += 1; }
int main(void) { int i = 0;
#pragma omp parallel
  f1(&i);
  printf("%d\n", i); return 0; }
//: argument-by-value no
void f1(int q) { q += 1; }
int main(void) { int i = 0;
#pragma omp parallel
  f1(i);
  printf("%d\n", i); return 0; }
//: static-in-the-callee yes
void foo(void) { static int q; q += 1; }
int main(void) {
#pragma omp parallel
  foo();
  return 0; }
//: automatic-in-the-callee no
void foo(void) { int q = 0; q += 1; }
int main(void) {
#pragma omp parallel
  foo();
  return 0; }
//: threadprivate-missing yes
long sum0 = 0, sum1 = 0;
void foo(int i) { sum0 = sum0 + i; }
int main(void) { long sum = 0;
#pragma omp parallel copyin(sum1)
  {
#pragma omp for
    for (int i = 1; i <= 1000; i++) foo(i);
#pragma omp critical
    sum = sum + sum0;
  }
  printf("%ld\n", sum); return 0; }
//: threadprivate no
static long sum0 = 0;
#pragma omp threadprivate(sum0)
void foo(int i) { sum0 = sum0 + i; }
int main(void) { long sum = 0;
#pragma omp parallel copyin(sum0)
  {
#pragma omp for
    for (int i = 1; i <= 1000; i++) foo(i);
#pragma omp critical
    sum = sum + sum0;
  }
  printf("%ld\n", sum); return 0; }
//: threadprivate-in-the-loop no
static int sum0 = 0;
#pragma omp threadprivate(sum0)
int main(void) { int sum = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 1; i <= 1000; i++) sum0 = sum0 + i;
#pragma omp critical
    sum = sum + sum0;
  }
  printf("%d\n", sum); return 0; }
//: threadprivate-missing-in-the-loop yes
static int sum0 = 0;
int main(void) { int sum = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 1; i <= 1000; i++) sum0 = sum0 + i;
#pragma omp critical
    sum = sum + sum0;
  }
  printf("%d\n", sum); return 0; }
//: threadprivate-read-from-the-first-thread yes
static int x[20];
#pragma omp threadprivate(x)
int main(void) { int *p = x; int j = 0, sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  { if (omp_get_thread_num() == 0) { x[0] = 5; } sum += p[0]; }
  printf("%d\n", sum + j); return 0; }
//: heap-by-a-file-variable yes
int *counter;
void foo(void) { (*counter)++; }
int main(void) { counter = malloc(sizeof(int)); *counter = 0;
#pragma omp parallel
  foo();
  printf("%d\n", *counter); free(counter); return 0; }
//: heap-in-the-region no
int main(void) {
#pragma omp parallel
  { int *counter = malloc(sizeof(int)); *counter = 0; (*counter)++; free(counter); }
  return 0; }
//: heap-pointer-shared-allocated-by-all yes
int main(void) { int *p;
#pragma omp parallel
  { p = malloc(4); *p = 1; }
  return 0; }
//: copyprivate no
float x = 0.0; int y = 0;
#pragma omp threadprivate(x, y)
int main(void) {
#pragma omp parallel
  {
#pragma omp single copyprivate(x, y)
    { x = 1.0; y = 1; }
  }
  printf("%f %d\n", x, y); return 0; }
//: master-prints no
int main(void) { int k;
#pragma omp parallel
  {
#pragma omp master
    { k = omp_get_num_threads(); printf("%d\n", k); }
  }
  return 0; }
//: master-does-not-wait yes
int main(void) { int init, local;
#pragma omp parallel shared(init) private(local)
  {
#pragma omp master
    init = 10;
    local = init;
  }
  printf("%d\n", init); return 0; }
//: single-waits no
int main(void) { int init, local;
#pragma omp parallel shared(init) private(local)
  {
#pragma omp single
    init = 10;
    local = init;
  }
  printf("%d\n", init); return 0; }
//: atomic-counter no
int main(void) { int a = 0;
#pragma omp parallel
  {
#pragma omp atomic
    a += 1;
  }
  printf("%d\n", a); return 0; }
//: atomic-and-a-plain-read yes
int main(void) { int a = 0, s = 0;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp atomic
    a += 1;
    s += a;
  }
  printf("%d\n", s); return 0; }
//: atomic-captured-place no
int main(void) { int count = 0, out[1000];
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) { int at;
#pragma omp atomic capture
    at = count++;
    out[at] = i; }
  return out[3]; }
//: atomic-of-one-of-two yes
int main(void) { int a = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp atomic
      a += 1;
    }
#pragma omp section
    a += 2;
  }
  return a; }
//: atomic-in-all-of-three no
int main(void) { int x = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
#pragma omp atomic write
      x = 10;
    }
    int v;
#pragma omp atomic read
    v = x;
    printf("%d\n", v);
  }
  return 0; }
//: atomic-write-and-plain-read-elsewhere yes
int main(void) { int x = 0, s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
#pragma omp atomic update
    x++;
    if (omp_get_thread_num() == 1) s += x;
  }
  return s; }
//: critical-counter no
int main(void) { int a = 0;
#pragma omp parallel
  {
#pragma omp critical
    a++;
  }
  return a; }
//: critical-of-two-names yes
int main(void) { int a = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp critical(one)
      a++;
    }
#pragma omp section
    {
#pragma omp critical(two)
      a++;
    }
  }
  return a; }
//: critical-then-a-read-outside yes
int main(void) { int a = 0, s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
#pragma omp critical
    a++;
    s += a;
  }
  return s; }
//: critical-in-sections-and-a-flag-under-it no
int main(void) { int x = 0, y = 0;
#pragma omp parallel sections
  {
#pragma omp section
    { x = 1;
#pragma omp critical
      y = 1;
    }
#pragma omp section
    { int seen;
      do {
#pragma omp critical
        seen = y;
      } while (!seen);
      printf("%d\n", x); }
  }
  return 0; }
//: nested-lock-in-both no
typedef struct { int a, b; omp_nest_lock_t lck; } pair;
void inc_a(pair *p) { p->a += 1; }
void inc_b(pair *p) { omp_set_nest_lock(&p->lck); p->b += 1; omp_unset_nest_lock(&p->lck); }
int main(void) { pair p[1]; p->a = 0; p->b = 0; omp_init_nest_lock(&p->lck);
#pragma omp parallel sections
  {
#pragma omp section
    { omp_set_nest_lock(&p->lck); inc_b(p); inc_a(p); omp_unset_nest_lock(&p->lck); }
#pragma omp section
    inc_b(p);
  }
  omp_destroy_nest_lock(&p->lck); return 0; }
//: nested-lock-in-one yes
typedef struct { int a, b; omp_nest_lock_t lck; } pair;
void inc_a(pair *p) { p->a += 1; }
void inc_b(pair *p) { p->b += 1; }
int main(void) { pair p[1]; p->a = 0; p->b = 0; omp_init_nest_lock(&p->lck);
#pragma omp parallel sections
  {
#pragma omp section
    { omp_set_nest_lock(&p->lck); inc_b(p); inc_a(p); omp_unset_nest_lock(&p->lck); }
#pragma omp section
    inc_b(p);
  }
  omp_destroy_nest_lock(&p->lck); return 0; }
//: barrier-between no
int main(void) { int x = 0, s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
    if (omp_get_thread_num() == 0) x = 1;
#pragma omp barrier
    s += x;
  }
  return s; }
//: barrier-missing yes
int main(void) { int x = 0, s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
    if (omp_get_thread_num() == 0) x = 1;
    s += x;
  }
  return s; }
//: barrier-before-the-next-turn-missing yes
int main(void) { int x = 0, s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
  for (int t = 0; t < 10; t++) {
#pragma omp single
    x = t;
    s += x;
  }
  return s; }
//: lock-taken-by-all no
int main(void) { omp_lock_t l; int n = 0; omp_init_lock(&l);
#pragma omp parallel
  { omp_set_lock(&l); n++; omp_unset_lock(&l); }
  omp_destroy_lock(&l); return n; }
//: lock-not-taken-by-one yes
int main(void) { omp_lock_t l; int n = 0; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    { omp_set_lock(&l); n++; omp_unset_lock(&l); }
#pragma omp single
    n++;
  }
  omp_destroy_lock(&l); return n; }
//: lock-of-two yes
int main(void) { omp_lock_t l, k; int n = 0; omp_init_lock(&l); omp_init_lock(&k);
#pragma omp parallel sections
  {
#pragma omp section
    { omp_set_lock(&l); n++; omp_unset_lock(&l); }
#pragma omp section
    { omp_set_lock(&k); n++; omp_unset_lock(&k); }
  }
  return n; }
//: lock-released-too-early yes
int main(void) { omp_lock_t l; int n = 0; omp_init_lock(&l);
#pragma omp parallel
  { omp_set_lock(&l); int m = n; omp_unset_lock(&l); n = m + 1; }
  return n; }
//: lock-handed-over-in-vain yes
int main(void) { omp_lock_t l; int x = 0; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { omp_set_lock(&l); x = 1; omp_unset_lock(&l); }
    if (omp_get_thread_num() == 1) { omp_set_lock(&l); omp_unset_lock(&l); printf("%d\n", x); }
  }
  return 0; }
//: lock-taken-in-a-branch-of-each no
int main(void) { omp_lock_t l; int x = 0; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { omp_set_lock(&l); x = 1; omp_unset_lock(&l); }
    else { omp_set_lock(&l); printf("%d\n", x); omp_unset_lock(&l); }
  }
  return 0; }
//: lock-in-a-branch-and-none-in-the-other yes
int main(void) { omp_lock_t l; int x = 0; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { omp_set_lock(&l); x = 1; omp_unset_lock(&l); }
    else { x = 2; }
  }
  return x; }
//: lock-per-element no
int main(void) { omp_lock_t l[8]; int h[8] = {0};
  for (int i = 0; i < 8; i++) omp_init_lock(&l[i]);
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) { int k = i % 8; omp_set_lock(&l[k]); h[k]++; omp_unset_lock(&l[k]); }
  return h[3]; }
//: lock-per-element-of-a-neighbour yes
int main(void) { omp_lock_t l[8]; int h[8] = {0};
  for (int i = 0; i < 8; i++) omp_init_lock(&l[i]);
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) { int k = i % 8; omp_set_lock(&l[i % 7]); h[k]++; omp_unset_lock(&l[i % 7]); }
  return h[3]; }
//: lock-tested no
int omp_test_lock(omp_lock_t *);
int main(void) { omp_lock_t l; int n = 0; omp_init_lock(&l);
#pragma omp parallel
  { while (!omp_test_lock(&l)) ; n++; omp_unset_lock(&l); }
  return n; }
//: flag-with-release-and-acquire no
int main(void) { int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { x = 10;
#pragma omp atomic write release
      y = 1;
    } else { int seen = 0;
      while (seen == 0) {
#pragma omp atomic read acquire
        seen = y;
      }
      printf("%d\n", x); }
  }
  return 0; }
//: flag-with-flush no
int main(void) { int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { x = 10;
#pragma omp flush
#pragma omp atomic write
      y = 1;
    } else { int seen = 0;
      while (seen == 0) {
#pragma omp atomic read
        seen = y;
      }
#pragma omp flush
      printf("%d\n", x); }
  }
  return 0; }
//: flag-not-waited-for yes
int main(void) { int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { x = 10;
#pragma omp atomic write release
      y = 1;
    } else {
      int seen;
#pragma omp atomic read acquire
      seen = y;
      printf("%d %d\n", x, seen); }
  }
  return 0; }
//: flag-that-is-plain yes
int main(void) { int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { x = 10; y = 1; }
    else { while (y == 0) ; printf("%d\n", x); }
  }
  return 0; }
//: flag-written-plainly-and-read-with-atomic yes
int main(void) { int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { x = 10;
#pragma omp flush
      y = 1;
    } else { int seen = 0;
      while (seen == 0) {
#pragma omp atomic read
        seen = y;
      }
#pragma omp flush
      printf("%d\n", x); }
  }
  return 0; }
//: flag-under-a-critical-of-each-thread no
int main(void) { int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical
      { x = 10; }
#pragma omp atomic write release
      y = 1;
    } else { int seen = 0;
      while (seen == 0) {
#pragma omp atomic read acquire
        seen = y;
      }
#pragma omp critical
      { x = 11; } }
  }
  return x; }
//: element-of-a-critical-read-outside yes
int best[10], at;
static void choose(int *p, int i) {
#pragma omp critical
  { if (i > p[0]) p[0] = i; }
}
static int look(int *p) { return p[0]; }
int main(void) { int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 100; i++) { choose(best, i); s += look(best); }
  return s; }
//: teams-of-the-host-in-a-region no
int main(void) { int a[100];
#pragma omp parallel num_threads(4)
  { int t = omp_get_thread_num(), n = omp_get_num_threads();
    for (int i = t; i < 100; i += n) a[i] = i; }
  return a[3]; }
//: teams-of-the-host-in-chunks no
int main(void) { int a[100];
#pragma omp parallel num_threads(4)
  { int t = omp_get_thread_num(); for (int i = t * 25; i < t * 25 + 25; i++) a[i] = i; }
  return a[3]; }
//: teams-of-the-host-in-chunks-that-meet yes
int main(void) { int a[200];
#pragma omp parallel num_threads(4)
  { int t = omp_get_thread_num(); for (int i = t * 25; i <= t * 25 + 25; i++) a[i] = i; }
  return a[3]; }
//: partial-sums-by-thread no
int main(void) { int part[4] = {0}, total = 0;
#pragma omp parallel num_threads(4)
  { int t = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < 100; i++) part[t] += i;
  }
  for (int t = 0; t < 4; t++) total += part[t];
  return total; }
//: partial-sums-read-too-early yes
int main(void) { int part[4] = {0}, total = 0;
#pragma omp parallel num_threads(4)
  { int t = omp_get_thread_num();
#pragma omp for nowait
    for (int i = 0; i < 100; i++) part[t] += i;
#pragma omp single
    for (int k = 0; k < 4; k++) total += part[k];
  }
  return total; }
//: nested-region-shares yes
int main(void) { int x = 0;
#pragma omp parallel num_threads(2)
  { int y = 0;
#pragma omp parallel num_threads(2)
    y++;
    x = y; }
  return x; }
//: nested-region-private no
int main(void) {
#pragma omp parallel num_threads(2)
  { int y = 0;
#pragma omp parallel num_threads(2) firstprivate(y)
    y++;
    printf("%d\n", y); }
  return 0; }
//: region-of-one-thread no
int main(void) { int x = 0;
#pragma omp parallel num_threads(1)
  x++;
  return x; }
//: masked-and-a-barrier no
int main(void) { int x = 0, s = 0;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp masked
    x = 3;
#pragma omp barrier
    s += x;
  }
  return s; }
//: single-in-an-endless-loop no
int main(void) { int left = 10;
#pragma omp parallel
  while (1) {
    int now;
#pragma omp critical
    { now = left; if (left > 0) left--; }
    if (now == 0) break;
  }
  return left; }
//: single-resets-what-others-look-at yes
int main(void) { int more = 1, turn = 0;
#pragma omp parallel
  while (1) {
#pragma omp single
    { turn++; more = turn < 5; }
    if (!more) break;
  }
  return turn; }
//: lastprivate-of-conditional yes
int main(void) { int last = -1, a[100];
  for (int i = 0; i < 100; i++) a[i] = i % 3;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) if (a[i] > 0) last = i;
  return last; }
//: lastprivate-conditional-said no
int main(void) { int last = -1, a[100];
  for (int i = 0; i < 100; i++) a[i] = i % 3;
#pragma omp parallel for lastprivate(conditional : last)
  for (int i = 0; i < 100; i++) if (a[i] > 0) last = i;
  return last; }
//: firstprivate-missing yes
int main(void) { int start = 0, a[100];
#pragma omp parallel for
  for (int i = 0; i < 100; i++) { start = start + i; a[i] = start; }
  return a[3]; }
//: record-members-apart no
struct both { int x, y; } s;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    s.x = 1;
#pragma omp section
    s.y = 2;
  }
  return s.x; }
//: record-member-of-both yes
struct both { int x, y; } s;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    s.x = 1;
#pragma omp section
    { s.y = 2; s.x = 3; }
  }
  return s.x; }
//: union-members yes
union one { int i; float f; } u;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    u.i = 1;
#pragma omp section
    u.f = 2;
  }
  return u.i; }
//: linked-list-pushed-by-all yes
struct node { struct node *next; int v; } *head;
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = head; head = n; }
  return 0; }
//: linked-list-pushed-under-a-critical no
struct node { struct node *next; int v; } *head;
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) { struct node *n = malloc(sizeof *n); n->v = i;
#pragma omp critical
    { n->next = head; head = n; } }
  return 0; }
//: copied-whole-while-changed yes
struct s { int a[4]; } x, y;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    x.a[2] = 1;
#pragma omp section
    y = x;
  }
  return y.a[2]; }
//: memory-set-by-all yes
int main(void) { char a[100];
#pragma omp parallel
  memset(a, omp_get_thread_num(), sizeof a);
  return a[3]; }
//: memory-copied-while-written yes
int main(void) { int a[100], b[100] = {0};
#pragma omp parallel sections
  {
#pragma omp section
    memcpy(a, b, sizeof a);
#pragma omp section
    a[3] = 4;
  }
  return a[3]; }
//: producer-and-consumer-of-a-ring no
int ring[16], in, out;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    for (int k = 0; k < 100; ) {
#pragma omp critical
      if (in - out < 16) { ring[in % 16] = k++; in++; }
    }
#pragma omp section
    for (int k = 0; k < 100; ) {
#pragma omp critical
      if (out < in) { k++; printf("%d\n", ring[out % 16]); out++; }
    }
  }
  return 0; }
//: producer-and-consumer-without-lock yes
int ring[16], in, out;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    for (int k = 0; k < 100; ) if (in - out < 16) { ring[in % 16] = k++; in++; }
#pragma omp section
    for (int k = 0; k < 100; ) if (out < in) { k++; printf("%d\n", ring[out % 16]); out++; }
  }
  return 0; }
//: handed-over-under-a-critical-that-is-looked-at-once no
int main(void) { int x = 0, ready = 0;
#pragma omp parallel sections
  {
#pragma omp section
    { x = 1;
#pragma omp critical
      ready = 1;
    }
#pragma omp section
    { int seen;
#pragma omp critical
      seen = ready;
      if (seen) printf("%d\n", x); }
  }
  return 0; }
//: handed-over-under-a-lock-that-is-looked-at-once no
int main(void) { omp_lock_t l; int x = 0, ready = 0; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) { x = 1; omp_set_lock(&l); ready = 1; omp_unset_lock(&l); }
    if (omp_get_thread_num() == 1) { int seen; omp_set_lock(&l); seen = ready; omp_unset_lock(&l); if (seen) printf("%d\n", x); }
  }
  return 0; }
//: lock-held-by-the-master-until-the-value-is-there no
int main(void) { omp_lock_t l; int x = 0; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) omp_set_lock(&l);
#pragma omp barrier
    if (omp_get_thread_num() == 0) { x = 1; omp_unset_lock(&l); }
    else { omp_set_lock(&l); omp_unset_lock(&l); printf("%d\n", x); }
  }
  return 0; }
//: handed-over-by-an-atomic-that-is-looked-at-once no
int main(void) { int x = 0, ready = 0;
#pragma omp parallel sections
  {
#pragma omp section
    { x = 1;
#pragma omp atomic write release
      ready = 1;
    }
#pragma omp section
    { int seen;
#pragma omp atomic read acquire
      seen = ready;
      if (seen) printf("%d\n", x); }
  }
  return 0; }
//: handed-over-by-what-a-critical-decides no
int main(void) { int x = 0, ready = 0;
#pragma omp parallel sections
  {
#pragma omp section
    { x = 1;
#pragma omp critical
      ready = 1;
    }
#pragma omp section
    { int got = 0;
#pragma omp critical
      { if (ready == 1) got = 2; }
      if (got == 2) printf("%d\n", x); }
  }
  return 0; }
//: value-that-a-critical-shows-to-be-there no
int main(void) { int x = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp critical
      x = 1;
    }
#pragma omp section
    { int seen;
#pragma omp critical
      seen = x;
      if (seen) printf("%d\n", x); }
  }
  return 0; }
//: memory-copied-row-by-row no
int main(void) { int a[1000], b[1000] = {0};
#pragma omp parallel for
  for (int i = 0; i < 10; i++) memcpy(&a[i * 100], &b[i * 100], 400);
  return a[3]; }
//: memory-copied-to-the-next-row yes
int main(void) { int a[1100] = {0};
#pragma omp parallel for
  for (int i = 0; i < 10; i++) memcpy(&a[(i + 1) * 100], &a[i * 100], 400);
  return a[3]; }
//: union-of-each-thread no
union one { int i; float f; };
int main(void) {
#pragma omp parallel
  { union one u; u.i = omp_get_thread_num(); printf("%f\n", u.f); }
  return 0; }
//: loop-that-ends-when-all-agree no
int main(void) { double error = 1; int turns = 0; static double a[100];
#pragma omp parallel
  while (error > 0.1) {
#pragma omp barrier
#pragma omp single
    { error = 0; turns++; }
#pragma omp for reduction(+ : error)
    for (int i = 0; i < 100; i++) { a[i] /= 2; error += a[i]; }
  }
  return turns; }
//: loop-whose-error-is-reset-too-early yes
int main(void) { double error = 1; int turns = 0; static double a[100];
#pragma omp parallel
  while (error > 0.1) {
#pragma omp single
    { error = 0; turns++; }
#pragma omp for reduction(+ : error)
    for (int i = 0; i < 100; i++) { a[i] /= 2; error += a[i]; }
  }
  return turns; }
//: barrier-in-a-loop-of-one-turn no
int main(void) { int x = 0, s = 0;
#pragma omp parallel reduction(+ : s)
  do {
#pragma omp single
    x = 1;
    s += x;
  } while (0);
  return s; }
//: blocks-of-work-with-a-remainder no
int main(void) { int a[103];
#pragma omp parallel num_threads(4)
  { int t = omp_get_thread_num(), n = omp_get_num_threads(), each = (103 + n - 1) / n;
    int from = t * each, to = from + each < 103 ? from + each : 103;
    for (int i = from; i < to; i++) a[i] = i; }
  printf("%d\n", a[102]); return 0; }
//: blocks-of-work-that-include-the-end yes
int main(void) { int a[104];
#pragma omp parallel num_threads(4)
  { int t = omp_get_thread_num();
    for (int i = t * 26; i <= t * 26 + 26 && i < 104; i++) a[i] = i + t; }
  printf("%d\n", a[102]); return 0; }
//: stencil-in-two-arrays-with-swap-inside yes
int main(void) { double x[50] = {0}, y[50] = {0}, *in = x, *out = y;
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for
    for (int i = 1; i < 49; i++) out[i] = in[i - 1] + in[i + 1];
    double *h = in; in = out; out = h; }
  printf("%f\n", in[5]); return 0; }
//: stencil-in-two-arrays-with-swap-by-one no
int main(void) { double x[50] = {0}, y[50] = {0}, *in = x, *out = y;
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for
    for (int i = 1; i < 49; i++) out[i] = in[i - 1] + in[i + 1];
#pragma omp single
    { double *h = in; in = out; out = h; } }
  printf("%f\n", in[5]); return 0; }
//: residual-set-to-zero-by-all yes
int main(void) { double a[50], r = 1; for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
    r = 0;
#pragma omp for reduction(+ : r)
    for (int i = 0; i < 50; i++) r += a[i];
  }
  printf("%f\n", r); return 0; }
//: residual-set-to-zero-by-one no
int main(void) { double a[50], r = 1; for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp barrier
#pragma omp single
    r = 0;
#pragma omp for reduction(+ : r)
    for (int i = 0; i < 50; i++) r += a[i];
  }
  printf("%f\n", r); return 0; }
//: random-state-shared yes
static unsigned state = 1;
static unsigned next(void) { state = state * 1103515245u + 12345u; return state >> 16; }
int main(void) { int in = 0;
#pragma omp parallel for reduction(+ : in)
  for (int i = 0; i < 1000; i++) in += next() % 2;
  printf("%d\n", in); return 0; }
//: random-state-of-each no
static unsigned next(unsigned *state) { *state = *state * 1103515245u + 12345u; return *state >> 16; }
int main(void) { int in = 0;
#pragma omp parallel reduction(+ : in)
  { unsigned state = 7;
#pragma omp for
    for (int i = 0; i < 1000; i++) in += next(&state) % 2; }
  printf("%d\n", in); return 0; }
//: buffer-of-the-function-static yes
static double norm(double a) { static double part[3]; for (int k = 0; k < 3; k++) part[k] = a * k; return part[2] - part[1]; }
int main(void) { double b[100];
#pragma omp parallel for
  for (int i = 0; i < 100; i++) b[i] = norm(i);
  printf("%f\n", b[7]); return 0; }
//: buffer-of-the-function no
static double norm(double a) { double part[3]; for (int k = 0; k < 3; k++) part[k] = a * k; return part[2] - part[1]; }
int main(void) { double b[100];
#pragma omp parallel for
  for (int i = 0; i < 100; i++) b[i] = norm(i);
  printf("%f\n", b[7]); return 0; }
//: masked-with-a-filter-and-the-first yes
int main(void) { int x = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp masked filter(1)
    x = 1;
#pragma omp masked
    x = 2; }
  printf("%d\n", x); return 0; }
//: masked-with-the-same-filter no
int main(void) { int x = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp masked filter(1)
    x = 1;
#pragma omp masked filter(1)
    x = 2; }
  printf("%d\n", x); return 0; }
//: sections-in-order-by-nothing yes
int main(void) { int a[20], s = 0;
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < 20; i++) a[i] = i;
#pragma omp section
    for (int i = 0; i < 20; i++) s += a[i];
  }
  printf("%d\n", s); return 0; }
//: sections-after-each-other no
int main(void) { int a[20], s = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < 20; i++) a[i] = i;
    }
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < 20; i++) s += a[i];
    }
  }
  printf("%d\n", s); return 0; }
//: cyclic-by-threads no
int main(void) { int a[90];
#pragma omp parallel
  for (int i = omp_get_thread_num(); i < 90; i += omp_get_num_threads()) a[i] = i;
  printf("%d\n", a[8]); return 0; }
//: cyclic-by-threads-that-reads-on yes
int main(void) { int a[91]; for (int i = 0; i < 91; i++) a[i] = i;
#pragma omp parallel
  for (int i = omp_get_thread_num(); i < 90; i += omp_get_num_threads()) a[i] = a[i + 1] + 1;
  printf("%d\n", a[8]); return 0; }
//: whole-loop-by-every-thread yes
int main(void) { int a[90]; for (int i = 0; i < 90; i++) a[i] = i;
#pragma omp parallel
  for (int i = 0; i < 90; i++) a[i] += 1;
  printf("%d\n", a[8]); return 0; }
//: reader-inside-of-single-nowait yes
int main(void) { int x = 0, y[8] = {0};
#pragma omp parallel num_threads(4)
  {
#pragma omp for nowait
    for (int i = 0; i < 8; i++) y[i] = i;
#pragma omp single
    for (int i = 0; i < 8; i++) x += y[i];
  }
  printf("%d\n", x); return 0; }
//: reader-inside-of-single no
int main(void) { int x = 0, y[8] = {0};
#pragma omp parallel num_threads(4)
  {
#pragma omp for
    for (int i = 0; i < 8; i++) y[i] = i;
#pragma omp single
    for (int i = 0; i < 8; i++) x += y[i];
  }
  printf("%d\n", x); return 0; }
