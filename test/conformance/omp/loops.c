//: 9.1 tile
TEST(tile) {
  int a[12][10];
#pragma omp target map(from: a)
#pragma omp tile sizes(4, 3)
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 10; j++)
      a[i][j] = i * 10 + j;
  CHECK(a[11][9] == 119 && a[3][4] == 34);
  return 0;
}

//: 9.1 tile under a worksharing loop
TEST(tile_for) {
  int a[12][10];
#pragma omp target map(from: a)
#pragma omp parallel for
#pragma omp tile sizes(4, 3)
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 10; j++)
      a[i][j] = i * 10 + j;
  CHECK(a[11][9] == 119 && a[3][4] == 34);
  return 0;
}

//: 9.2 unroll full
TEST(unroll_full) {
  int a[12];
#pragma omp target map(from: a)
#pragma omp unroll full
  for (int i = 0; i < 12; i++)
    a[i] = i;
  CHECK(a[11] == 11);
  return 0;
}

//: 9.2 unroll partial
TEST(unroll_partial) {
  int a[13];
#pragma omp target teams distribute parallel for map(from: a)
#pragma omp unroll partial(4)
  for (int i = 0; i < 13; i++)
    a[i] = i;
  CHECK(a[12] == 12);
  return 0;
}

//: 9.2 unroll inside a loop of a region
TEST(unroll_inside) {
  int a[13];
#pragma omp target teams distribute parallel for map(from: a)
  for (int i = 0; i < 13; i++) {
    int s = 0;
#pragma omp unroll
    for (int k = 0; k < 4; k++)
      s += i;
    a[i] = s;
  }
  CHECK(a[12] == 48);
  return 0;
}

//: 10.1 parallel in a region
TEST(parallel_block) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel
  {
#pragma omp atomic
    n++;
  }
  CHECK(n >= 1);
  return 0;
}

//: 10.1 parallel num_threads
TEST(parallel_num_threads) {
  int hit[4] = {0}, all = 0;
#pragma omp target map(tofrom: hit, all)
#pragma omp parallel num_threads(4)
  {
    hit[omp_get_thread_num()] = 1;
    if (omp_get_thread_num() == 0)
      all = omp_get_num_threads();
  }
  CHECK(all >= 1 && all <= 4);
  for (int i = 0; i < all; i++)
    CHECK(hit[i]);
  return 0;
}

//: 10.1 parallel with if
TEST(parallel_if) {
  int n = 0, few = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel if(few)
  {
#pragma omp atomic
    n++;
  }
  CHECK(n == 1);
  return 0;
}

//: 10.1 parallel with if that holds or not, around loops, barriers and single
//: simulator cannot read integers of 40 bits, which LLVM makes
TEST(parallel_if_code) {
  for (int on = 0; on < 2; on++) {
    int n = 0, k = 0, sum = 0, team = 0;
#pragma omp target map(tofrom: n, k, sum, team)
    {
      int x = 5;
#pragma omp parallel if(on) num_threads(4) firstprivate(x) reduction(+: sum)
      {
        x++;
#pragma omp atomic
        n++;
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < 10; i++)
          sum += i + x - 6;
#pragma omp single
        k++;
#pragma omp master
        team = omp_get_num_threads();
      }
    }
    CHECK(n == team && k == 1 && sum == 45);
    CHECK(on || team == 1);
  }
  return 0;
}

//: 10.1 the one thread of a parallel inside parallel
TEST(parallel_nested_one) {
  int hits[8] = {0}, inner = 0, wrong = 0, outer = 0;
#pragma omp target map(tofrom: hits, inner, wrong, outer)
#pragma omp parallel num_threads(4)
  {
    int me = omp_get_thread_num();
#pragma omp atomic
    outer++;
#pragma omp parallel num_threads(3)
    {
#pragma omp for
      for (int i = 0; i < 5; i++) {
#pragma omp atomic
        inner++;
      }
#pragma omp single
      hits[me]++;
#pragma omp barrier
      if (omp_get_thread_num() != 0 || omp_get_num_threads() != 1)
        wrong = 1;
    }
  }
  for (int i = 0; i < outer; i++)
    CHECK(hits[i] == 1);
  CHECK(inner == 5 * outer && !wrong);
  return 0;
}

