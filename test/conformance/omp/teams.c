//: 10.1 parallel, single, for and barrier in a function that a region calls
#pragma omp declare target
static void teams_fill(int *p) {
#pragma omp parallel
  {
#pragma omp single
    p[0] = 1;
#pragma omp for
    for (int i = 1; i < 10; i++)
      p[i] = p[0] + i;
#pragma omp barrier
#pragma omp master
    p[10] = p[9];
  }
}
#pragma omp end declare target
TEST(teams_in_function) {
  int p[11] = {0};
#pragma omp target map(tofrom: p)
  teams_fill(p);
  for (int i = 0; i < 10; i++)
    CHECK(p[i] == i + 1);
  CHECK(p[10] == 10);
  return 0;
}

//: 15.3 barrier in a function with what a team shares, called again and again
#pragma omp declare target
static int teams_scan(int *shared, int id, int n) {
  if (n <= 0)
    return -1;
  for (int by = 1; by < n; by *= 2) {
    int before = id >= by ? shared[id - by] : 0;
#pragma omp barrier
    shared[id] += before;
#pragma omp barrier
  }
  return shared[id];
}
static int teams_scan_twice(int *shared, int id) {
  int first = teams_scan(shared, id, 16);
  return first + teams_scan(shared, id, 16);
}
#pragma omp end declare target
TEST(teams_barrier_in_function) {
  int a[32];
#pragma omp target teams num_teams(2) map(from: a)
  {
    int shared[16];
#pragma omp parallel num_threads(16)
    {
      int id = omp_get_thread_num();
      shared[id] = 1;
#pragma omp barrier
      a[omp_get_team_num() * 16 + id] = teams_scan_twice(shared, id);
    }
  }
  // Sums of 1, 1, ..., and of 1, 2, ..., where there are two teams.
  for (int i = 0; i < 16; i++)
    CHECK(a[i] == i + 1 + (i + 1) * (i + 2) / 2);
  return 0;
}

//: 11.5 for in a function that all threads call
#pragma omp declare target
static int teams_sum(const int *p, int n) {
  int s = 0;
#pragma omp for
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}
#pragma omp end declare target
TEST(teams_for_in_function) {
  int p[100], s = 0;
  for (int i = 0; i < 100; i++)
    p[i] = i;
#pragma omp target map(to: p) map(tofrom: s)
#pragma omp parallel num_threads(4)
  {
    if (teams_sum(p, 100) >= 0) {
      int own = teams_sum(p, 100);
#pragma omp atomic
      s += own;
    }
  }
  CHECK(s == 4950);
  return 0;
}

//: 10.1 reduction of a parallel construct in a function
#pragma omp declare target
static int teams_count(void) {
  int c = 0;
#pragma omp parallel reduction(+: c) num_threads(8)
  c += 1;
  return c;
}
#pragma omp end declare target
TEST(teams_reduction_in_function) {
  int c = 0;
#pragma omp target map(from: c)
  c = teams_count();
  CHECK(c >= 1 && c <= 8);
  return 0;
}

//: 15.8.1 flush and an atomic with a memory order in a function
#pragma omp declare target
static void teams_ordered(int *x) {
#pragma omp atomic update seq_cst
  *x += 1;
#pragma omp flush
}
#pragma omp end declare target
TEST(teams_order_in_function) {
  int x = 0;
#pragma omp target parallel for map(tofrom: x)
  for (int i = 0; i < 50; i++)
    teams_ordered(&x);
  CHECK(x == 50);
  return 0;
}

//: 10.1 num_threads and thread_limit of a variable that keeps its first value
TEST(teams_size_of_variable) {
  const int most = 32;
  int block = most / 2, a[64];
#pragma omp target teams num_teams(4) thread_limit(block) map(from: a)
  {
    int shared[16];
#pragma omp parallel num_threads(block)
    {
      int id = omp_get_thread_num();
      shared[id] = id;
#pragma omp barrier
      a[omp_get_team_num() * block + id] = shared[block - 1 - id];
    }
  }
  for (int i = 0; i < 16; i++)
    CHECK(a[i] == 15 - i);
  return 0;
}

//: 10.1 num_threads of a value that the program computes
TEST(teams_size_of_run) {
  int a[200], n = 0, seen = 0;
  for (int i = 0; i < 200; i++) {
    a[i] = 0;
    n += i % 2;
  }
#pragma omp target parallel num_threads(n) map(tofrom: a, seen)
  {
    for (int i = omp_get_thread_num(); i < 200; i += omp_get_num_threads())
      a[i] = i;
    if (omp_get_thread_num() == 0)
      seen = omp_get_num_threads();
  }
  CHECK(seen >= 1 && seen <= 100);
  for (int i = 0; i < 200; i++)
    CHECK(a[i] == i);
  return 0;
}

