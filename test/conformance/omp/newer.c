//: 5.5.11 declare reduction on an array, a section of it, and a section of what a pointer leads to
typedef struct {
  double re, im;
} complex_pair;
#pragma omp declare reduction(pairs: complex_pair: omp_out.re += omp_in.re, omp_out.im += omp_in.im) initializer(omp_priv = {0, 0})
#pragma omp declare reduction(highest: float: omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = -1e30f)
TEST(reduction_own_sections) {
  complex_pair a[4] = {{0, 0}}, b[6] = {{0, 0}}, *p = b;
  float m[2][8], n[3] = {0, 0, 0};
  int from = 1;
  for (int i = 0; i < 16; i++)
    m[i / 8][i % 8] = -5;
#pragma omp target teams distribute parallel for reduction(pairs: a) map(tofrom: a)
  for (int i = 0; i < 300; i++) {
    a[i % 4].re += i;
    a[i % 4].im += 1;
  }
  CHECK(a[0].re + a[1].re + a[2].re + a[3].re == 44850 && a[3].re - a[2].re == 75 && a[1].im == 75);
#pragma omp target teams distribute parallel for reduction(pairs: p[from : 3]) map(tofrom: p[0 : 6])
  for (int i = 0; i < 300; i++) {
    p[1 + i % 3].re += i;
    p[1 + i % 3].im -= 1;
  }
  CHECK(b[0].re == 0 && b[1].im == -100 && b[3].re - b[2].re == 100 && b[4].im == 0);
#pragma omp target teams distribute parallel for reduction(highest: m[0 : 2][2 : 4]) map(tofrom: m)
  for (int i = 0; i < 300; i++)
    if (i * 37 % 101 > m[i & 1][2 + i % 4])
      m[i & 1][2 + i % 4] = i * 37 % 101;
  CHECK(m[0][2] == 100 && m[0][0] == -5 && m[1][6] == -5 && m[1][3] > 90);
#pragma omp target map(tofrom: n)
#pragma omp parallel num_threads(4) reduction(highest: n[1 : 2])
  {
    const int own = omp_get_thread_num();
    n[1] = own;
    n[2] = own + 1;
  }
  CHECK(n[0] == 0 && n[1] >= 0 && n[2] == n[1] + 1);
  return 0;
}

//: 5.4.10 use_device_addr of an array whose size is taken, has_device_addr of sections that begin later
TEST(device_addr_size) {
  int a[64], *q = a;
  double d[10][3];
  size_t bytes = 0, count = 0, row = 0;
  for (int i = 0; i < 64; i++)
    a[i] = i;
#pragma omp target data map(tofrom: a) map(alloc: d) use_device_addr(a, d)
  {
    bytes = sizeof a;
    count = sizeof(a) / sizeof(a[0]);
    row = sizeof d / sizeof d[0];
#pragma omp target has_device_addr(a)
    for (int i = 0; i < (int)(sizeof a / sizeof *a); i++)
      a[i] += 1;
  }
  CHECK(bytes == 64 * sizeof(int) && count == 64 && row == 10);
#pragma omp target data map(tofrom: a[8 : 16]) use_device_addr(a[8 : 16])
#pragma omp target teams distribute parallel for has_device_addr(a[8 : 16])
  for (int i = 8; i < 24; i++)
    a[i] *= 2;
#pragma omp target data map(tofrom: q[40 : 2]) use_device_addr(q[40 : 2])
#pragma omp target has_device_addr(q[40 : 2])
  q[41] = q[40];
  for (int i = 0; i < 64; i++)
    CHECK(a[i] == (i == 41 ? 41 : (i + 1) * (i >= 8 && i < 24 ? 2 : 1)));
  return 0;
}

//: 15.9.5 depend with omp_all_memory on the host
TEST(host_all_memory) {
  int x = 0, y = 0, z = 0, w = 0;
#pragma omp parallel num_threads(3) default(none) shared(x, y, z, w)
#pragma omp single
  {
#pragma omp task depend(out: x) shared(x)
    x = 3;
#pragma omp task depend(out: y) shared(y)
    y = 4;
#pragma omp task depend(out: omp_all_memory) shared(x, y, z)
    z = x + y;
#pragma omp task depend(in: x) shared(x, z)
    x = z + x;
#pragma omp task depend(inout: omp_all_memory) depend(in: y) shared(x, y)
    y += x;
#pragma omp target depend(in: y) map(to: y) map(from: w)
    w = y;
#pragma omp taskwait depend(inout: omp_all_memory)
  }
  CHECK(x == 10 && z == 7 && y == 14 && w == 14);
  return 0;
}