//: 10.1 parallel inside parallel
TEST(parallel_nested) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel
    {
#pragma omp atomic
      n++;
    }
  }
  CHECK(n >= 1);
  return 0;
}

//: 10.1 parallel private, firstprivate, shared, reduction
TEST(parallel_clauses) {
  int p = 1, f = 5, s = 0, ok = 1;
#pragma omp target map(tofrom: s, ok)
#pragma omp parallel private(p) firstprivate(f) shared(ok) reduction(+: s)
  {
    p = f;
    f++;
    if (p != 5) ok = 0;
    s += 1;
  }
  CHECK(s >= 1 && ok);
  return 0;
}

//: 10.2 teams num_teams(lower: upper), thread_limit
TEST(teams_clauses) {
  int n = 0;
#pragma omp target teams num_teams(2: 4) thread_limit(8) map(tofrom: n)
  {
#pragma omp atomic
    n++;
  }
  CHECK(n >= 1 && n <= 4);
  return 0;
}

//: 10.2 teams with reduction
TEST(teams_reduction) {
  int n = 0, all = 0;
#pragma omp target teams num_teams(3) reduction(+: n) map(tofrom: all)
  {
    n++;
    if (omp_get_team_num() == 0)
      all = omp_get_num_teams();
  }
  CHECK(n == all);
  return 0;
}

//: 10.3 order(concurrent)
TEST(order_concurrent) {
  int a[30];
#pragma omp target teams distribute parallel for order(concurrent) map(from: a)
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 10.4 simd with safelen, simdlen, aligned, nontemporal
TEST(simd_clauses) {
  int a[64];
#pragma omp target map(from: a)
#pragma omp simd safelen(8) simdlen(4) aligned(a) nontemporal(a)
  for (int i = 0; i < 64; i++)
    a[i] = i;
  CHECK(a[63] == 63);
  return 0;
}

//: 10.4 simd with if, collapse, reduction, lastprivate
TEST(simd_more) {
  int s = 0, last = 0;
#pragma omp target map(tofrom: s, last)
#pragma omp simd if(simd: 1) collapse(2) reduction(+: s) lastprivate(last)
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 5; j++) {
      s += i * j;
      last = i + j;
    }
  CHECK(s == 280 && last == 11);
  return 0;
}

//: 10.5 masked
TEST(masked) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel
  {
#pragma omp masked
    n = 5;
  }
  CHECK(n == 5);
  return 0;
}

//: 10.5 masked filter
TEST(masked_filter) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel num_threads(1)
  {
#pragma omp masked filter(0)
    n = 5;
  }
  CHECK(n == 5);
  return 0;
}

//: 10.5 parallel masked
TEST(parallel_masked) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel masked
  n += 5;
  CHECK(n == 5);
  return 0;
}

//: 10.5 parallel master
TEST(parallel_master) {
  int n = 0;
#pragma omp target map(tofrom: n)
#pragma omp parallel master
  n += 5;
  CHECK(n == 5);
  return 0;
}

//: 11.1 single
TEST(single) {
  int n = 0, m = 0;
#pragma omp target map(tofrom: n, m)
#pragma omp parallel
  {
#pragma omp single
    n++;
#pragma omp single nowait
    m += n;
  }
  CHECK(n == 1 && m == 1);
  return 0;
}

//: 11.1 single copyprivate
TEST(single_copyprivate) {
  int bad = 0;
#pragma omp target map(tofrom: bad)
#pragma omp parallel
  {
    int x = 0;
#pragma omp single copyprivate(x)
    x = 4;
    if (x != 4) {
#pragma omp atomic write
      bad = 1;
    }
  }
  CHECK(!bad);
  return 0;
}

//: 11.2 scope
TEST(scope) {
  int n = 0, want = 0;
#pragma omp target map(tofrom: n, want)
#pragma omp parallel
  {
#pragma omp scope reduction(+: n)
    n += 1;
#pragma omp single
    want = omp_get_num_threads();
  }
  CHECK(n == want);
  return 0;
}

