//: 2.5.4 a construct in a loop of the host, launched again and again
TEST(launched_often) {
  int a[8] = {0};
  for (int k = 0; k < 5; k++)
#pragma acc parallel loop
    for (int i = 0; i < 8; i++)
      a[i] += k;
  CHECK(a[0] == 10 && a[7] == 10);
  return 0;
}

//: 2.5.1 code of a parallel construct outside of loops, by every gang
TEST(gang_redundant) {
  int a[4] = {0};
#pragma acc parallel num_gangs(4) copy(a)
  {
    int k = 3;
#pragma acc loop gang
    for (int i = 0; i < 4; i++)
      a[i] = k + i;
  }
  CHECK(a[0] == 3 && a[3] == 6);
  return 0;
}

//: 2.5.6 if that does not hold, on data and on compute constructs
TEST(if_false) {
  int a[4] = {1, 2, 3, 4}, no = 0;
#pragma acc data copy(a) if(no)
#pragma acc parallel loop if(no)
  for (int i = 0; i < 4; i++)
    a[i] *= 2;
  CHECK(a[3] == 8);
  return 0;
}

//: 2.5.7 self without and with an argument
TEST(self_clause) {
  int a[4] = {0}, yes = 1;
#pragma acc parallel loop self
  for (int i = 0; i < 4; i++)
    a[i] = i;
#pragma acc parallel loop self(yes)
  for (int i = 0; i < 4; i++)
    a[i] += 10;
#pragma acc serial self(!yes)
  a[0] += 100;
  CHECK(a[0] == 110 && a[3] == 13);
  return 0;
}

//: 2.5.8 num_gangs of expressions
TEST(gangs_of_run) {
  int n = 3, a[30];
#pragma acc parallel loop num_gangs(n + 1) vector_length(2 * n) copyout(a)
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 2.5.10 private of an array on parallel
TEST(private_array_of_gang) {
  int out[6], t[4];
#pragma acc parallel loop gang private(t) copyout(out)
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 4; k++)
      t[k] = i * k;
    out[i] = t[0] + t[1] + t[2] + t[3];
  }
  CHECK(out[0] == 0 && out[5] == 30);
  return 0;
}

//: 2.5.11 firstprivate of an array on parallel
TEST(firstprivate_array) {
  int out[6], t[3] = {5, 6, 7};
#pragma acc parallel loop gang firstprivate(t) copyout(out)
  for (int i = 0; i < 6; i++)
    out[i] = t[i % 3] + i;
  CHECK(out[0] == 5 && out[5] == 12 && t[0] == 5);
  return 0;
}

//: 2.5.11 firstprivate of pointers on parallel: to memory of the device, and to nothing
TEST(firstprivate_pointers) {
  int out[6], *to = acc_malloc(sizeof out), *nothing = NULL, same = 0;
#pragma acc parallel loop firstprivate(to)
  for (int i = 0; i < 6; i++)
    to[i] = i;
#pragma acc serial firstprivate(to, nothing) copy(same)
  {
    to += 2;
    *to = 20;
    same = nothing == NULL;
  }
  acc_memcpy_from_device(out, to, sizeof out);
  CHECK(same == 1 && out[1] == 1 && out[2] == 20 && out[5] == 5);
  acc_free(to);
  return 0;
}

//: 2.5.13 reduction with every operator
TEST(reduction_operators) {
  int s = 1, p = 1, hi = -1, lo = 99, all = 1, any = 0, x = 0;
  unsigned m = 0xff, o = 0;
#pragma acc parallel loop reduction(+: s) reduction(*: p) reduction(max: hi) reduction(min: lo) reduction(&&: all) reduction(||: any) reduction(&: m) reduction(|: o) reduction(^: x)
  for (int i = 1; i <= 8; i++) {
    s += i;
    p *= i % 3 + 1;
    hi = i > hi ? i : hi;
    lo = i < lo ? i : lo;
    all = all && i > 0;
    any = any || i == 7;
    m &= ~(1u << i % 3);
    o |= 1u << i;
    x ^= i;
  }
  CHECK(s == 37 && p == 2 * 3 * 1 * 2 * 3 * 1 * 2 * 3 && hi == 8 && lo == 1);
  CHECK(all && any && m == (0xff & ~7u) && o == 0x1fe && x == 8);
  return 0;
}

