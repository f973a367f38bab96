//: 10.1 parallel on the host: private, firstprivate, reduction, num_threads
TEST(host_parallel) {
  int p = 0, f = 2, n = 0;
#pragma omp parallel num_threads(3) private(p) firstprivate(f) reduction(+: n)
  {
    p = f++;
    n += p;
  }
  CHECK(n == 6 && f == 2);
  return 0;
}

//: 11.5 for on the host with a region in each iteration
//: simulator cannot take launches of several threads
TEST(host_for_regions) {
  int a[4][16];
#pragma omp parallel for num_threads(4)
  for (int k = 0; k < 4; k++) {
#pragma omp target teams distribute parallel for map(from: a[k])
    for (int i = 0; i < 16; i++)
      a[k][i] = k * i;
  }
  CHECK(a[3][15] == 45);
  return 0;
}

//: 11.5 collapse of imperfect nests on the host
TEST(host_collapse_imperfect) {
  int a[4][5], c[4][5][6], r[4], i, j, k, total = 0, last = 0;
#pragma omp parallel for collapse(2) reduction(+: total) schedule(dynamic) num_threads(3)
  for (i = 0; i < 4; i++) {
    r[i] = i;
    for (j = 0; j < 5; j++) {
      a[i][j] = i + j;
      total += a[i][j];
    }
  }
#pragma omp parallel num_threads(3)
#pragma omp for collapse(3) lastprivate(last)
  for (i = 0; i < 4; i++)
    for (j = 0; j < 5; j++) {
      int base = a[i][j] * r[i];
      for (k = 0; k < 6; k++)
        c[i][j][k] = base + k;
      last = base;
    }
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop collapse(2) private(k)
  for (i = 0; i < 4; i++) {
    k = r[i];
    for (j = 0; j < 5; j++)
      a[i][j] += k;
  }
  CHECK(total == 70 && last == 21 && c[3][4][5] == 26 && a[3][4] == 10 && r[3] == 3);
  return 0;
}

//: 12.5 task, 15.5 taskwait, 15.9.5 depend on the host
TEST(host_tasks) {
  int a = 0, b = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out: a) shared(a)
    a = 3;
#pragma omp task depend(in: a) shared(a, b)
    b = a + 1;
#pragma omp taskwait
  }
  CHECK(a == 3 && b == 4);
  return 0;
}

//: 11.3 sections on the host
TEST(host_sections) {
  int a = 0, b = 0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    a = 1;
#pragma omp section
    b = 2;
  }
  CHECK(a == 1 && b == 2);
  return 0;
}

//: 15.2 critical, 15.8.4 atomic, 10.5 masked on the host
TEST(host_sync) {
  int n = 0, m = 0, k = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp critical
    n++;
#pragma omp atomic
    m++;
#pragma omp masked
    k++;
  }
  CHECK(n == 4 && m == 4 && k == 1);
  return 0;
}

//: 10.2 teams on the host
TEST(host_teams) {
  int n = 0;
#pragma omp teams num_teams(2) reduction(+: n)
  n++;
  CHECK(n >= 1 && n <= 2);
  return 0;
}

//: 5.2 threadprivate on the host, 5.7.1 copyin
static int each;
#pragma omp threadprivate(each)
TEST(host_threadprivate) {
  int s = 0;
  each = 5;
#pragma omp parallel num_threads(3) copyin(each) reduction(+: s)
  s += each;
  CHECK(s == 15);
  return 0;
}

//: 18.2 thread team routines
TEST(routines_threads) {
  omp_set_num_threads(3);
  int n = 0, in = 0, level = 0;
#pragma omp parallel
  {
#pragma omp masked
    {
      n = omp_get_num_threads();
      in = omp_in_parallel();
      level = omp_get_level();
    }
  }
  CHECK(n == 3 && in && level == 1 && omp_get_max_threads() == 3 && omp_get_thread_num() == 0);
  CHECK(omp_get_thread_limit() > 0 && omp_get_max_active_levels() >= 1 && omp_get_supported_active_levels() >= 1);
  omp_set_dynamic(0);
  CHECK(!omp_get_dynamic() && omp_get_cancellation() >= 0);
  omp_set_schedule(omp_sched_dynamic, 4);
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK(kind == omp_sched_dynamic && chunk == 4);
  CHECK(omp_get_ancestor_thread_num(0) == 0 && omp_get_team_size(0) == 1 && omp_get_active_level() == 0);
  return 0;
}