//: 11.3 sections
TEST(sections) {
  int a = 0, b = 0, c = 0;
#pragma omp target map(tofrom: a, b, c)
#pragma omp parallel
  {
#pragma omp sections
    {
      a = 1;
#pragma omp section
      b = 2;
#pragma omp section
      c = 3;
    }
  }
  CHECK(a == 1 && b == 2 && c == 3);
  return 0;
}

//: 11.3 parallel sections
TEST(parallel_sections) {
  int a = 0, b = 0;
#pragma omp target map(tofrom: a, b)
#pragma omp parallel sections
  {
#pragma omp section
    a = 1;
#pragma omp section
    b = 2;
  }
  CHECK(a == 1 && b == 2);
  return 0;
}

//: 11.3 sections with reduction, lastprivate
TEST(sections_clauses) {
  int s = 0, last = 0;
#pragma omp target map(tofrom: s, last)
#pragma omp parallel sections reduction(+: s) lastprivate(last)
  {
#pragma omp section
    { s += 1; last = 1; }
#pragma omp section
    { s += 2; last = 2; }
  }
  CHECK(s == 3 && last == 2);
  return 0;
}

//: 11.5 for with schedule kinds
TEST(for_schedule) {
  int a[30], b[30], c[30], k = 3;
#pragma omp target map(from: a, b, c)
#pragma omp parallel
  {
#pragma omp for schedule(static, 2)
    for (int i = 0; i < 30; i++)
      a[i] = i;
#pragma omp for schedule(dynamic, k) nowait
    for (int i = 0; i < 30; i++)
      b[i] = i;
#pragma omp for schedule(nonmonotonic: guided)
    for (int i = 0; i < 30; i++)
      c[i] = i;
  }
  CHECK(a[29] == 29 && b[29] == 29 && c[29] == 29);
  return 0;
}

//: 11.5 for with collapse and != conditions
TEST(for_collapse) {
  int a[5][7];
#pragma omp target teams distribute parallel for collapse(2) map(from: a)
  for (int i = 0; i != 5; i++)
    for (int j = 6; j >= 0; j--)
      a[i][j] = i * j;
  CHECK(a[4][6] == 24);
  return 0;
}

//: 11.5 collapse of a triangle
TEST(collapse_triangle) {
  int a[10][10] = {{0}};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a)
  for (int i = 0; i < 10; i++)
    for (int j = i; j < 10; j++)
      a[i][j] = i + j;
  CHECK(a[9][9] == 18 && a[9][8] == 0 && a[0][9] == 9);
  return 0;
}

//: 11.5 collapse of an imperfect nest
TEST(collapse_imperfect) {
  int a[10][10], r[10];
#pragma omp target teams distribute parallel for collapse(2) map(from: a, r)
  for (int i = 0; i < 10; i++) {
    r[i] = i;
    for (int j = 0; j < 10; j++)
      a[i][j] = i + j;
  }
  CHECK(a[9][9] == 18 && r[9] == 9);
  return 0;
}

//: 11.5 for over pointers and unsigned counters
TEST(for_counters) {
  int a[20];
#pragma omp target teams distribute parallel for map(from: a)
  for (size_t i = 0; i < 20; i++)
    a[i] = (int)i;
#pragma omp target teams distribute parallel for map(tofrom: a)
  for (int *p = a; p < a + 20; p++)
    *p += 1;
  CHECK(a[19] == 20);
  return 0;
}

//: 11.5 ordered clause and construct
TEST(ordered) {
  int a[10], n = 0;
#pragma omp target map(from: a) map(tofrom: n)
#pragma omp parallel for ordered
  for (int i = 0; i < 10; i++) {
#pragma omp ordered
    a[n++] = i;
  }
  for (int i = 0; i < 10; i++)
    CHECK(a[i] == i);
  return 0;
}

//: 15.10 ordered simd
TEST(ordered_simd) {
  int a[10], n = 0;
#pragma omp target map(from: a) map(tofrom: n)
#pragma omp simd
  for (int i = 0; i < 10; i++) {
#pragma omp ordered simd
    a[n++] = i;
  }
  CHECK(n == 10);
  return 0;
}

//: 15.9.7 doacross loops
TEST(doacross) {
  int a[10] = {1};
#pragma omp target map(tofrom: a)
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink: i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  CHECK(a[9] == 10);
  return 0;
}