//: 2.5.13 reduction of floating-point and complex-free types of several sizes
TEST(reduction_types) {
  float f = 0;
  double d = 0;
  long long l = 0;
  unsigned char c = 0;
#pragma acc parallel loop reduction(+: f, d, l, c)
  for (int i = 0; i < 100; i++) {
    f += 1;
    d += 0.5;
    l += 1000000000ll;
    c += 1;
  }
  CHECK(f == 100 && d == 50 && l == 100000000000ll && c == 100);
  return 0;
}

//: 2.5.13 reduction of an array
TEST(reduction_array) {
  int h[4] = {0};
#pragma acc parallel loop reduction(+: h)
  for (int i = 0; i < 40; i++)
    h[i % 4] += 1;
  CHECK(h[0] == 10 && h[3] == 10);
  return 0;
}

//: 2.9 loop inside kernels, with and without clauses
TEST(kernels_loops) {
  int a[12], b[12];
#pragma acc kernels copyout(a, b)
  {
#pragma acc loop independent
    for (int i = 0; i < 12; i++)
      a[i] = i;
#pragma acc loop gang vector
    for (int i = 0; i < 12; i++)
      b[i] = a[11 - i];
  }
  CHECK(b[0] == 11 && b[11] == 0);
  return 0;
}

//: 2.9.1 collapse of three loops
TEST(collapse_three) {
  int a[2][3][4];
#pragma acc parallel loop collapse(3) copyout(a)
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 4; k++)
        a[i][j][k] = 100 * i + 10 * j + k;
  CHECK(a[1][2][3] == 123 && a[0][1][0] == 10);
  return 0;
}

//: 2.9.2 gang, 2.9.3 worker and 2.9.4 vector, one inside the other
TEST(three_levels) {
  int a[3][4][5];
#pragma acc parallel copyout(a) num_workers(2) vector_length(4)
#pragma acc loop gang
  for (int i = 0; i < 3; i++)
#pragma acc loop worker
    for (int j = 0; j < 4; j++)
#pragma acc loop vector
      for (int k = 0; k < 5; k++)
        a[i][j][k] = i + j + k;
  CHECK(a[2][3][4] == 9);
  return 0;
}

//: 2.9.4 loops that count down, by steps, and with != and <=
TEST(loop_forms) {
  int a[20] = {0}, n = 19;
#pragma acc parallel loop
  for (int i = n; i >= 0; i -= 2)
    a[i] += 1;
#pragma acc parallel loop
  for (int i = 0; i != 20; i++)
    a[i] += 10;
#pragma acc parallel loop
  for (unsigned i = 1; i <= 18; i = i + 3)
    a[i] += 100;
  CHECK(a[19] == 11 && a[18] == 10 && a[1] == 111 && a[16] == 110);
  return 0;
}

//: 2.9.5 seq inside a parallel loop
TEST(seq_inside) {
  int a[5];
#pragma acc parallel loop gang vector copyout(a)
  for (int i = 0; i < 5; i++) {
    int s = 0;
#pragma acc loop seq
    for (int k = 0; k <= i; k++)
      s = s * 2 + k;
    a[i] = s;
  }
  CHECK(a[0] == 0 && a[4] == 26);
  return 0;
}

//: 2.9.7 tile with *
TEST(tile_star) {
  int a[6][8];
#pragma acc parallel loop tile(*, 4) copyout(a)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 8; j++)
      a[i][j] = i * j;
  CHECK(a[5][7] == 35);
  return 0;
}

//: 2.9.10 private on loop
TEST(private_on_loop) {
  int a[9], t = 77;
#pragma acc parallel copyout(a)
#pragma acc loop gang vector private(t)
  for (int i = 0; i < 9; i++) {
    t = i * 3;
    a[i] = t;
  }
  CHECK(a[8] == 24 && t == 77);
  return 0;
}