//: 18.3 thread affinity routines
TEST(routines_affinity) {
  CHECK(omp_get_proc_bind() >= 0);
  CHECK(omp_get_num_places() >= 0);
  CHECK(omp_get_place_num() >= -1);
  return 0;
}

//: 18.4 teams region routines
TEST(routines_teams) {
  CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0);
  omp_set_num_teams(2);
  CHECK(omp_get_max_teams() == 2);
  omp_set_teams_thread_limit(4);
  CHECK(omp_get_teams_thread_limit() == 4);
  return 0;
}

//: 18.6 resource routines
TEST(routines_resources) {
  CHECK(omp_get_num_procs() >= 1 && omp_get_max_task_priority() >= 0 && omp_in_final() == 0);
  return 0;
}

//: 18.7 device information routines
TEST(routines_devices) {
  int n = omp_get_num_devices();
  CHECK(n >= 1 && omp_get_default_device() >= 0 && omp_get_initial_device() == n);
  omp_set_default_device(0);
  CHECK(omp_get_default_device() == 0 && omp_is_initial_device() && omp_get_device_num() == n);
  return 0;
}

//: 18.8.1 omp_target_alloc, omp_target_free, omp_target_memcpy, omp_target_is_present
TEST(routines_memory) {
  int a[4] = {1, 2, 3, 4}, b[4] = {0}, d = omp_get_default_device(), h = omp_get_initial_device();
  int *p = omp_target_alloc(sizeof a, d);
  CHECK(p && !omp_target_memcpy(p, a, sizeof a, 0, 0, d, h) && !omp_target_memcpy(b, p, 8, 4, 8, h, d));
  omp_target_free(p, d);
  CHECK(b[1] == 3 && b[2] == 4);
  int there = 0;
#pragma omp target data map(to: a)
  there = omp_target_is_present(a, d);
  CHECK(there);
  return 0;
}

//: 18.8.4 omp_target_is_accessible
TEST(routine_accessible) {
  int a[4];
  CHECK(omp_target_is_accessible(a, sizeof a, omp_get_initial_device()));
  return 0;
}

//: 18.8.6 omp_target_memcpy_rect
TEST(routine_rect) {
  int a[4][5], b[4][5] = {{0}}, d = omp_get_default_device(), h = omp_get_initial_device();
  for (int i = 0; i < 20; i++)
    a[i / 5][i % 5] = i;
  int *p = omp_target_alloc(sizeof a, d);
  size_t all[2] = {4, 5}, zero[2] = {0, 0}, part[2] = {2, 3}, at[2] = {1, 1};
  CHECK(!omp_target_memcpy_rect(p, a, sizeof(int), 2, all, zero, zero, all, all, d, h));
  CHECK(!omp_target_memcpy_rect(b, p, sizeof(int), 2, part, zero, at, all, all, h, d));
  omp_target_free(p, d);
  CHECK(b[0][0] == 6 && b[1][2] == 13 && b[2][0] == 0);
  return 0;
}

//: 18.8.6 omp_target_memset and omp_target_memset_async, of version 6.0
TEST(routine_memset) {
  enum { n = 70000 };
  char *x = malloc(n);
  int d = omp_get_default_device(), h = omp_get_initial_device();
  char *p = omp_target_alloc(n, d);
  CHECK(omp_target_memset(p, 7, n, d) == p);
  CHECK(omp_target_memset_async(p + 10, 9, 20, d, 0, NULL) == p + 10);
#pragma omp taskwait
  CHECK(!omp_target_memcpy(x, p, n, 0, 0, h, d));
  omp_target_free(p, d);
  for (int i = 0; i < n; i++)
    CHECK(x[i] == (i >= 10 && i < 30 ? 9 : 7));
  CHECK(omp_target_memset(x, 1, 5, h) == x && x[4] == 1 && x[5] == 7);
  CHECK(!omp_target_memset(x, 1, 5, -7));
  free(x);
  return 0;
}