//: 11.6 distribute dist_schedule
TEST(dist_schedule) {
  int a[30];
#pragma omp target teams map(from: a)
#pragma omp distribute dist_schedule(static, 4)
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 11.6 distribute, parallel for inside
TEST(distribute_nest) {
  int a[5][30];
#pragma omp target teams distribute map(from: a)
  for (int i = 0; i < 5; i++) {
#pragma omp parallel for
    for (int j = 0; j < 30; j++)
      a[i][j] = i * j;
  }
  CHECK(a[4][29] == 116);
  return 0;
}

//: 11.6 distribute parallel for simd, alone in teams
TEST(distribute_parallel_for_simd) {
  int a[130];
#pragma omp target map(from: a)
#pragma omp teams
#pragma omp distribute parallel for simd
  for (int i = 0; i < 130; i++)
    a[i] = i;
  CHECK(a[129] == 129);
  return 0;
}

//: 11.7 loop with bind
TEST(loop_bind) {
  int a[30], b[30], c[30];
#pragma omp target teams map(from: a, b, c)
  {
#pragma omp loop bind(teams)
    for (int i = 0; i < 30; i++)
      a[i] = i;
#pragma omp parallel
#pragma omp loop bind(parallel)
    for (int i = 0; i < 30; i++)
      b[i] = i;
#pragma omp loop bind(thread)
    for (int i = 0; i < 30; i++)
      c[i] = i;
  }
  CHECK(a[29] == 29 && b[29] == 29 && c[29] == 29);
  return 0;
}

//: 11.7 loop with bind(thread), which each thread of a parallel construct runs as a whole
TEST(loop_bind_thread) {
  int sums[4] = {0}, threads = 0;
#pragma omp target parallel num_threads(4) map(tofrom : sums, threads)
  {
    int own[10];
#pragma omp loop bind(thread)
    for (int i = 0; i < 10; i++)
      own[i] = i;
    if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
    for (int i = 0; i < 10; i++)
      sums[omp_get_thread_num()] += own[i];
  }
  CHECK(threads >= 1 && threads <= 4);
  for (int t = 0; t < threads; t++) CHECK(sums[t] == 45);
  return 0;
}

//: 11.7 target teams loop, target parallel loop
TEST(loop_combined) {
  int a[30], b[30], s = 0;
#pragma omp target teams loop map(from: a) reduction(+: s)
  for (int i = 0; i < 30; i++) {
    a[i] = i;
    s += i;
  }
#pragma omp target parallel loop map(from: b)
  for (int i = 0; i < 30; i++)
    b[i] = i;
  CHECK(a[29] == 29 && b[29] == 29 && s == 435);
  return 0;
}

//: 5.4.6 linear with modifiers, on target too
TEST(linear_modifiers) {
  int a[40], j = 0, k = 1;
#pragma omp target simd linear(j : step(2)) map(from: a)
  for (int i = 0; i < 40; i++) {
    a[i] = j;
    j += 2;
  }
  CHECK(a[10] == 20 && j == 80);
#pragma omp simd linear(k : val, step(3))
  for (int i = 0; i < 40; i++) {
    a[i] = k;
    k += 3;
  }
  CHECK(a[10] == 31 && k == 121);
  return 0;
}

//: 9.1 tile under a collapse of the loops that it makes
TEST(tile_collapse) {
  int m[20][30];
#pragma omp target teams distribute parallel for collapse(4) map(from: m)
#pragma omp tile sizes(4, 8)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++)
      m[i][j] = i - j;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++)
      CHECK(m[i][j] == i - j);
  return 0;
}

