//: 2.5.1 parallel
TEST(test_parallel) {
  int a[8];
#pragma acc parallel copyout(a)
  {
#pragma acc loop
    for (int i = 0; i < 8; i++)
      a[i] = i;
  }
  CHECK(a[7] == 7);
  return 0;
}

//: 2.5.2 serial
TEST(test_serial) {
  int a[8];
#pragma acc serial copyout(a)
  for (int i = 0; i < 8; i++)
    a[i] = i;
  CHECK(a[7] == 7);
  return 0;
}

//: 2.5.3 kernels
TEST(test_kernels) {
  int a[8], b[8];
#pragma acc kernels copyout(a, b)
  {
    for (int i = 0; i < 8; i++)
      a[i] = i;
    for (int i = 0; i < 8; i++)
      b[i] = a[7 - i];
  }
  CHECK(b[0] == 7);
  return 0;
}

//: 2.5.6 if, 2.5.7 self
TEST(test_if_self) {
  int a[2] = {0};
  for (int on = 0; on < 2; on++) {
#pragma acc parallel copy(a) if(on)
    a[0]++;
#pragma acc parallel copy(a) self(on)
    a[1]++;
  }
  CHECK(a[0] >= 2 && a[1] >= 2);
  return 0;
}

//: 2.5.8 num_gangs, num_workers, vector_length
TEST(test_sizes) {
  int a[100], g = 3;
#pragma acc parallel loop num_gangs(g) num_workers(2) vector_length(16) copyout(a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
  CHECK(a[99] == 99);
  return 0;
}

//: 2.9.1 collapse
TEST(test_collapse) {
  int a[5][7];
#pragma acc parallel loop collapse(2) copyout(a)
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 7; j++)
      a[i][j] = i * j;
  CHECK(a[4][6] == 24);
  return 0;
}

//: 2.9.1 collapse(force: n)
TEST(test_collapse_force) {
  int a[5][7];
#pragma acc parallel loop collapse(force: 2) copyout(a)
  for (int i = 0; i < 5; i++) {
    int k = i * 2;
    for (int j = 0; j < 7; j++)
      a[i][j] = k * j;
  }
  CHECK(a[4][6] == 48);
  return 0;
}

//: 2.9.2 gang(num:, static:, dim:), 2.9.3 worker, 2.9.4 vector with arguments
TEST(test_levels) {
  int a[8][16];
#pragma acc parallel loop gang(static: 2) num_gangs(4) copyout(a)
  for (int i = 0; i < 8; i++) {
#pragma acc loop vector
    for (int j = 0; j < 16; j++)
      a[i][j] = i * j;
  }
  CHECK(a[7][15] == 105);
  return 0;
}

//: 2.9.5 seq, 2.9.6 auto, 2.9.9 independent
TEST(test_independence) {
  int a[8], b[8], c[8];
#pragma acc kernels copyout(a, b, c)
  {
#pragma acc loop seq
    for (int i = 0; i < 8; i++)
      a[i] = i;
#pragma acc loop auto
    for (int i = 0; i < 8; i++)
      b[i] = i;
#pragma acc loop independent
    for (int i = 0; i < 8; i++)
      c[i] = i;
  }
  CHECK(a[7] == 7 && b[7] == 7 && c[7] == 7);
  return 0;
}

//: 2.9.7 tile
TEST(test_tile) {
  int a[9][10];
#pragma acc parallel loop tile(4, 4) copyout(a)
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 10; j++)
      a[i][j] = i * j;
  CHECK(a[8][9] == 72);
  return 0;
}

//: 2.9.11 reduction on loop at each level
//: simulator cannot read integers of 40 bits, which LLVM makes
TEST(test_loop_reduction) {
  int s = 0, rows[4];
#pragma acc parallel loop gang reduction(+: s) copyout(rows)
  for (int i = 0; i < 4; i++) {
    int r = 0;
#pragma acc loop vector reduction(+: r)
    for (int j = 0; j < 20; j++)
      r += j;
    rows[i] = r;
    s += r;
  }
  CHECK(s == 760 && rows[3] == 190);
  return 0;
}

//: 2.9.11 reduction on loops without levels, whose value the region goes on with
TEST(test_open_reductions) {
  int a[120], q[4], b[4], s, m;
  for (int i = 0; i < 120; i++) a[i] = i * 7 % 31;
#pragma acc parallel copyin(a) copyout(q)
  for (int i = 0; i < 4; i++) {
    s = i;
#pragma acc loop reduction(+ : s)
    for (int j = 0; j < 30; j++) s += a[i * 30 + j];
    q[i] = s;
  }
#pragma acc parallel copyin(a) copyout(b)
  {
    m = 5;
#pragma acc loop reduction(max : m)
    for (int j = 0; j < 120; j++) m = a[j] > m ? a[j] : m;
#pragma acc loop
    for (int i = 0; i < 4; i++) b[i] = m + i;
  }
  for (int i = 0; i < 4; i++) {
    int sum = i;
    for (int j = 0; j < 30; j++) sum += a[i * 30 + j];
    CHECK(q[i] == sum && b[i] == 30 + i);
  }
  return 0;
}

//: 2.9.11 flags and values that lanes set for their gang, without a clause
TEST(test_flags_of_gangs) {
  int rows[4];
#pragma acc parallel loop gang copyout(rows)
  for (int i = 0; i < 4; i++) {
    int found = 0, of_one = i;
#pragma acc loop vector
    for (int j = 0; j < 40; j++) {
      if (j == 10 * i + 5) found = 1;
      if (j == 30) of_one = 7 * i;
    }
    rows[i] = found + of_one;
  }
  CHECK(rows[0] == 1 && rows[3] == 22);
  return 0;
}

