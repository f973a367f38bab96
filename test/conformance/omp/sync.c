//: 12.5 task in a region
TEST(task) {
  int a = 0, b = 0;
#pragma omp target map(tofrom: a, b)
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    a = 1;
#pragma omp task shared(b)
    b = 2;
#pragma omp taskwait
  }
  CHECK(a == 1 && b == 2);
  return 0;
}

//: 12.5 task with firstprivate, depend, if, priority, untied
TEST(task_clauses) {
  int a = 0, f = 3;
#pragma omp target map(tofrom: a)
  {
#pragma omp task firstprivate(f) shared(a) depend(out: a) if(0) priority(1) untied mergeable
    {
      a = f;
      f++;
    }
#pragma omp task shared(a) depend(inout: a)
    a += f;
#pragma omp taskwait
  }
  CHECK(a == 6);
  return 0;
}

//: 12.6 taskloop with firstprivate, lastprivate, reduction, and simd
TEST(taskloop_clauses) {
  int b[30], f = 3, last = -1, s = 0;
#pragma omp target map(from: b) map(tofrom: s, last)
  {
    int i;
#pragma omp taskloop num_tasks(3) firstprivate(f) shared(b) lastprivate(last)
    for (i = 0; i < 30; i++) {
      b[i] = i * f;
      last = i;
    }
#pragma omp taskloop simd reduction(+: s) shared(b)
    for (int j = 0; j < 30; j++)
      s += b[j];
  }
  CHECK(b[29] == 87 && s == 1305 && last == 29);
  return 0;
}

//: 12.6 taskloop in a region
TEST(taskloop) {
  int a[20], s = 0;
#pragma omp target map(from: a) map(tofrom: s)
#pragma omp taskloop grainsize(4) shared(a)
  for (int i = 0; i < 20; i++)
    a[i] = i;
  CHECK(a[19] == 19);
  return 0;
}

//: 15.4 taskgroup in a region
TEST(taskgroup) {
  int a = 0;
#pragma omp target map(tofrom: a)
  {
#pragma omp taskgroup
    {
#pragma omp task shared(a)
      a = 1;
    }
    a++;
  }
  CHECK(a == 2);
  return 0;
}

//: 12.9 taskyield in a region
TEST(taskyield) {
  int a = 0;
#pragma omp target map(tofrom: a)
  {
#pragma omp taskyield
    a++;
  }
  CHECK(a == 1);
  return 0;
}

//: 15.2 critical
TEST(critical) {
  int n = 0, m = 0;
#pragma omp target map(tofrom: n, m)
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp critical
    {
      n++;
      m += i;
    }
  }
  CHECK(n == 20 && m == 190);
  return 0;
}

//: 15.2 critical with a name and hint
TEST(critical_named) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel num_threads(4)
  {
#pragma omp critical(counter) hint(omp_sync_hint_contended)
    n++;
  }
  CHECK(n >= 1);
  return 0;
}

//: 15.2 critical across teams
TEST(critical_teams) {
  int n = 0, hi = -1;
#pragma omp target teams distribute parallel for map(tofrom: n, hi)
  for (int i = 0; i < 50; i++) {
#pragma omp critical
    {
      n++;
      if (i > hi) hi = i;
    }
  }
  CHECK(n == 50 && hi == 49);
  return 0;
}

//: 15.3 barrier
TEST(barrier) {
  int a[64] = {0}, bad = 0;
#pragma omp target map(tofrom: a, bad)
#pragma omp parallel num_threads(8)
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    a[me] = me + 1;
#pragma omp barrier
    if (a[(me + 1) % all] != (me + 1) % all + 1) {
#pragma omp atomic write
      bad = 1;
    }
  }
  CHECK(!bad);
  return 0;
}

//: 15.8.4 atomic read, write, update, capture
TEST(atomic) {
  int n = 0, seen = -1, got[20], w = 0;
#pragma omp target teams distribute parallel for map(tofrom: n, w) map(from: got)
  for (int i = 0; i < 20; i++) {
    int x;
#pragma omp atomic capture
    x = n++;
    got[x] = 1;
#pragma omp atomic write
    w = 7;
#pragma omp atomic read
    x = w;
  }
  CHECK(n == 20 && w == 7 && seen == -1);
  for (int i = 0; i < 20; i++)
    CHECK(got[i] == 1);
  return 0;
}

//: 15.8.4 atomic capture with a structured block
TEST(atomic_capture_block) {
  int n = 0, got[20];
#pragma omp target teams distribute parallel for map(tofrom: n) map(from: got)
  for (int i = 0; i < 20; i++) {
    int x;
#pragma omp atomic capture
    {
      x = n;
      n += 1;
    }
    got[x] = i;
  }
  CHECK(n == 20);
  return 0;
}

//: 15.8.4 atomic compare
TEST(atomic_compare) {
  int hi = -1;
#pragma omp target teams distribute parallel for map(tofrom: hi)
  for (int i = 0; i < 40; i++) {
#pragma omp atomic compare
    if (hi < i) { hi = i; }
  }
  CHECK(hi == 39);
  return 0;
}

//: 15.8.4 atomic compare, equality
TEST(atomic_compare_swap) {
  int owner = -1, n = 0;
#pragma omp target teams distribute parallel for map(tofrom: owner, n)
  for (int i = 0; i < 40; i++) {
    int old;
#pragma omp atomic compare capture
    { old = owner; if (owner == -1) { owner = i; } }
    if (old == -1) {
#pragma omp atomic
      n++;
    }
  }
  CHECK(n == 1 && owner >= 0);
  return 0;
}