//: 5.1.1 the variable of a simd loop behind the loop: counted up, down, by steps, in a nest and without iterations
TEST(simd_counters) {
  int i, j, k, first = 9, x[40] = {0};
  unsigned u;
  const int n = 37;
#pragma omp target map(tofrom: i, x)
  {
#pragma omp simd
    for (i = 0; i < n; i += 5)
      x[i] = i;
    x[1] = i;
  }
  CHECK(i == 40 && x[1] == 40 && x[35] == 35);
#pragma omp target map(from: j, k, u) map(to: first)
  {
#pragma omp simd collapse(2)
    for (j = 0; j < 5; j++)
      for (k = 10; k > 0; k -= 3)
        x[j] += k;
    x[20] = j + k;
#pragma omp simd
    for (u = first; u >= 2; u--)
      x[u] = 7;
  }
  CHECK(j == 5 && k == -2 && u == 1);
#pragma omp target map(tofrom: i, first)
  {
#pragma omp simd
    for (i = first; i < 2; i++)
      x[i] = 1;
    first = i;
  }
  CHECK(i == 9 && first == 9);
  return 0;
}

//: 5.1.1 the variable of a simd loop in each thread
//: simulator cannot take integers of 5 bytes, which its compiler makes
TEST(simd_counters_of_threads) {
  int j, last[4] = {0};
  const int n = 37;
#pragma omp target teams distribute parallel for map(tofrom: last) private(j)
  for (int q = 0; q < 4; q++) {
    int s = 0;
#pragma omp simd reduction(+: s)
    for (j = q; j < n; j += 4)
      s += j;
    last[q] = s * 1000 + j;
  }
  CHECK(last[0] == 180040 && last[1] == 153037 && last[2] == 162038 && last[3] == 171039);
  return 0;
}

//: 9 reverse (OpenMP 6.0, chapter 11) of loops of many types, relations, steps and counts
#define IN_REVERSE(head)                                                                                               \
  do {                                                                                                                 \
    int seen[50], there[50], back[50], all = 0, backs = 0, theres = 0;                                                 \
    head seen[all++] = (int)i;                                                                                         \
    _Pragma("omp reverse") head back[backs++] = (int)i;                                                                \
    _Pragma("omp target map(from: there) map(tofrom: theres)") _Pragma("omp reverse") head there[theres++] = (int)i;   \
    CHECK(backs == all && theres == all);                                                                              \
    for (int k = 0; k < all; k++)                                                                                      \
      CHECK(back[k] == seen[all - 1 - k] && there[k] == back[k]);                                                      \
  } while (0)
#define IN_REVERSE_OF_TYPE(type)                                                                                       \
  do {                                                                                                                 \
    for (int n = 0; n < 9; n += 4) {                                                                                   \
      IN_REVERSE(for (type i = 0; i < n; i++));                                                                        \
      IN_REVERSE(for (type i = 1; i <= n; i += 3));                                                                    \
      IN_REVERSE(for (type i = n + 1; i > 1; i--));                                                                    \
      IN_REVERSE(for (type i = n; i >= 1; i -= 2) if (i != 3));                                                        \
      IN_REVERSE(for (type i = 2; n + 2 > i; i = i + 2));                                                              \
    }                                                                                                                  \
  } while (0)
TEST(reverse_int) {
  IN_REVERSE_OF_TYPE(int);
  IN_REVERSE(for (int i = -5; i != 4; i++));
  return 0;
}

//: 9 reverse (OpenMP 6.0, chapter 11) of other types
TEST(reverse_types) {
  IN_REVERSE_OF_TYPE(long);
  IN_REVERSE_OF_TYPE(short);
  IN_REVERSE_OF_TYPE(signed char);
  return 0;
}

//: 9 reverse (OpenMP 6.0, chapter 11) of unsigned types, and under a worksharing loop
TEST(reverse_unsigned) {
  int a[40], i, last = -1;
  IN_REVERSE(for (unsigned i = 3; i < 20u; i += 4));
  IN_REVERSE(for (unsigned char i = 250; i > 3; i -= 13));
  IN_REVERSE(for (size_t i = 20; i > 0; i--));
#pragma omp parallel for
#pragma omp reverse
  for (int k = 0; k < 40; k++)
    a[k] = k;
#pragma omp target teams distribute parallel for map(tofrom: a)
#pragma omp reverse
  for (int k = 39; k >= 0; k -= 3)
    a[k] *= 2;
#pragma omp reverse
  for (i = 0; i < 40; i++) {
    if (a[i] == i)
      continue;
    last = i;
  }
  CHECK(a[39] == 78 && a[38] == 38 && a[0] == 0 && last == 3);
  return 0;
}