//: 10.1 parallel constructs of one region with different numbers of threads
TEST(teams_of_different_sizes) {
  int a[64], b[64];
#pragma omp target map(from: a, b)
  {
#pragma omp parallel num_threads(8)
    {
#pragma omp for
      for (int i = 0; i < 64; i++)
        a[i] = i;
    }
#pragma omp parallel num_threads(4)
    for (int i = omp_get_thread_num(); i < 64; i += omp_get_num_threads())
      b[i] = a[i];
  }
  for (int i = 0; i < 64; i++)
    CHECK(b[i] == i);
  return 0;
}

//: 5.5.11 declare reduction shared by teams, threads and what is in them
struct combined_most {
  int at, most;
};
static void combined_larger(struct combined_most *out, const struct combined_most *in) {
  if (in->most > out->most || (in->most == out->most && in->at < out->at))
    *out = *in;
}
#pragma omp declare reduction(most: struct combined_most: combined_larger(&omp_out, &omp_in)) initializer(omp_priv = {-1, -1})
#pragma omp declare reduction(join: int, double: omp_out += omp_in) initializer(omp_priv = 0)
TEST(declare_reduction_shared) {
  int a[1000], last = 0, sum = 0, joined = 5;
  struct combined_most m = {-1, -1}, each[4], in_teams = {-1, -1}, of_loop = {-1, 7};
  double total = 0.5;
  for (int i = 0; i < 1000; i++)
    a[i] = i * 7 % 1000;
  // 1000 = 8 * 125: 7 * 857 = 5999.
#pragma omp target teams distribute parallel for reduction(most: m) reduction(join: total) reduction(+: sum) lastprivate(last) map(to: a)
  for (int i = 0; i < 1000; i++) {
    combined_larger(&m, &(struct combined_most){i, a[i]});
    total += 1;
    sum += a[i];
    last = a[i];
  }
  CHECK(m.at == 857 && m.most == 999 && total == 1000.5 && sum == 499500 && last == 993);
#pragma omp target teams distribute map(to: a) map(from: each)
  for (int k = 0; k < 4; k++) {
    struct combined_most own = {-1, -1};
#pragma omp parallel for reduction(most: own)
    for (int i = 0; i < 250; i++)
      combined_larger(&own, &(struct combined_most){i, a[k * 250 + i]});
    each[k] = own;
  }
  for (int k = 0; k < 4; k++)
    CHECK(each[k].most == a[k * 250 + each[k].at] && each[k].most > 990);
#pragma omp target teams distribute reduction(most: in_teams) map(to: a)
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 10; j++)
      combined_larger(&in_teams, &(struct combined_most){i * 10 + j, a[i * 10 + j]});
  CHECK(in_teams.at == 857 && in_teams.most == 999);
#pragma omp target map(to: a) map(tofrom: of_loop, joined)
#pragma omp parallel num_threads(8)
  {
#pragma omp for reduction(most: of_loop)
    for (int i = 0; i < 1000; i++)
      combined_larger(&of_loop, &(struct combined_most){i, a[i]});
#pragma omp for collapse(2) reduction(join: joined)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 10; j++)
        joined += a[10 * i + j]; // i * j would have a closed form, in more bits than Oclgrind takes
  }
  CHECK(of_loop.at == 857 && joined == 34655);
  return 0;
}

//: 5.5.11 declare reduction of a structure for which few copies have room, and of one that many threads combine
struct combined_big {
  double of[100];
};
static void combined_add(struct combined_big *out, const struct combined_big *in) {
  for (int i = 0; i < 100; i++)
    out->of[i] += in->of[i];
}
static void combined_zero(struct combined_big *all) {
  for (int i = 0; i < 100; i++)
    all->of[i] = 0;
}
#pragma omp declare reduction(add: struct combined_big: combined_add(&omp_out, &omp_in)) initializer(combined_zero(&omp_priv))
TEST(declare_reduction_big) {
  struct combined_big b;
  for (int i = 0; i < 100; i++)
    b.of[i] = i;
#pragma omp target parallel for reduction(add: b) num_threads(100)
  for (int i = 0; i < 400; i++)
    b.of[i % 100] += 1;
  for (int i = 0; i < 100; i++)
    CHECK(b.of[i] == i + 4);
  return 0;
}