//: 15.8.1 memory orders of atomic
TEST(atomic_orders) {
  int n = 0, x = 0, r = 0;
#pragma omp target teams distribute parallel for map(tofrom: n, x, r)
  for (int i = 0; i < 20; i++) {
    int v;
#pragma omp atomic seq_cst
    n++;
#pragma omp atomic update acq_rel
    x += 2;
#pragma omp atomic release
    r++;
#pragma omp atomic read acquire
    v = n;
    (void)v;
  }
  CHECK(n == 20 && x == 40 && r == 20);
  return 0;
}

//: 15.8.4 atomic with hint, relaxed
TEST(atomic_hint) {
  int n = 0;
#pragma omp target teams distribute parallel for map(tofrom: n)
  for (int i = 0; i < 20; i++) {
#pragma omp atomic update hint(omp_sync_hint_contended) relaxed
    n += 2;
  }
  CHECK(n == 40);
  return 0;
}

//: 15.8.5 flush
TEST(flush) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel num_threads(2)
  {
#pragma omp flush
#pragma omp atomic
    n++;
#pragma omp flush(n)
  }
  CHECK(n >= 1);
  return 0;
}

//: 15.9.4 depobj
TEST(depobj) {
  int a = 1;
  omp_depend_t d;
#pragma omp depobj(d) depend(inout: a)
#pragma omp target map(tofrom: a) depend(depobj: d)
  a++;
#pragma omp depobj(d) destroy
#pragma omp taskwait
  CHECK(a == 2);
  return 0;
}

//: 16.1 cancel for in a region
TEST(cancel) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel for
  for (int i = 0; i < 10; i++) {
#pragma omp cancel for if(i == 100)
#pragma omp atomic
    n++;
  }
  CHECK(n == 10);
  return 0;
}

//: 6.7 allocate clause
TEST(allocate_clause) {
  int a[20], t = 0;
#pragma omp target teams distribute parallel for private(t) allocate(omp_default_mem_alloc: t) map(from: a)
  for (int i = 0; i < 20; i++) {
    t = i;
    a[i] = t;
  }
  CHECK(a[19] == 19);
  return 0;
}

//: 5.2 threadprivate, read in a region
static int own = 3;
#pragma omp threadprivate(own)
TEST(threadprivate) {
  int r = 0, o = own;
#pragma omp target map(from: r) firstprivate(o)
  r = o;
  CHECK(r == 3);
  return 0;
}

//: 15.8.4 atomic compare capture, in each of its forms
TEST(compare_capture) {
  int x = 10, e = 10, v = 0, w = 0, r = 0, z = 4;
#pragma omp target map(tofrom: x, v, w, r, z)
  {
#pragma omp atomic compare capture
    { v = x; if (x == e) { x = 20; } }
#pragma omp atomic capture compare
    { x = x == 20 ? 30 : x; w = x; }
#pragma omp atomic compare capture acq_rel fail(acquire)
    { r = x == 31; if (r) { x = 1; } else { z = x; } }
#pragma omp atomic compare weak
    if (x == 30) { x = 40; }
  }
  CHECK(v == 10 && w == 30 && r == 0 && z == 30 && x == 40);
  return 0;
}

//: 15.8.4 atomic compare: one thread of many exchanges the value
TEST(compare_once) {
  int owner = -1, won = 0;
  char small[4] = {7, 7, 7, 7};
#pragma omp target teams distribute parallel for map(tofrom: owner, won, small)
  for (int i = 0; i < 200; i++) {
    int mine;
#pragma omp atomic compare capture
    { mine = owner == -1; if (mine) { owner = i; } }
    if (mine) {
#pragma omp atomic
      won++;
    }
#pragma omp atomic compare
    if (small[2] == 7) { small[2] = 9; }
  }
  CHECK(won == 1 && owner >= 0 && owner < 200 && small[2] == 9 && small[1] == 7 && small[3] == 7);
  return 0;
}

//: 12.6 taskloop of one thread: masked taskloop, parallel master taskloop simd
TEST(taskloop_combined) {
  int a[20], b[20];
#pragma omp target map(from: a, b)
  {
#pragma omp parallel num_threads(4)
    {
#pragma omp masked taskloop filter(1) grainsize(4)
      for (int i = 0; i < 20; i++)
        a[i] = i;
    }
#pragma omp parallel master taskloop simd num_threads(4)
    for (int i = 0; i < 20; i++)
      b[i] = 2 * i;
  }
  for (int i = 0; i < 20; i++)
    CHECK(a[i] == i && b[i] == 2 * i);
  return 0;
}

//: 6.5 allocate directive, in a region and outside
TEST(allocate_directive) {
  int r[8], outside;
#pragma omp allocate(outside) allocator(omp_default_mem_alloc)
  outside = 3;
#pragma omp target map(from: r)
  {
    int of_team[8];
#pragma omp allocate(of_team) allocator(omp_pteam_mem_alloc)
#pragma omp parallel for
    for (int i = 0; i < 8; i++)
      of_team[i] = i * outside;
#pragma omp parallel for
    for (int i = 0; i < 8; i++)
      r[i] = of_team[7 - i];
  }
  for (int i = 0; i < 8; i++)
    CHECK(r[i] == 3 * (7 - i));
  return 0;
}

//: 15.9.5 depend(inoutset: list), of the host's tasks and of target constructs
TEST(depend_inoutset) {
  int x[3] = {0}, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 2; i++) {
#pragma omp task depend(inoutset: x) firstprivate(i) shared(x)
      x[i] = i + 1;
    }
#pragma omp target map(tofrom: x[2:1]) depend(inoutset: x) nowait
    x[2] = 3;
#pragma omp task depend(in: x) shared(x, sum)
    sum = x[0] + x[1] + x[2];
  }
  CHECK(sum == 6);
  return 0;
}