//: 9 interchange (OpenMP 6.0, chapter 11)
TEST(interchange) {
  int a[3][4], b[2][3][4], c[3][4], n = 0, m = 0;
#pragma omp interchange
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      a[i][j] = n++;
  n = 0;
#pragma omp target map(from: b) map(tofrom: n)
#pragma omp interchange permutation(3, 1, 2)
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 4; k++)
        b[i][j][k] = n++;
    }
#pragma omp interchange permutation(2, 1)
#pragma omp interchange
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      c[i][j] = m++;
  CHECK(a[1][0] == 1 && a[0][1] == 3 && a[2][3] == 11);
  CHECK(b[1][0][0] == 3 && b[0][1][0] == 1 && b[0][0][1] == 6 && b[1][2][3] == 23);
  CHECK(c[1][0] == 4 && c[0][1] == 1);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a)
#pragma omp interchange
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      a[i][j] += 100;
  CHECK(a[1][0] == 101 && a[2][3] == 111);
  return 0;
}

//: 9 reverse (OpenMP 6.0, chapter 11) over the loops of tile and unroll
TEST(reverse_made) {
  int a[12], b[12], n = 0, m = 0, i;
#pragma omp target map(from: a, b) map(tofrom: n, m)
  {
#pragma omp reverse
#pragma omp unroll partial(5)
    for (i = 0; i < 12; i++)
      a[i] = n++;
#pragma omp reverse
#pragma omp tile sizes(5)
    for (int j = 11; j >= 0; j--)
      b[j] = m++;
  }
  CHECK(a[10] == 0 && a[11] == 1 && a[5] == 2 && a[9] == 6 && a[0] == 7);
  CHECK(b[1] == 0 && b[0] == 1 && b[6] == 2 && b[11] == 7);
  return 0;
}

//: 9 stripe and split (OpenMP 6.0, chapter 11)
TEST(stripe_split) {
  int a[12], b[3][3], c[12], n = 0, m = 0, k = 0;
#pragma omp target map(from: a, b) map(tofrom: n)
  {
#pragma omp stripe sizes(4)
    for (int i = 0; i < 12; i++)
      a[i] = n++;
#pragma omp stripe sizes(2, 2)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        b[i][j] = n++;
  }
#pragma omp split counts(2, omp_fill, 3)
  for (int i = 0; i < 12; i++)
    c[i] = m++;
  CHECK(a[0] == 0 && a[4] == 1 && a[8] == 2 && a[1] == 3 && a[11] == 11);
  CHECK(b[0][0] == 12 && b[0][2] == 13 && b[2][2] == 15 && b[0][1] == 16 && b[1][1] == 20);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: c)
#pragma omp stripe sizes(4)
  for (k = 0; k < 12; k++)
    c[k] += k;
  CHECK(c[0] == 0 && c[11] == 22);
  return 0;
}

//: 9 fuse (OpenMP 6.0, chapter 11)
TEST(fuse) {
  int a[6], b[4], c[5], n = 0, i, j;
#pragma omp target map(from: a, b, c) map(tofrom: n)
  {
#pragma omp fuse
    {
      for (int k = 0; k < 6; k++) {
        a[k] = n++;
        if (k == 2)
          continue;
      }
      for (int k = 3; k >= 0; k--)
        b[k] = n++;
    }
#pragma omp fuse looprange(2, 2)
    {
      for (int k = 0; k < 5; k++)
        c[k] = 0;
      for (int k = 0; k < 5; k++)
        c[k] += n;
      for (int k = 0; k < 3; k++)
        n++;
    }
  }
  CHECK(a[0] == 0 && b[3] == 1 && a[1] == 2 && b[0] == 7 && a[4] == 8 && a[5] == 9);
  CHECK(c[0] == 10 && c[1] == 11 && c[3] == 13 && c[4] == 13);
#pragma omp target teams distribute parallel for map(tofrom: a, b)
#pragma omp fuse
  {
    for (i = 0; i < 6; i++)
      a[i] += i;
    for (j = 0; j < 4; j++)
      b[j] -= j;
  }
  CHECK(a[5] == 14 && b[0] == 7 && b[3] == -2);
  return 0;
}