//: 15.2 critical in a function that a region calls
#pragma omp declare target
static void teams_add(int *s, int by) {
#pragma omp critical(teams_add)
  {
    *s += by;
  }
}
#pragma omp end declare target
TEST(teams_critical_in_function) {
  int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: s)
  for (int i = 0; i < 100; i++)
    teams_add(&s, i);
  CHECK(s == 4950);
  return 0;
}

//: 18.2 routines of which a device knows the answer, or that have no effect there, in a region and in a function
#pragma omp declare target
static int teams_fixed(void) {
  omp_set_schedule(omp_sched_dynamic, 2);
  return omp_get_dynamic() + omp_in_final() + omp_get_cancellation() + omp_get_max_active_levels();
}
#pragma omp end declare target
TEST(teams_fixed_answers) {
  int fixed = 0, procs = 0, places = -1, asked = 0;
#pragma omp target map(from: fixed, procs, places) map(tofrom: asked)
  {
    omp_set_dynamic(asked++);
    omp_set_nested(0);
    fixed = teams_fixed();
    procs = omp_get_num_procs();
    places = omp_get_num_places() + omp_get_supported_active_levels() + omp_get_max_task_priority();
  }
  CHECK(fixed == 1 && procs >= 1 && places == 1 && asked == 1);
  return 0;
}

//: 10.2 teams with if: one team where it does not hold
TEST(teams_if) {
  int one = 0, some = 0, constant = 0, yes = 1, no = 0;
#pragma omp target teams if(teams: no) num_teams(4) map(tofrom: one)
  {
#pragma omp atomic
    one++;
  }
#pragma omp target map(tofrom: some)
#pragma omp teams if(yes) num_teams(4)
  {
#pragma omp atomic
    some++;
  }
#pragma omp target map(tofrom: constant)
#pragma omp teams if(0)
  {
#pragma omp atomic
    constant++;
  }
  CHECK(one == 1 && constant == 1);
  CHECK(some >= 1 && some <= 4);
  return 0;
}

//: 7.4 copies of a variable that 'target' maps, or has a copy of itself
TEST(copies_of_both_constructs) {
  int a[8] = {0}, b = 1, c[3] = {5, 6, 7}, d = 7, e = 3, f = 2, g = 4;
#pragma omp target map(tofrom: a, c, d) map(to: e) private(b) firstprivate(f, g)
#pragma omp teams num_teams(2) thread_limit(4) private(b) firstprivate(d, c, e, f)
  {
    b = d + 1;
    c[1] += 10;
    d++;
    e *= 2;
    f += g;
#pragma omp distribute parallel for
    for (int i = 0; i < 8; i++)
      a[i] = c[1] + b + d + e + f + i;
  }
  CHECK(a[0] == 44 && a[7] == 51);
  CHECK(b == 1 && c[1] == 6 && d == 7 && f == 2);
  return 0;
}

//: 10.1 num_threads and thread_limit above what a device has: an upper bound
TEST(more_threads_than_there_are) {
  int a[2000], n = 0, sum = 0, met = 0;
#pragma omp target map(from: n, a) map(tofrom: sum)
#pragma omp parallel num_threads(2048)
  {
    if (omp_get_thread_num() == 0)
      n = omp_get_num_threads();
#pragma omp barrier
#pragma omp for reduction(+: sum)
    for (int i = 0; i < 2000; i++) {
      a[i] = i;
      sum += i;
    }
  }
  CHECK(n >= 1 && n <= 2048 && sum == 1999000 && a[1999] == 1999);
#pragma omp target teams num_teams(2) thread_limit(1500) map(tofrom: met)
#pragma omp parallel
  {
#pragma omp atomic
    met++;
  }
  CHECK(met >= 2 && met <= 3000);
  return 0;
}

//: 5.2 groupprivate (OpenMP 6.0, section 7.13): a copy for each team, in its memory, also in functions of the team
static int of_group[32], base_of_group;
#pragma omp groupprivate(of_group, base_of_group)
static void fill_group(void) {
#pragma omp for
  for (int i = 0; i < 32; i++) of_group[i] = i + base_of_group;
}
TEST(groupprivate) {
  int out[8 * 32], wrong = 0;
  of_group[5] = 77;
#pragma omp target teams num_teams(8) thread_limit(32) map(from: out)
  {
    base_of_group = 100 * omp_get_team_num();
#pragma omp parallel num_threads(32)
    {
      fill_group();
#pragma omp for
      for (int i = 0; i < 32; i++) out[omp_get_team_num() * 32 + i] = of_group[31 - i];
    }
  }
  for (int k = 0; k < 8 * 32; k++) wrong += out[k] != k / 32 * 100 + 31 - k % 32;
  CHECK(wrong == 0 && of_group[5] == 77);
  return 0;
}