//: 15.9.4 depobj: elements of an array of objects in depend on the host
TEST(host_depobj_elements) {
  int x = 0, y = 0;
  omp_depend_t d[2];
#pragma omp depobj(d[0]) depend(inout: x)
#pragma omp depobj(d[1]) depend(in: x)
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(depobj: d[0]) shared(x)
    x = 1;
#pragma omp task depend(depobj: d[1]) depend(out: y) shared(x, y)
    y = x + 1;
#pragma omp task depend(inoutset: y) shared(y)
    y += 5;
#pragma omp taskwait
  }
#pragma omp depobj(d[0]) destroy
#pragma omp depobj(d[1]) destroy
  CHECK(x == 1 && y == 7);
  return 0;
}

//: 6.6 allocate with align, at file scope and for variables of blocks
static int allocated_counter;
static float allocated_table[16] = {1, 2};
#pragma omp allocate(allocated_counter) allocator(omp_default_mem_alloc)
#pragma omp allocate(allocated_table) align(64) allocator(omp_large_cap_mem_alloc)
enum { line_bytes = 128 };
TEST(allocate_aligned) {
  int v[10];
  double w;
#pragma omp allocate(v, w) align(line_bytes)
  static int s;
#pragma omp allocate(s) align(32) allocator(omp_default_mem_alloc)
  for (int i = 0; i < 10; i++)
    v[i] = i;
  w = 2;
  s = 1;
  CHECK((size_t)v % 128 == 0 && (size_t)&w % 128 == 0 && (size_t)&s % 32 == 0 && (size_t)allocated_table % 64 == 0);
#pragma omp target map(tofrom: v, allocated_table, allocated_counter)
  {
    int own[4];
#pragma omp allocate(own) align(16)
    for (int i = 0; i < 4; i++)
      own[i] = i;
    for (int i = 0; i < 10; i++)
      v[i] += own[i % 4];
    allocated_table[3] += allocated_table[1];
    allocated_counter++;
  }
  CHECK(v[7] == 10 && allocated_table[3] == 2 && allocated_counter == 1 && w + s == 3);
  return 0;
}

//: 15.9.7 doacross with omp_cur_iteration, and ordered that does not say of how many loops
TEST(doacross_cur_iteration) {
  int a[40], b[40], c[40];
  for (int i = 0; i < 40; i++)
    a[i] = b[i] = c[i] = 1;
#pragma omp parallel for ordered num_threads(3) schedule(static, 1)
  for (int i = 1; i < 40; i++) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
    a[i] = a[i - 1] + i;
#pragma omp ordered doacross(source: omp_cur_iteration)
  }
#pragma omp parallel for ordered(1) num_threads(3) schedule(static, 1)
  for (int i = 38; i > 0; i -= 2) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
    b[i] = i + 2 < 40 ? b[i + 2] + i : i;
#pragma omp ordered doacross(source:)
  }
#pragma omp target map(tofrom: c)
#pragma omp parallel for ordered
  for (int i = 1; i < 40; i++) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
    c[i] = c[i - 1] + i;
#pragma omp ordered doacross(source: omp_cur_iteration)
  }
  CHECK(a[39] == 781 && b[2] == 380 && c[39] == 781);
  return 0;
}

//: 15.9.7 doacross with omp_cur_iteration of several loops
//: refused cur-iteration
TEST(doacross_cur_iteration_nest) {
  int a[4][4] = {{0}};
#pragma omp parallel for ordered(2)
  for (int i = 1; i < 4; i++)
    for (int j = 1; j < 4; j++) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
      a[i][j] = a[i - 1][j] + 1;
#pragma omp ordered doacross(source: omp_cur_iteration)
    }
  return a[3][3] != 3;
}

//: 6.6 allocate of a parameter with align
//: refused allocate-parameter
static int allocated_parameter(int p) {
#pragma omp allocate(p) align(64)
  return p;
}
TEST(allocate_parameter) {
  return allocated_parameter(0);
}

