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