//: 2.10 cache
TEST(test_cache) {
  int a[20], b[20];
  for (int i = 0; i < 20; i++)
    a[i] = i;
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 1; i < 19; i++) {
#pragma acc cache(a[i - 1:3])
    b[i] = a[i - 1] + a[i] + a[i + 1];
  }
  CHECK(b[18] == 54);
  return 0;
}

//: 2.11 combined constructs: kernels loop, serial loop
TEST(test_combined) {
  int a[8], b[8];
#pragma acc kernels loop copyout(a)
  for (int i = 0; i < 8; i++)
    a[i] = i;
#pragma acc serial loop copyout(b)
  for (int i = 0; i < 8; i++)
    b[i] = i;
  CHECK(a[7] == 7 && b[7] == 7);
  return 0;
}

//: 2.12 atomic
TEST(test_atomic) {
  int n = 0, got[20];
#pragma acc parallel loop copy(n) copyout(got)
  for (int i = 0; i < 20; i++) {
    int k;
#pragma acc atomic capture
    k = n++;
    got[k] = 1;
  }
  CHECK(n == 20 && got[19] == 1);
  return 0;
}

//: 2.14.1 init, 2.14.2 shutdown
TEST(test_init) {
#pragma acc init
  int a[4];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 4; i++)
    a[i] = i;
  CHECK(a[3] == 3);
  return 0;
}

//: 2.14.3 set
TEST(test_set) {
#pragma acc set default_async(2)
  int a[4];
#pragma acc parallel loop copyout(a) async
  for (int i = 0; i < 4; i++)
    a[i] = i;
#pragma acc wait(2)
  CHECK(a[3] == 3);
  acc_set_default_async(acc_async_sync);
  return 0;
}

//: 2.15.1 routine seq, vector, worker, gang
#pragma acc routine seq
static int add(int a, int b) { return a + b; }
#pragma acc routine vector
static void fill(int *row, int k) {
#pragma acc loop vector
  for (int j = 0; j < 16; j++)
    row[j] = add(j, k);
}
TEST(test_routine) {
  int a[4][16];
#pragma acc parallel loop gang copyout(a)
  for (int i = 0; i < 4; i++)
    fill(a[i], i);
  CHECK(a[3][15] == 18);
  return 0;
}

//: 2.15.1 routine bind(name)
int bound_to(int x) { return x + 1; }
#pragma acc routine(bound_to) seq
#pragma acc routine seq bind(bound_to)
int bound(int x);
int bound(int x) { return x + 1; }
TEST(test_bind) {
  int r = 0;
#pragma acc serial copyout(r)
  r = bound(3);
  CHECK(r == 4);
  return 0;
}

//: 2.16.1 async, 2.16.2 wait clause, 2.16.3 wait directive
TEST(test_async) {
  int a[8], b[8];
#pragma acc data create(a, b)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < 8; i++)
      a[i] = i;
#pragma acc parallel loop async(2) wait(1)
    for (int i = 0; i < 8; i++)
      b[i] = a[i];
#pragma acc wait(2) async(3)
#pragma acc update self(b) async(3)
#pragma acc wait
  }
  CHECK(b[7] == 7);
  return 0;
}

//: 2.16.3 wait(devnum: n: queues), if
TEST(test_wait_devnum) {
  int a[8];
#pragma acc parallel loop copyout(a) async(1)
  for (int i = 0; i < 8; i++)
    a[i] = i;
#pragma acc wait(devnum: 0: 1) if(1)
#pragma acc wait
  CHECK(a[7] == 7);
  return 0;
}

//: 2.4 device_type
TEST(test_device_type) {
  int a[8];
#pragma acc parallel loop copyout(a) device_type(nvidia) vector_length(64) device_type(*) vector_length(32)
  for (int i = 0; i < 8; i++)
    a[i] = i;
  CHECK(a[7] == 7);
  return 0;
}
//: 2.5.15 reduction of a struct: each member
TEST(reduction_of_struct) {
  struct {
    int n;
    double sum, at[2];
  } s = {1, 0.5, {0}}, most[2] = {{0}};
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 100; i++) {
    s.n++;
    s.sum += i;
    s.at[i % 2] += 2;
  }
  CHECK(s.n == 101 && s.sum == 4950.5 && s.at[0] == 100 && s.at[1] == 100);
#pragma acc parallel num_gangs(3)
#pragma acc loop gang vector reduction(max : most)
  for (int i = 0; i < 100; i++) {
    if (i > most[i % 2].n)
      most[i % 2].n = i;
    most[1].sum = most[1].sum > i * 0.5 ? most[1].sum : i * 0.5;
  }
  CHECK(most[0].n == 98 && most[1].n == 99 && most[1].sum == 49.5 && most[0].sum == 0);
  return 0;
}

//: 2.5.15 reduction of a struct that lanes of one gang share
TEST(reduction_of_own_struct) {
  struct sums {
    int n;
    float x;
  } of[5];
#pragma acc parallel loop gang copyout(of) vector_length(16)
  for (int g = 0; g < 5; g++) {
    struct sums s = {g, 0};
#pragma acc loop vector reduction(+ : s)
    for (int i = 0; i < 40; i++) {
      s.n++;
      s.x += 0.5f;
    }
    of[g] = s;
  }
  for (int g = 0; g < 5; g++)
    CHECK(of[g].n == g + 40 && of[g].x == 20);
  return 0;
}