//: 5.8.6 a pointer to nothing that is mapped, of which a region uses the value alone
TEST(compared_pointers) {
  int a[4] = {0}, b = 0, *p = a, *q = &b, *none = NULL, found = 0, count = 0, *array = malloc(10 * sizeof(int));
  struct {
    int *at, n;
  } s = {&b, 1};
#pragma omp target map(from : found)
  {
    int *t = q;
    found = (p == q) + 2 * (p != NULL) + 4 * (none == NULL) + 8 * (t == q) + 16 * (s.at != NULL);
  }
  CHECK(found == 2 + 4 + 8 + 16);
#pragma omp target enter data map(alloc : array[0 : 10])
  int *end = array + 10;
#pragma omp target map(tofrom : count)
  for (int *i = array; i < end; i++) {
    *i = count;
    count++;
  }
#pragma omp target exit data map(from : array[0 : 10])
  CHECK(count == 10 && array[9] == 9);
  free(array);
  return 0;
}

//: 5.8.3 members that one construct maps, in regions that name none of them
struct in_part {
  char tag;
  int n;
  double d;
  int row[4], last, *p;
};
TEST(members_in_part) {
  struct in_part t = {'x', 1, 2.5, {3, 4, 5, 6}, 7, malloc(10 * sizeof(int))}, *q = &t;
  int ok = 0;
#pragma omp target data map(tofrom : t.n, t.d)
#pragma omp target map(from : ok)
  {
    ok = t.n == 1 && t.d == 2.5;
    t.n += 10;
    t.d *= 2;
  }
  CHECK(ok && t.n == 11 && t.d == 5);
#pragma omp target enter data map(to : t.d, t.row[1 : 2], t.n)
#pragma omp target
  {
    t.n = 5;
    t.row[1] = t.row[2] + 10;
    t.d = t.row[2];
  }
#pragma omp target exit data map(from : t.row[1 : 2], t.n, t.d)
  CHECK(t.n == 5 && t.row[0] == 3 && t.row[1] == 15 && t.row[2] == 5 && t.row[3] == 6 && t.d == 5);
#pragma omp target enter data map(to : q->tag, q->n, q->p, q->p[0 : 10])
#pragma omp target
  {
    q->n = 6;
    for (int i = 0; i < 10; i++)
      q->p[i] = i + q->tag;
  }
#pragma omp target exit data map(from : q->tag, q->n, q->p[0 : 10]) map(release : q->p)
  CHECK(t.n == 6 && t.p[9] == 'x' + 9 && t.last == 7);
  free(t.p);
  return 0;
}

//: 15.6 nowait with a condition, of version 6.0
TEST(nowait_condition) {
  int s = 0, x = 0, z[8], later = omp_get_num_devices() >= 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target teams distribute parallel for nowait(later) depend(out : s) map(tofrom : s) reduction(+ : s)
    for (int i = 0; i < 10; i++)
      s += i;
#pragma omp target nowait(!later) depend(in : s) map(to : s) map(from : x)
    x = s;
    if (x != 45)
      x = -1;
  }
  CHECK(x == 45);
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait(0)
    x = 5;
#pragma omp for nowait(later)
    for (int i = 0; i < 8; i++)
      z[i] = x;
  }
  CHECK(z[7] == 5);
#pragma omp target map(from : z)
#pragma omp parallel num_threads(8)
  {
#pragma omp for nowait(0)
    for (int i = 0; i < 8; i++)
      z[i] = i;
#pragma omp single nowait(1)
    z[0] = z[7];
  }
  CHECK(z[0] == 7);
  return 0;
}

//: 5.5.8 reduction with the modifier original, of version 6.0
TEST(reduction_original) {
  int s = 0, t = 0;
#pragma omp target teams distribute parallel for reduction(original(shared), + : s) map(tofrom : s)
  for (int i = 0; i < 10; i++)
    s += i;
#pragma omp parallel for reduction(original(shared), + : t)
  for (int i = 0; i < 10; i++)
    t += i;
  CHECK(s == 45 && t == 45);
  return 0;
}

//: 18.10 timing routines in a region
//: only on the host and on CUDA (test/programs/device-calls.test.ts); OpenCL has no clock, and refuses them
TEST(time_in_region) {
  double t = 0;
#pragma omp target map(from : t)
  {
    const double first = omp_get_wtime();
    t = omp_get_wtime() - first + omp_get_wtick();
  }
  CHECK(t >= 0 && t < 1);
  return 0;
}