//: 2.11 parallel loop and kernels loop with clauses of both
TEST(combined_clauses) {
  int a[3][5], s = 0;
#pragma acc parallel loop gang num_gangs(2) collapse(2) copyout(a) reduction(+: s)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) {
      a[i][j] = i + j;
      s += i;
    }
#pragma acc kernels loop independent copy(a)
  for (int i = 0; i < 3; i++)
    a[i][0] = 9;
  CHECK(a[2][4] == 6 && a[2][0] == 9 && s == 15);
  return 0;
}

//: 2.12 atomic read, write, update and capture
TEST(atomic_forms) {
  int n = 0, x = 5, seen = 0, old[10] = {0}, last = 0;
#pragma acc parallel loop copy(n, x, seen, last) copyout(old)
  for (int i = 0; i < 10; i++) {
    int mine;
#pragma acc atomic capture
    mine = n++;
    old[mine] = 1;
#pragma acc atomic read
    seen = x;
#pragma acc atomic write
    last = 7;
  }
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += old[i];
  CHECK(n == 10 && sum == 10 && seen == 5 && last == 7);
  return 0;
}

//: 2.12 atomic update of floating-point values and with other operators
TEST(atomic_operators) {
  double d = 0;
  float f = 1;
  unsigned bits = 0;
  long l = 1000;
#pragma acc parallel loop copy(d, f, bits, l)
  for (int i = 0; i < 8; i++) {
#pragma acc atomic update
    d += 0.5;
#pragma acc atomic
    f *= 2;
#pragma acc atomic
    bits |= 1u << i;
#pragma acc atomic
    l = l - i;
  }
  CHECK(d == 4 && f == 256 && bits == 255 && l == 972);
  return 0;
}

//: 2.15.1 routine that calls another, with arrays and structures
struct point { int x, y; };
#pragma acc routine seq
static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
#pragma acc routine seq
static int far(const struct point *p, int n) {
  int most = 0;
  for (int i = 0; i < n; i++)
    most = norm(p[i]) > most ? norm(p[i]) : most;
  return most;
}
TEST(routine_chain) {
  struct point p[3] = {{1, 2}, {3, 4}, {0, 1}};
  int r = 0;
#pragma acc serial copyin(p) copyout(r)
  r = far(p, 3);
  CHECK(r == 25);
  return 0;
}

//: 2.15.1 routine(name) declared before its definition
static int later(int);
#pragma acc routine(later) seq
TEST(routine_named) {
  int a[4];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 4; i++)
    a[i] = later(i);
  CHECK(a[3] == 10);
  return 0;
}
static int later(int i) { return 3 * i + 1; }

//: 2.16.1 async queues of several numbers, waited for one by one and all
TEST(queues) {
  int a[50], b[50];
#pragma acc enter data create(a, b)
#pragma acc parallel loop async(1) present(a)
  for (int i = 0; i < 50; i++)
    a[i] = i;
#pragma acc parallel loop async(2) wait(1) present(a, b)
  for (int i = 0; i < 50; i++)
    b[i] = 2 * a[i];
#pragma acc update self(b) async(2)
#pragma acc wait(2)
  CHECK(b[49] == 98);
#pragma acc update self(a) async
#pragma acc wait
  CHECK(a[49] == 49);
#pragma acc exit data delete(a, b)
  return 0;
}

//: 2.16.3 wait async, and wait with if
TEST(wait_async) {
  int a[10], b[10], yes = 1;
#pragma acc data create(a, b)
  {
#pragma acc parallel loop async(4)
    for (int i = 0; i < 10; i++)
      a[i] = i + 1;
#pragma acc wait(4) async(5)
#pragma acc parallel loop async(5)
    for (int i = 0; i < 10; i++)
      b[i] = a[i] * a[i];
#pragma acc wait(5) if(yes)
#pragma acc update self(b)
  }
  CHECK(b[9] == 100);
  return 0;
}
