/* What threads share beside loops. `//: NAME VERDICT` begins a program of its own. */
//: thread-number-shared proved
int f(void) { int id;
#pragma omp parallel
  { id = omp_get_thread_num(); work(id); }
  return id; }
//: thread-number-private nothing
void f(void) { int id;
#pragma omp parallel private(id)
  { id = omp_get_thread_num(); work(id); } }
//: default-none-shared proved
int f(void) { int n = 0;
#pragma omp parallel default(none) shared(n)
  n += 2;
  return n; }
//: reduction-of-region nothing
int f(void) { int n = 0;
#pragma omp parallel reduction(+ : n)
  n += 2;
  return n; }
//: static-local proved
void g(void) { static int calls; calls++; }
void f(void) {
#pragma omp parallel
  g(); }
//: static-local-threadprivate nothing
int calls;
#pragma omp threadprivate(calls)
void g(void) { calls++; }
void f(void) {
#pragma omp parallel
  g(); }
//: file-variable-in-callee proved
int total;
void g(int k) { total += k; }
void f(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) g(i); }
//: file-variable-in-callee-atomic nothing
int total;
void g(int k) {
#pragma omp atomic
  total += k; }
void f(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) g(i); }
//: by-reference-argument proved
void g(int *p) { *p = *p + 1; }
int f(int n) { int s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) g(&s);
  return s; }
//: by-reference-own nothing
void g(int *p) { *p = *p + 1; }
void f(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) g(&a[i]); }
//: copyin-of-threadprivate nothing
int seed = 3;
#pragma omp threadprivate(seed)
void f(int *out) {
#pragma omp parallel copyin(seed)
  out[omp_get_thread_num()] = seed++; }
//: copyprivate nothing
void f(int *out) { int x;
#pragma omp parallel private(x)
  {
#pragma omp single copyprivate(x)
    x = read_input();
    out[omp_get_thread_num()] = x;
  } }
//: single-nowait-shared proved
void f(int *out) { int x = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    x = read_input();
    out[omp_get_thread_num()] = x;
  } }
//: single-with-barrier nothing
void f(int *out) { int x = 0;
#pragma omp parallel
  {
#pragma omp single
    x = read_input();
    out[omp_get_thread_num()] = x;
  } }
//: master-no-barrier proved
void f(int *out) { int x = 0;
#pragma omp parallel
  {
#pragma omp master
    x = read_input();
    out[omp_get_thread_num()] = x;
  } }
//: master-barrier nothing
void f(int *out) { int x = 0;
#pragma omp parallel
  {
#pragma omp master
    x = read_input();
#pragma omp barrier
    out[omp_get_thread_num()] = x;
  } }
//: sections-one-variable proved
int f(void) { int i = 0;
#pragma omp parallel sections
  {
#pragma omp section
    i = 1;
#pragma omp section
    i = 2;
  }
  return i; }
//: sections-one-lock nothing
omp_lock_t lck;
int f(void) { int i = 0; omp_init_lock(&lck);
#pragma omp parallel sections
  {
#pragma omp section
    { omp_set_lock(&lck); i += 1; omp_unset_lock(&lck); }
#pragma omp section
    { omp_set_lock(&lck); i += 2; omp_unset_lock(&lck); }
  }
  omp_destroy_lock(&lck); return i; }
//: sections-lock-forgotten proved
omp_lock_t lck;
int f(void) { int i = 0; omp_init_lock(&lck);
#pragma omp parallel sections
  {
#pragma omp section
    { omp_set_lock(&lck); i += 1; omp_unset_lock(&lck); }
#pragma omp section
    i += 2;
  }
  return i; }
//: critical-one-name nothing
int f(const int *a, int n) { int best = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical(best)
    if (a[i] > best) best = a[i];
  }
  return best; }
//: critical-checked-outside proved
int f(const int *a, int n) { int best = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (a[i] > best) {
#pragma omp critical
      best = a[i];
    }
  return best; }
//: critical-two-names proved
int f(int n) { int s = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp critical(one)
      s += i;
    }
  }
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
      s++;
    } else {
#pragma omp critical(two)
      s++;
    }
  }
  return s; }
//: atomic-update-plain-read proved
int f(int *out, int n) { int s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    s += i;
    out[i] = s;
  }
  return s; }
//: atomic-read-too nothing
int f(int *out, int n) { int s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) { int seen;
#pragma omp atomic
    s += i;
#pragma omp atomic read
    seen = s;
    out[i] = seen;
  }
  return s; }
//: ordered-sum nothing
int f(int n) { int x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    x = x * 2 + i;
  }
  return x; }
//: ordered-clause-alone proved
int f(int n) { int x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++) x = x * 2 + i;
  return x; }