//: 18.8.7 omp_target_memcpy_async
TEST(routine_memcpy_async) {
  int a[4] = {1, 2, 3, 4}, d = omp_get_default_device(), h = omp_get_initial_device(), b[4] = {0};
  int *p = omp_target_alloc(sizeof a, d);
  CHECK(!omp_target_memcpy_async(p, a, sizeof a, 0, 0, d, h, 0, NULL));
#pragma omp taskwait
  CHECK(!omp_target_memcpy_async(b, p, sizeof a, 0, 0, h, d, 0, NULL));
#pragma omp taskwait
  omp_target_free(p, d);
  CHECK(b[3] == 4);
  return 0;
}

//: 18.8.9 omp_target_associate_ptr, omp_target_disassociate_ptr
TEST(routine_associate) {
  int a[4] = {1, 2, 3, 4}, d = omp_get_default_device(), h = omp_get_initial_device();
  int *p = omp_target_alloc(sizeof a, d);
  CHECK(!omp_target_associate_ptr(a, p, sizeof a, 0, d));
  CHECK(omp_target_is_present(a, d));
#pragma omp target update to(a)
#pragma omp target map(tofrom: a)
  a[1] = 9;
  CHECK(!omp_target_memcpy(a, p, sizeof a, 0, 0, h, d) && a[1] == 9);
  CHECK(!omp_target_disassociate_ptr(a, d));
  omp_target_free(p, d);
  return 0;
}

//: 18.8.11 omp_get_mapped_ptr
TEST(routine_mapped_ptr) {
  int a[4] = {1, 2, 3, 4}, d = omp_get_default_device(), h = omp_get_initial_device(), b[4], bad = 1;
#pragma omp target data map(to: a)
  {
    void *p = omp_get_mapped_ptr(a, d);
    bad = !p || omp_target_memcpy(b, p, sizeof a, 0, 0, h, d) || b[3] != 4;
  }
  CHECK(!bad);
  CHECK(omp_get_mapped_ptr(a, h) == a);
  return 0;
}

//: 18.9 lock routines
TEST(routines_locks) {
  omp_lock_t l;
  omp_nest_lock_t m;
  int n = 0;
  omp_init_lock(&l);
  omp_init_nest_lock(&m);
#pragma omp parallel num_threads(3)
  {
    omp_set_lock(&l);
    n++;
    omp_unset_lock(&l);
  }
  CHECK(n == 3 && omp_test_lock(&l));
  omp_unset_lock(&l);
  omp_set_nest_lock(&m);
  CHECK(omp_test_nest_lock(&m) == 2);
  omp_unset_nest_lock(&m);
  omp_unset_nest_lock(&m);
  omp_destroy_lock(&l);
  omp_destroy_nest_lock(&m);
  return 0;
}

//: 18.9 locks with hints
TEST(routines_locks_hints) {
  omp_lock_t l;
  omp_nest_lock_t m;
  int n = 0;
  omp_init_lock_with_hint(&l, omp_sync_hint_contended);
  omp_init_nest_lock_with_hint(&m, omp_sync_hint_uncontended);
#pragma omp parallel num_threads(3)
  {
    omp_set_lock(&l);
    omp_set_nest_lock(&m);
    n++;
    omp_unset_nest_lock(&m);
    omp_unset_lock(&l);
  }
  CHECK(n == 3);
  omp_destroy_lock(&l);
  omp_destroy_nest_lock(&m);
  return 0;
}

//: 18.10 timing routines
TEST(routines_time) {
  double t = omp_get_wtime();
  CHECK(omp_get_wtime() >= t && omp_get_wtick() > 0);
  return 0;
}