//: 11.2 scope with firstprivate of arrays and parameters
static int scope_of_parameters(int x[4], const double *p) {
  int sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp scope firstprivate(x, p) reduction(+: sum)
  {
    x++;
    p++;
    sum += x[0] + (int)*p;
  }
  return sum;
}
TEST(scope_arrays) {
  int n = 3, wrong = 0, x[4] = {1, 2, 3, 4}, own[n];
  double y[2][3] = {{1, 2, 3}, {4, 5, 6}}, z[2] = {5, 6};
  const int fixed[2] = {7, 8};
  for (int i = 0; i < n; i++)
    own[i] = i;
#pragma omp parallel num_threads(3)
#pragma omp scope firstprivate(x, y, fixed, own) reduction(+: wrong)
  {
    x[1] += omp_get_thread_num();
    y[1][2] += 1;
    own[1]++;
    wrong += x[1] != 2 + omp_get_thread_num() || y[1][2] != 7 || fixed[1] != 8 || own[1] != 2;
  }
  CHECK(wrong == 0 && x[1] == 2 && y[1][2] == 6 && own[1] == 1);
  CHECK(scope_of_parameters(x, z) == 24);
  return 0;
}

//: 11.2 scope with firstprivate, private, allocate
TEST(scope_copies) {
  int wrong = 0, y = 3, x = 5, n = 0;
#pragma omp parallel num_threads(3)
#pragma omp scope firstprivate(y) private(x) allocate(omp_default_mem_alloc: x, y)
  {
    x = y;
    y += x + omp_get_thread_num();
    if (x != 3)
#pragma omp atomic write
      wrong = 1;
  }
#pragma omp parallel num_threads(3) firstprivate(y)
  {
    y = 7;
#pragma omp scope firstprivate(y, x) reduction(+: n) nowait
    n += y++ + x;
    if (y != 7)
#pragma omp atomic write
      wrong = 2;
  }
  CHECK(wrong == 0 && y == 3 && x == 5 && n == 36);
  return 0;
}

//: 5.4.6 linear with val and step, in every order
TEST(linear_modifiers_in_any_order) {
  int a[40], x = 0, by = 2;
#pragma omp simd linear(x: val, step(4))
  for (int i = 0; i < 40; i++) {
    a[i] = x;
    x += 4;
  }
  CHECK(a[10] == 40 && x == 160);
  x = 1;
#pragma omp parallel for linear(x: step(by))
  for (int i = 0; i < 40; i++) {
    a[i] = x;
    x += by;
  }
  CHECK(a[10] == 21 && x == 81);
  x = 0;
#pragma omp parallel for simd linear(x: step(by + (1)), val)
  for (int i = 0; i < 40; i++) {
    a[i] = x;
    x += 3;
  }
  CHECK(a[10] == 30 && x == 120);
  x = 0;
#pragma omp simd linear(x: val)
  for (int i = 0; i < 40; i++)
    a[i] = x++;
  CHECK(a[10] == 10 && x == 40);
  return 0;
}

//: 15.9.3 depobj: elements of an array, destroy of an object
TEST(depobj_elements) {
  int x = 0, y = 0;
  omp_depend_t objects[2];
#pragma omp depobj(objects[0]) depend(in: x)
#pragma omp depobj(objects[1]) depend(inout: y)
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out: x) shared(x)
    x = 4;
#pragma omp task depend(depobj: objects[0], objects[1]) shared(x, y)
    y = x + 3;
#pragma omp taskwait depend(in: y)
    y *= 2;
  }
  CHECK(y == 14);
#pragma omp depobj(objects[0]) destroy(objects[0])
#pragma omp depobj(objects[1]) destroy
  return 0;
}

//: 6.6 allocate on combined constructs with simd
TEST(allocate_simd) {
  int a[40], t = -1;
#pragma omp parallel for simd private(t) allocate(omp_default_mem_alloc: t)
  for (int i = 0; i < 40; i++) {
    t = i;
    a[i] = t;
  }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop simd private(t) allocate(omp_default_mem_alloc: t) shared(a)
  for (int i = 0; i < 40; i++) {
    t = i;
    a[i] += t;
  }
  CHECK(a[39] == 78 && t == -1);
  return 0;
}

//: 18.14 omp_control_tool
TEST(control_tool) {
  int found = omp_control_tool(omp_control_tool_start, 0, NULL);
  CHECK(found == omp_control_tool_notool || found == omp_control_tool_nocallback || found >= omp_control_tool_success);
  CHECK(omp_control_tool_pause == 2 && omp_control_tool_flush == 3 && omp_control_tool_end == 4);
  return 0;
}