//: barrier-inside-loop nothing
void f(double *a, double *b, int n) {
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for
    for (int i = 1; i < n; i++) b[i] = a[i - 1];
#pragma omp for
    for (int i = 0; i < n; i++) a[i] = b[i];
  } }
//: barrier-inside-loop-one-missing proved
void f(double *a, double *b, int n) {
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for nowait
    for (int i = 1; i < n; i++) b[i] = a[i - 1];
#pragma omp for
    for (int i = 0; i < n; i++) a[i] = b[i];
  } }
//: pointer-swap-by-one nothing
void f(double *a, double *b, int n) { double *from = a, *to = b;
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for
    for (int i = 0; i < n; i++) to[i] = from[i] + 1;
#pragma omp single
    { double *x = from; from = to; to = x; }
  } }
//: pointer-swap-by-all proved
void f(double *a, double *b, int n) { double *from = a, *to = b;
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for
    for (int i = 0; i < n; i++) to[i] = from[i] + 1;
    { double *x = from; from = to; to = x; }
  } }
//: slot-per-thread nothing
double f(const double *a, int n) { double part[64] = {0}, s = 0;
#pragma omp parallel num_threads(64)
  { int me = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < n; i++) part[me] += a[i]; }
  for (int t = 0; t < 64; t++) s += part[t];
  return s; }
//: slot-halved proved
double f(const double *a, int n) { double part[64] = {0}, s = 0;
#pragma omp parallel num_threads(64)
  { int me = omp_get_thread_num() / 2;
#pragma omp for
    for (int i = 0; i < n; i++) part[me] += a[i]; }
  for (int t = 0; t < 64; t++) s += part[t];
  return s; }
//: one-thread-only nothing
int f(int n) { int s = 0;
#pragma omp parallel num_threads(1)
  s += n;
  return s; }
//: nested-parallel proved
int f(void) { int s = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
      s++;
    }
#pragma omp single
    s = 5;
  }
  return s; }
//: firstprivate-copy nothing
void f(int *a, int n) { int base = 7;
#pragma omp parallel for firstprivate(base)
  for (int i = 0; i < n; i++) { base += i; a[i] = base; } }
//: firstprivate-pointer-shares proved
void f(int *a, int n) { int *p = a;
#pragma omp parallel for firstprivate(p)
  for (int i = 0; i < n; i++) p[0] = p[0] + i; }
//: local-address-in-iteration nothing
void f(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) { int t, *p = &t; *p = i; a[i] = *p; } }
//: flag-with-flush maybe
int f(void) { int data = 0, flag = 0, seen = 0;
#pragma omp parallel sections
  {
#pragma omp section
    { data = 42;
#pragma omp flush
#pragma omp atomic write
      flag = 1; }
#pragma omp section
    { int ok = 0;
      while (!ok) {
#pragma omp atomic read
        ok = flag;
      }
#pragma omp flush
      seen = data; }
  }
  return seen; }
//: doacross nothing
void f(int *a, int n) {
#pragma omp parallel for ordered(1)
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  } }
//: doacross-too-far proved
void f(int *a, int n) {
#pragma omp parallel for ordered(1)
  for (int i = 3; i < n; i++) {
#pragma omp ordered depend(sink : i - 3)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  } }
//: flag-in-critical maybe
int handed_over(void) {
  int x = 0, ready = 0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      x = 1;
#pragma omp critical
      ready = 1;
    }
#pragma omp section
    {
      int seen = 0;
      while (!seen) {
#pragma omp critical
        if (ready)
          seen = 1;
      }
      x = 2;
    }
  }
  return x;
}
//: flag-in-other-critical proved
int handed_nowhere(void) {
  int x = 0, ready = 0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      x = 1;
#pragma omp critical(here)
      ready = 1;
    }
#pragma omp section
    {
      int seen = 0;
      while (!seen) {
#pragma omp critical(there)
        if (ready)
          seen = 1;
      }
      x = 2;
    }
  }
  return x;
}
//: flag-of-the-thread-itself proved
int omp_get_thread_num(void);
int own_flag, value;
void raise_flag(int *flag) {
#pragma omp critical
  *flag = 1;
}
void lower_flag(int *flag) {
  int done = 0;
  while (!done) {
#pragma omp critical
    if (*flag == 1) {
      *flag = 0;
      done = 1;
    }
  }
}
void waits_for_nobody(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    if (me == 0) {
      raise_flag(&own_flag);
      lower_flag(&own_flag);
      value = 0;
    } else
      value = 1;
  }
}
//: queue-worked-through proved
int next_item, total;
void work_through(int n) {
#pragma omp parallel
  {
    int item = 0;
    while (item < n) {
#pragma omp critical
      item = next_item++;
      total += item;
    }
  }
}