//: 18.13 memory management routines
TEST(routines_allocators) {
  int *p = omp_alloc(16, omp_default_mem_alloc);
  CHECK(p);
  p[3] = 4;
  omp_free(p, omp_default_mem_alloc);
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}};
  omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 1, traits);
  omp_set_default_allocator(omp_default_mem_alloc);
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
  if (a != omp_null_allocator) {
    p = omp_calloc(4, 4, a);
    CHECK(p && p[2] == 0);
    p = omp_realloc(p, 64, a, a);
    omp_free(p, a);
    omp_destroy_allocator(a);
  }
  p = omp_aligned_alloc(64, 64, omp_default_mem_alloc);
  CHECK(p && (size_t)p % 64 == 0);
  omp_free(p, omp_default_mem_alloc);
  return 0;
}

//: 18.15 omp_display_env
TEST(routine_display_env) {
  void (*f)(int) = omp_display_env;
  CHECK(f != 0);
  return 0;
}

//: 18.11 omp_fulfill_event with detach
TEST(routine_event) {
  int x = 0;
  omp_event_handle_t e;
#pragma omp task detach(e) shared(x)
  {
    x = 1;
    omp_fulfill_event(e);
  }
#pragma omp taskwait
  CHECK(x == 1);
  return 0;
}

//: 13.8 the one thread of a target construct that 'if' or 'device' leaves to the host, inside parallel
static int threads_of_file(void) { return omp_get_num_threads() * 10 + omp_get_thread_num(); }
TEST(alone_on_the_host) {
  int wrong = 0, host = omp_get_initial_device();
#pragma omp parallel num_threads(4) reduction(+: wrong)
  {
    int many = 0, me = -1, both = 0;
#pragma omp target if (0) map(from: many, me)
    {
      many = omp_get_num_threads();
      me = omp_get_thread_num();
    }
#pragma omp target device(host) map(from: both)
    both = threads_of_file();
    wrong += many != 1 || me != 0 || both != 10;
  }
  CHECK(wrong == 0);
  return 0;
}

//: 9.1 tile of host loops: the order of iterations, and a collapse of all loops that it makes
TEST(tiled_host_loops) {
  int seen[25], n = 0, k;
  long sum = 0, parts = 0;
#pragma omp tile sizes(3, 2)
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) seen[n++] = i * 10 + j;
  CHECK(n == 25 && seen[1] == 1 && seen[2] == 10 && seen[6] == 2 && seen[24] == 44 && seen[15] == 30);
#pragma omp parallel for collapse(4) reduction(+: sum)
#pragma omp tile sizes(3, 2)
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) sum += i * 10 + j;
#pragma omp parallel for collapse(2) reduction(+: parts)
#pragma omp tile sizes(3)
  for (k = 0; k < 10; k++) parts += k * k;
  CHECK(sum == 550 && parts == 285);
  return 0;
}

//: 12.3 taskgraph, with tasks that are created each time, and other words of version 6.0
TEST(taskgraph) {
  int sum = 0, x = 1, out = 0;
  omp_depend_t o;
#pragma omp depobj init(inout(x): o)
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 3; k++) {
#pragma omp taskgraph graph_id(1)
    {
#pragma omp task replayable threadset(omp_pool) shared(sum)
#pragma omp atomic memscope(device)
      sum += k + 1;
    }
    out += sum;
#pragma omp task depend(depobj: o) shared(x)
    x = x * 2 + k;
  }
#pragma omp depobj destroy(o)
  CHECK(sum == 6 && out == 1 + 3 + 6 && x == 12);
  return 0;
}

//: 12.5 final of a task in a region, and what omp_in_final answers
TEST(final_in_region) {
  int r[4] = {9, 9, 9, 9}, n = 5;
#pragma omp target map(tofrom: r)
  {
#pragma omp task final(n > 3) shared(r)
    {
      r[0] = omp_in_final();
#pragma omp task final(0) shared(r)
      r[1] = omp_in_final();
    }
#pragma omp task final(n < 3) shared(r)
    r[2] = omp_in_final();
    r[3] = omp_in_final();
  }
  CHECK(r[0] == 1 && r[1] == 1 && r[2] == 0 && r[3] == 0);
  return 0;
}
