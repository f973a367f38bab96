//: 10.1 shuffle, an extension: the sum of a warp, by halves
TEST(shuffle_sum) {
  int a[96], sums[3];
  int v = 0;
  for (int i = 0; i < 96; i++)
    a[i] = i + 1;
#pragma omp target map(to: a) map(from: sums)
#pragma omp parallel num_threads(96) shuffle(v)
  {
    int t = omp_get_thread_num();
    v = a[t];
    for (int far = 16; far > 0; far /= 2) {
#pragma omp shuffle down(0xffffffff, far, v +=, v)
    }
    if (t % 32 == 0)
      sums[t / 32] = v;
  }
  CHECK(sums[0] == 528 && sums[1] == 528 + 1024 && sums[2] == 528 + 2048);
  return 0;
}

//: 10.1 shuffle, an extension: up, sync and xor of a variable of each team's threads, without the lanes that a mask leaves out
TEST(shuffle_teams) {
  double r[3][40], x[2][40];
  double v = 0.5;
#pragma omp target teams num_teams(3) map(from: r, x) shuffle(v)
  {
    int team = omp_get_team_num();
#pragma omp parallel num_threads(40)
    {
      int t = omp_get_thread_num();
      v += t + 100 * team;
      double own = 0;
#pragma omp shuffle up(0xffffffff, 3, own, v)
      r[team][t] = own;
      if (team < 2)
        x[team][t] = 1;
#pragma omp shuffle xor(0x0000ffff, 1, own -=, v)
      if (team < 2)
        x[team][t] += own;
    }
  }
  for (int team = 0; team < 3; team++)
    for (int t = 0; t < 40; t++) {
      double from = 0.5 + 100 * team + (t % 32 >= 3 ? t - 3 : t);
      CHECK(r[team][t] == from);
      if (team < 2)
        CHECK(x[team][t] == 1 + from - (t % 32 < 16 ? 0.5 + 100 * team + (t ^ 1) : 0));
    }
  return 0;
}

//: 10.1 shuffle, an extension: the number of threads that the device chooses, and teams of one
TEST(shuffle_sizes) {
  int all = 0, right = 0, alone = 0;
  int v = 0;
#pragma omp target map(tofrom: all, right, alone)
  {
#pragma omp parallel shuffle(v)
    {
      int t = omp_get_thread_num(), got = -1;
      v = 7 * t;
#pragma omp shuffle sync(-1, 2, got, v)
      if (t == 0)
        all = omp_get_num_threads();
      int want = omp_get_num_threads() > t / 32 * 32 + 2 ? 7 * (t / 32 * 32 + 2) : 7 * t;
#pragma omp atomic
      right += got == want;
    }
#pragma omp parallel if (0) shuffle(v)
    {
      v = 3;
#pragma omp shuffle down(1, 1, alone +=, v)
    }
  }
  CHECK(all >= 1 && right == all && alone == 3);
  return 0;
}

//: 10.1 shuffle, an extension: outside of parallel
//: refused shuffle-outside-parallel
TEST(shuffle_outside) {
  int v = 0, x = 0;
#pragma omp target teams map(from: x) shuffle(v)
  {
#pragma omp shuffle up(-1, 1, x, v)
  }
  return 0;
}

//: 10.1 shuffle, an extension: of a variable that no clause names
//: refused shuffle-variable
TEST(shuffle_unnamed) {
  int x = 0;
#pragma omp target parallel map(from: x)
  {
    int v = 1;
#pragma omp shuffle up(-1, 1, x, v)
  }
  return 0;
}

//: 10.1 shuffle, an extension: where some threads may not arrive
//: refused shuffle-in-branch
TEST(shuffle_branch) {
  int v = 0, x = 0;
#pragma omp target parallel num_threads(32) map(from: x) shuffle(v)
  {
    if (omp_get_thread_num() < 4) {
#pragma omp shuffle up(-1, 1, x, v)
    }
  }
  return 0;
}

//: 10.1 shuffle, an extension: by the host's own threads
//: refused shuffle-outside-region
TEST(shuffle_host) {
  int v = 0;
#pragma omp parallel shuffle(v)
  v = 1;
  return 0;
}

//: 10.1 shuffle, an extension: the sum of an array, one atomic addition for each warp
TEST(shuffle_array) {
  enum { n = 1003 };
  double a[n], total = 0;
  double v = 0;
  for (int i = 0; i < n; i++)
    a[i] = i % 17 - 5;
#pragma omp target teams num_teams(4) map(to: a) map(tofrom: total)
#pragma omp parallel num_threads(64) shuffle(v)
  {
    for (int i = omp_get_team_num() * 64 + omp_get_thread_num(); i < n; i += 4 * 64)
      v += a[i];
#pragma omp shuffle down(0xffffffff, 16, v +=, v)
#pragma omp shuffle down(0xffffffff, 8, v +=, v)
#pragma omp shuffle down(0xffffffff, 4, v +=, v)
#pragma omp shuffle down(0xffffffff, 2, v +=, v)
#pragma omp shuffle down(0xffffffff, 1, v +=, v)
    if (omp_get_thread_num() % 32 == 0) {
#pragma omp atomic
      total += v;
    }
  }
  double want = 0;
  for (int i = 0; i < n; i++)
    want += a[i];
  CHECK(total == want);
  return 0;
}

//: 10.1 shuffle, an extension: a stencil of 5 points, of which each thread loads a column of 3; warps overlap by 2
TEST(shuffle_stencil) {
  enum { rows = 6, width = 200 };
  static float p[rows][width], r[rows][width];
  float s = 0;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < width; x++)
      p[y][x] = (y * 37 + x * 11) % 64, r[y][x] = -1;
#pragma omp target teams num_teams(4) map(to: p) map(tofrom: r)
#pragma omp parallel num_threads(64) shuffle(s)
  {
    const int lane = omp_get_thread_num() % 32, warp = omp_get_team_num() * 2 + omp_get_thread_num() / 32;
    const int x = warp * 30 + lane, own = x < width ? x : width - 1;
    for (int y = 1; y < rows - 1; y++) {
      s = 3 * p[y][own];
#pragma omp shuffle down(0xffffffff, 1, s, s)
      s += p[y - 1][own] + 4 * p[y][own] + 2 * p[y + 1][own];
#pragma omp shuffle down(0xffffffff, 1, s, s)
      s += 5 * p[y][own];
      if (lane < 30 && x + 1 < width - 1)
        r[y][x + 1] = s;
    }
  }
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < width - 1; x++)
      CHECK(r[y][x] == 5 * p[y][x - 1] + p[y - 1][x] + 4 * p[y][x] + 2 * p[y + 1][x] + 3 * p[y][x + 1]);
  return 0;
}
