//: 5.4.1 default(none)
TEST(default_none) {
  int a[20], n = 20;
#pragma omp target teams distribute parallel for default(none) shared(a) firstprivate(n) map(from: a)
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int i = 0; i < n; i++)
    CHECK(a[i] == i);
  return 0;
}

//: 5.4.1 default(firstprivate) on a construct in a region
TEST(default_firstprivate) {
  int a[20], k = 3;
#pragma omp target teams distribute parallel for default(firstprivate) shared(a) map(from: a)
  for (int i = 0; i < 20; i++)
    a[i] = i * k;
  CHECK(a[19] == 57 && k == 3);
  return 0;
}

//: 5.4.1 default(private) on a construct in a region
TEST(default_private) {
  int a[20], t = 5;
#pragma omp target teams distribute parallel for default(private) shared(a) map(from: a)
  for (int i = 0; i < 20; i++) {
    t = i * 2;
    a[i] = t;
  }
  CHECK(a[19] == 38 && t == 5);
  return 0;
}

//: 5.4.3 private
TEST(private_scalar) {
  int a[30], t = -1;
#pragma omp target teams distribute parallel for private(t) map(from: a)
  for (int i = 0; i < 30; i++) {
    t = i + 1;
    a[i] = t * t;
  }
  CHECK(t == -1 && a[29] == 900);
  return 0;
}

//: 5.4.3 private of an array
TEST(private_array) {
  int a[30], t[4] = {9, 9, 9, 9};
#pragma omp target teams distribute parallel for private(t) map(from: a)
  for (int i = 0; i < 30; i++) {
    for (int k = 0; k < 4; k++)
      t[k] = i + k;
    a[i] = t[0] + t[3];
  }
  CHECK(t[2] == 9 && a[29] == 61);
  return 0;
}

//: 5.4.4 firstprivate of a scalar on target
TEST(firstprivate_target) {
  int a[3] = {0}, x = 7;
#pragma omp target firstprivate(x) map(tofrom: a)
  {
    x++;
    a[0] = x;
  }
  CHECK(a[0] == 8 && x == 7);
  return 0;
}

//: 5.4.4 firstprivate of an array on target
TEST(firstprivate_array) {
  int a[3] = {0}, x[3] = {1, 2, 3};
#pragma omp target firstprivate(x) map(tofrom: a)
  {
    x[0] += 5;
    a[0] = x[0] + x[1] + x[2];
  }
  CHECK(a[0] == 11 && x[0] == 1);
  return 0;
}

//: 5.4.4 firstprivate of an array on the loop
TEST(firstprivate_array_loop) {
  int a[33], x[3] = {1, 2, 3};
#pragma omp target teams distribute parallel for firstprivate(x) map(from: a)
  for (int i = 0; i < 33; i++) {
    x[0] = x[1] + i;
    a[i] = x[0] + x[2];
  }
  CHECK(a[32] == 37 && x[0] == 1);
  return 0;
}

//: 5.4.4 firstprivate of pointers on target: to memory of the device, to what is mapped, to what is not
TEST(firstprivate_pointers) {
  int host[9], beside[2] = {1, 2}, same = 0, device = omp_get_default_device();
  int *to = omp_target_alloc(sizeof host, device), *p = beside, *nothing = NULL;
#pragma omp target teams distribute parallel for firstprivate(to)
  for (int i = 0; i < 9; i++)
    to[i] = i;
#pragma omp target firstprivate(to)
  {
    to += 3;
    *to++ = 30;
    *to = 40;
  }
#pragma omp target defaultmap(firstprivate: pointer) map(tofrom: same)
  same = (p != NULL) + 2 * (nothing == NULL) + 4 * (to[4] == 40);
  CHECK(omp_target_memcpy(host, to, sizeof host, 0, 0, omp_get_initial_device(), device) == 0);
  CHECK(same == 7 && host[2] == 2 && host[3] == 30 && host[4] == 40 && host[8] == 8);
  omp_target_free(to, device);
  p = host;
#pragma omp target parallel for map(host) firstprivate(p)
  for (int i = 0; i < 9; i++)
    host[i] += p != NULL;
  CHECK(host[8] == 9);
  return 0;
}

//: 5.4.4 firstprivate of a structure
struct pair { int a, b; };
TEST(firstprivate_struct) {
  struct pair p = {3, 4};
  int a[9];
#pragma omp target teams distribute parallel for firstprivate(p) map(from: a)
  for (int i = 0; i < 9; i++) {
    p.a += i;
    a[i] = p.a * p.b;
  }
  CHECK(p.a == 3);
  return 0;
}

//: 5.4.5 lastprivate
TEST(lastprivate_scalar) {
  int a[50], last = -1;
  for (int i = 0; i < 50; i++)
    a[i] = 3 * i;
#pragma omp target teams distribute parallel for lastprivate(last) map(to: a)
  for (int i = 0; i < 50; i++)
    last = a[i];
  CHECK(last == 147);
  return 0;
}

//: 5.4.5 lastprivate of an array
TEST(lastprivate_array) {
  int last[2] = {-1, -1};
#pragma omp target teams distribute parallel for lastprivate(last) map(tofrom: last)
  for (int i = 0; i < 50; i++) {
    last[0] = i;
    last[1] = 2 * i;
  }
  CHECK(last[0] == 49 && last[1] == 98);
  return 0;
}

//: 5.4.5 lastprivate(conditional: list)
TEST(lastprivate_conditional) {
  int a[50], last = -1;
  for (int i = 0; i < 50; i++)
    a[i] = i % 7;
#pragma omp target map(to: a) map(tofrom: last)
#pragma omp parallel for lastprivate(conditional: last)
  for (int i = 0; i < 50; i++)
    if (a[i] == 3)
      last = i;
  CHECK(last == 45);
  return 0;
}

//: 5.4.6 linear on simd
TEST(linear_simd) {
  int a[40], j = 5;
#pragma omp target map(from: a) map(tofrom: j)
#pragma omp simd linear(j: 2)
  for (int i = 0; i < 40; i++) {
    a[i] = j;
    j += 2;
  }
  CHECK(a[39] == 83 && j == 85);
  return 0;
}

//: 5.4.6 linear on for
TEST(linear_for) {
  int a[40], j = 5;
#pragma omp target map(from: a) map(tofrom: j)
#pragma omp parallel for linear(j: 3)
  for (int i = 0; i < 40; i++) {
    a[i] = j;
    j += 3;
  }
  CHECK(a[39] == 122 && j == 125);
  return 0;
}

//: 5.4.7 is_device_ptr
TEST(is_device_ptr) {
  int dev = omp_get_default_device(), out[10];
  int *p = omp_target_alloc(10 * sizeof *p, dev);
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < 10; i++)
    p[i] = i * i;
  omp_target_memcpy(out, p, sizeof out, 0, 0, omp_get_initial_device(), dev);
  omp_target_free(p, dev);
  CHECK(out[9] == 81);
  return 0;
}

//: 5.4.8 use_device_ptr
TEST(use_device_ptr) {
  int a[10], *p = a;
#pragma omp target data map(from: p[0:10]) use_device_ptr(p)
  {
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < 10; i++)
      p[i] = i + 1;
  }
  CHECK(a[9] == 10);
  return 0;
}

//: 5.4.9 has_device_addr
TEST(has_device_addr) {
  int a[10];
#pragma omp target data map(from: a) use_device_addr(a)
  {
#pragma omp target teams distribute parallel for has_device_addr(a)
    for (int i = 0; i < 10; i++)
      a[i] = i + 2;
  }
  CHECK(a[9] == 11);
  return 0;
}

//: 5.4.10 use_device_addr of an array
TEST(use_device_addr_array) {
  int a[10];
#pragma omp target data map(from: a) use_device_addr(a)
  {
    int *p = a;
#pragma omp target is_device_ptr(p)
    for (int i = 0; i < 10; i++)
      p[i] = i;
  }
  CHECK(a[9] == 9);
  return 0;
}

//: 5.4.10 use_device_addr of a scalar
TEST(use_device_addr_scalar) {
  int x = 3;
#pragma omp target data map(tofrom: x) use_device_addr(x)
  {
    int *p = &x;
#pragma omp target is_device_ptr(p)
    *p += 4;
  }
  CHECK(x == 7);
  return 0;
}

//: 5.5.8 reduction with + * - & | ^ && || max min
TEST(reduction_operators) {
  int s = 1, m = 0, d = 5, a = ~0, o = 0, x = 0, land = 1, lor = 0, hi = -100, lo = 100;
  double p = 1;
#pragma omp target teams distribute parallel for reduction(+: s) reduction(*: p) reduction(-: d) reduction(&: a) \
    reduction(|: o) reduction(^: x) reduction(&&: land) reduction(||: lor) reduction(max: hi) reduction(min: lo) map(tofrom: m)
  for (int i = 1; i <= 10; i++) {
    s += i;
    p *= i;
    d -= i;
    a &= ~(1 << i);
    o |= 1 << i;
    x ^= i;
    land = land && i > 0;
    lor = lor || i == 7;
    hi = i > hi ? i : hi;
    lo = i < lo ? i : lo;
  }
  CHECK(s == 56 && p == 3628800 && d == -50 && a == ~2046 && o == 2046 && x == 11 && land && lor && hi == 10 && lo == 1);
  return 0;
}

//: 5.5.8 reduction over an array section
TEST(reduction_section) {
  int h[8] = {0};
#pragma omp target teams distribute parallel for reduction(+: h[0:8]) map(tofrom: h)
  for (int i = 0; i < 100; i++)
    h[i % 8]++;
  CHECK(h[0] == 13 && h[7] == 12);
  return 0;
}

//: 5.5.8 reduction over a whole array
TEST(reduction_array) {
  int h[8] = {0};
#pragma omp target teams distribute parallel for reduction(+: h)
  for (int i = 0; i < 100; i++)
    h[i % 8]++;
  CHECK(h[0] == 13 && h[7] == 12);
  return 0;
}

//: 5.5.8 reduction with the modifier default
TEST(reduction_default) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(default, +: s)
  for (int i = 0; i < 100; i++)
    s += i;
  CHECK(s == 4950);
  return 0;
}

//: 5.5.8 reduction with the modifier task
TEST(reduction_task) {
  int s = 0;
#pragma omp target map(tofrom: s)
#pragma omp parallel for reduction(task, +: s)
  for (int i = 0; i < 100; i++)
    s += i;
  CHECK(s == 4950);
  return 0;
}

//: 5.5.11 declare reduction
struct sum { int n; double of; };
#pragma omp declare reduction(add: struct sum: omp_out.n += omp_in.n, omp_out.of += omp_in.of) initializer(omp_priv = {0, 0})
TEST(declare_reduction) {
  struct sum s = {0, 0};
#pragma omp target teams distribute parallel for reduction(add: s) map(tofrom: s)
  for (int i = 0; i < 100; i++) {
    s.n++;
    s.of += i;
  }
  CHECK(s.n == 100 && s.of == 4950);
  return 0;
}

//: 5.5.11 declare reduction of a built-in type
#pragma omp declare reduction(absmax: int: omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = 0)
TEST(declare_reduction_scalar) {
  int top = 0;
#pragma omp target teams distribute parallel for reduction(absmax: top) map(tofrom: top)
  for (int i = 0; i < 100; i++) {
    int v = (i * 37) % 101 - 50;
    if (v < 0) v = -v;
    top = v > top ? v : top;
  }
  CHECK(top == 50);
  return 0;
}

//: 5.5.11 declare reduction with operators, functions and several types
struct place { int value, at; };
struct tally { int n; double of; };
static void lowest(struct place *x, struct place *o) { x->value = -1000000, x->at = o->at * 0 - 1; }
static void larger(struct place *a, struct place *b) { if (b->value > a->value) *a = *b; }
#pragma omp declare reduction(max: struct place: larger(&omp_out, &omp_in)) initializer(lowest(&omp_priv, &omp_orig))
#pragma omp declare reduction(join: int, long, double: omp_out += omp_in) initializer(omp_priv = 0)
#pragma omp declare reduction(+: struct tally: omp_out.n += omp_in.n, omp_out.of += omp_in.of)
TEST(declare_reduction_forms) {
  struct place best = {-5, -1};
  struct tally s = {1, 2};
  int i3 = 3, v[50];
  long l = 4;
  double d = 0.5;
  for (int i = 0; i < 50; i++)
    v[i] = (i * 37) % 101;
#pragma omp target teams distribute parallel for reduction(max: best) reduction(+: s) map(tofrom: best, s) map(to: v)
  for (int i = 0; i < 50; i++) {
    if (v[i] > best.value)
      best.value = v[i], best.at = i;
    s.n++, s.of -= 1;
  }
#pragma omp target map(tofrom: i3, l, d)
#pragma omp parallel for reduction(join: i3, l) reduction(join: d)
  for (int i = 0; i < 50; i++)
    i3 += i, l += 2 * i, d += 0.5;
  CHECK(best.value == 100 && best.at == 30 && s.n == 51 && s.of == -48);
  CHECK(i3 == 1228 && l == 2454 && d == 25.5);
  return 0;
}

//: 5.5.11 declare reduction, on code of all threads
struct total { int n; double of; };
#pragma omp declare reduction(+: struct total: omp_out.n += omp_in.n, omp_out.of += omp_in.of)
TEST(declare_reduction_threads) {
  struct total s = {0, 0};
  int threads = 0;
#pragma omp target map(tofrom: s, threads)
#pragma omp parallel reduction(+: s) num_threads(4)
  {
    s.n += 1;
#pragma omp for
    for (int i = 0; i < 40; i++)
      s.of += i;
#pragma omp single
    threads = omp_get_num_threads();
  }
  CHECK(s.n == threads && s.of == 780);
  return 0;
}

//: 5.6 scan inclusive
TEST(scan_inclusive) {
  int a[40], s = 0;
#pragma omp target map(from: a) map(tofrom: s)
#pragma omp parallel for reduction(inscan, +: s)
  for (int i = 0; i < 40; i++) {
    s += i;
#pragma omp scan inclusive(s)
    a[i] = s;
  }
  CHECK(a[39] == 780 && a[3] == 6);
  return 0;
}

//: 5.6 scan exclusive
TEST(scan_exclusive) {
  int a[40], s = 0;
#pragma omp target map(from: a) map(tofrom: s)
#pragma omp parallel for simd reduction(inscan, +: s)
  for (int i = 0; i < 40; i++) {
    a[i] = s;
#pragma omp scan exclusive(s)
    s += i;
  }
  CHECK(a[39] == 741 && a[3] == 3);
  return 0;
}

//: 5.8.3 map(to), map(from), map(tofrom)
TEST(map_types) {
  int a[10], b[10], c[10];
  for (int i = 0; i < 10; i++)
    a[i] = i, c[i] = 1;
#pragma omp target teams distribute parallel for map(to: a) map(from: b) map(tofrom: c)
  for (int i = 0; i < 10; i++) {
    b[i] = a[i] * 2;
    c[i] += a[i];
  }
  CHECK(b[9] == 18 && c[9] == 10);
  return 0;
}

//: 5.8.3 map(alloc)
TEST(map_alloc) {
  int t[10], r[10];
#pragma omp target data map(alloc: t) map(from: r)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 10; i++)
      t[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 10; i++)
      r[i] = t[9 - i];
  }
  CHECK(r[0] == 9);
  return 0;
}

//: 5.8.3 map(always, tofrom)
TEST(map_always) {
  int x = 1, seen = 0;
#pragma omp target data map(tofrom: x)
  {
    x = 5;
#pragma omp target map(always, tofrom: x)
    x++;
    seen = x;
  }
  CHECK(seen == 6);
  return 0;
}

//: 5.8.3 map(always tofrom) without a comma
TEST(map_always_space) {
  int x = 1;
#pragma omp target map(always tofrom: x)
  x++;
  CHECK(x == 2);
  return 0;
}

//: 5.8.3 map(present, to)
TEST(map_present) {
  int x[4] = {1, 2, 3, 4}, s = 0;
#pragma omp target data map(to: x)
#pragma omp target map(present, to: x) map(tofrom: s)
  for (int i = 0; i < 4; i++)
    s += x[i];
  CHECK(s == 10);
  return 0;
}

//: 5.8.3 map(close, tofrom)
TEST(map_close) {
  int x = 1;
#pragma omp target map(close, tofrom: x)
  x++;
  CHECK(x == 2);
  return 0;
}

//: 5.8.3 map of a section of a pointer
TEST(map_section) {
  int *p = malloc(20 * sizeof *p);
  for (int i = 0; i < 20; i++)
    p[i] = i;
#pragma omp target map(tofrom: p[5:10])
  for (int i = 5; i < 15; i++)
    p[i] = -p[i];
  int bad = p[4] != 4 || p[5] != -5 || p[14] != -14 || p[15] != 15;
  free(p);
  return bad;
}

//: 5.8.3 map of an array parameter without a section
static void twice(int a[10]) {
#pragma omp target map(tofrom: a[:10])
  for (int i = 0; i < 10; i++)
    a[i] *= 2;
}
TEST(map_parameter) {
  int a[10];
  for (int i = 0; i < 10; i++)
    a[i] = i;
  twice(a);
  CHECK(a[9] == 18);
  return 0;
}

//: 5.8.3 map with an iterator
TEST(map_iterator) {
  int *rows[3];
  for (int k = 0; k < 3; k++)
    rows[k] = calloc(4, sizeof **rows);
#pragma omp target map(iterator(k = 0 : 3), tofrom: rows[k][0:4])
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4; i++)
      rows[k][i] = k + i;
  int bad = rows[2][3] != 5;
  for (int k = 0; k < 3; k++)
    free(rows[k]);
  return bad;
}

//: 5.8.3 map of a structure
struct grid { int n; int cell[6]; };
TEST(map_struct) {
  struct grid g = {6, {0}};
#pragma omp target map(tofrom: g)
  for (int i = 0; i < g.n; i++)
    g.cell[i] = i;
  CHECK(g.cell[5] == 5);
  return 0;
}

//: 5.8.3 map of members of a structure and what they point to
struct list { int n; int *of; };
TEST(map_members) {
  int data[6] = {0};
  struct list h = {6, data};
#pragma omp target map(to: h.n) map(tofrom: h.of[0:h.n])
  for (int i = 0; i < h.n; i++)
    h.of[i] = i;
  CHECK(data[5] == 5 && h.of == data);
  return 0;
}

//: 5.8.3 map of a structure and what its member points to
struct holder { int n; int *of; };
TEST(map_struct_and_pointer) {
  int data[6] = {0};
  struct holder h = {6, data};
#pragma omp target map(to: h) map(tofrom: h.of[0:6])
  for (int i = 0; i < h.n; i++)
    h.of[i] = i;
  CHECK(data[5] == 5 && h.of == data);
  return 0;
}

//: 5.8.3 map through a pointer to a structure
struct behind { int n; int *of; };
TEST(map_arrow) {
  int data[6] = {0};
  struct behind of = {6, data}, *h = &of;
#pragma omp target map(to: h[0:1]) map(tofrom: h->of[0:6])
  for (int i = 0; i < h->n; i++)
    h->of[i] = i;
  CHECK(data[5] == 5);
  return 0;
}

//: 5.8.3 map of a pointer itself
TEST(map_pointer) {
  int x[4] = {1, 2, 3, 4}, *p = x, null = -1;
#pragma omp target map(to: p) map(from: null)
  null = p == 0;
  CHECK(null != -1);
  return 0;
}

//: 5.8.3 map of lvalues that begin with *
typedef struct {
  int n, *p;
} map_lvalue_t;
TEST(map_lvalues) {
  int x = 3, *p = &x, y[4] = {1, 2, 3, 4}, *q = y, k = 2;
  map_lvalue_t s = {4, y}, *at = &s;
#pragma omp target map(tofrom: *p) map(tofrom: *(q + k))
  {
    *p += 4;
    q[k] = 30;
  }
  CHECK(x == 7 && y[1] == 2 && y[2] == 30 && y[3] == 4);
#pragma omp target map(to: (*at).n) map(tofrom: (*at).p[0:(*at).n])
  for (int i = 0; i < (*at).n; i++)
    (*at).p[i]++;
  CHECK(y[0] == 2 && y[3] == 5);
  return 0;
}

//: 5.8.3 map of a member, which the region spells otherwise
TEST(map_spellings) {
  int y[4] = {1, 2, 3, 4};
  map_lvalue_t s = {4, y}, *at = &s;
#pragma omp target map(to: at->n) map(tofrom: at->p[0:at->n])
  for (int i = 0; i < (*at).n; i++)
    at[0].p[i] += i;
#pragma omp target map(to: at[0].n) map(tofrom: at[0].p[0:at[0].n])
  for (int i = 0; i < at->n; i++)
    at->p[i] *= 10;
  for (int i = 0; i < 4; i++)
    CHECK(y[i] == 10 * (1 + 2 * i));
  return 0;
}

//: 5.8.3 two map clauses of one variable
TEST(map_twice) {
  int x = 1;
#pragma omp target map(to: x) map(from: x)
  x += 3;
  CHECK(x == 4);
  return 0;
}

//: 5.8.3 map of a section with a stride
TEST(map_stride) {
  int a[12] = {0}, bad = 0;
#pragma omp target data map(tofrom: a)
  {
    for (int i = 0; i < 12; i++)
      a[i] = 100;
#pragma omp target
    for (int i = 0; i < 12; i += 2)
      a[i] = i;
#pragma omp target update from(a[0:6:2])
    bad = a[2] != 2 || a[3] != 100;
  }
  CHECK(!bad);
  return 0;
}

//: 5.8.7 defaultmap(tofrom: scalar)
TEST(defaultmap_scalar) {
  int x = 1;
#pragma omp target defaultmap(tofrom: scalar)
  x += 3;
  CHECK(x == 4);
  return 0;
}

//: 5.8.7 defaultmap(firstprivate: scalar)
TEST(defaultmap_firstprivate) {
  int x = 1, y[2] = {0};
#pragma omp target defaultmap(firstprivate: scalar)
  {
    x += 3;
    y[0] = x;
  }
  CHECK(x == 1 && y[0] == 4);
  return 0;
}

//: 5.8.7 defaultmap(to: aggregate)
TEST(defaultmap_aggregate) {
  int x[2] = {1, 2}, s = 0;
#pragma omp target defaultmap(to: aggregate) map(tofrom: s)
  s = x[0] + x[1];
  CHECK(s == 3);
  return 0;
}

//: 5.8.7 defaultmap(none)
TEST(defaultmap_none) {
  int x[2] = {1, 2}, s = 0;
#pragma omp target defaultmap(none) map(to: x) map(tofrom: s)
  s = x[0] + x[1];
  CHECK(s == 3);
  return 0;
}

//: 5.8.7 defaultmap(present: aggregate)
TEST(defaultmap_present) {
  int x[2] = {1, 2}, s = 0;
#pragma omp target data map(to: x)
#pragma omp target defaultmap(present: aggregate) map(tofrom: s)
  s = x[0] + x[1];
  CHECK(s == 3);
  return 0;
}

//: 5.8.7 scalars are firstprivate, arrays tofrom, without a clause
TEST(implicit_attributes) {
  int x = 4, a[4] = {0};
#pragma omp target
  {
    a[1] = x;
    x = 9;
  }
  CHECK(x == 4 && a[1] == 4);
  return 0;
}

//: 5.8.7 a pointer to mapped memory needs no clause
TEST(implicit_pointer) {
  int a[4] = {0}, *p = a;
#pragma omp target data map(tofrom: p[0:4])
#pragma omp target
  p[2] = 3;
  CHECK(a[2] == 3);
  return 0;
}

//: 5.8.7 of an array that no clause names, the part that is mapped
static int part_of_global[6][4];
TEST(implicit_part) {
  int a[5][4] = {{0}};
  for (int i = 0; i < 5; i++) {
#pragma omp target enter data map(alloc: a[i:1][0:4])
#pragma omp target
    for (int j = 0; j < 4; j++)
      a[i][j] = 10 * i + j;
#pragma omp target exit data map(from: a[i:1][0:4])
  }
  CHECK(a[0][3] == 3 && a[4][0] == 40 && a[4][3] == 43);
#pragma omp target data map(tofrom: part_of_global[2:3])
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 2; i < 5; i++)
    for (int j = 0; j < 4; j++)
      part_of_global[i][j] += i;
  CHECK(part_of_global[1][0] == 0 && part_of_global[2][0] == 2 && part_of_global[4][3] == 4 && part_of_global[5][0] == 0);
#pragma omp target
  a[0][0] = a[4][3] + part_of_global[4][3];
  CHECK(a[0][0] == 47);
  return 0;
}

//: 5.8.3 a pointer that is a member, and what it leads to
struct led { int before, *to, behind; };
TEST(member_and_what_it_leads_to) {
  int x[4] = {0, 1, 2, 3};
  struct led a = {7, x, 8};
#pragma omp target enter data map(to: a.to[:4], a.to)
#pragma omp target
  for (int i = 0; i < 4; i++)
    a.to[i] += 10;
#pragma omp target update from(a.to, a.to[:4])
  CHECK(a.to == x && x[0] == 10 && x[3] == 13);
#pragma omp target exit data map(from: a.to, a.to[:4])
  CHECK(a.to == x && a.before == 7 && a.behind == 8);
#pragma omp target data map(tofrom: a.to, a.to[1:2])
#pragma omp target
  a.to[2] = 5;
  CHECK(a.to == x && x[1] == 11 && x[2] == 5 && x[3] == 13);
  return 0;
}

//: 5.8.8 declare mapper
struct vec { int n; double *x; };
#pragma omp declare mapper(struct vec v) map(v.n) map(tofrom: v.x[0:v.n])
TEST(declare_mapper_default) {
  double x[5] = {1, 2, 3, 4, 5};
  struct vec v = {5, x};
#pragma omp target map(tofrom: v)
  for (int i = 0; i < v.n; i++)
    v.x[i] *= 2;
  CHECK(x[4] == 10);
  return 0;
}

//: 5.8.8 declare mapper with a name
struct named { int n; double *x; };
#pragma omp declare mapper(half: struct named v) map(v.n, v.x[0:v.n / 2])
TEST(declare_mapper_named) {
  double x[6] = {1, 2, 3, 4, 5, 6};
  struct named v = {6, x};
#pragma omp target map(mapper(half), tofrom: v)
  for (int i = 0; i < v.n / 2; i++)
    v.x[i] *= 2;
  CHECK(x[2] == 6 && x[3] == 4);
  return 0;
}

//: 5.9.1 target update to, from
TEST(update_to_from) {
  int a[4] = {1, 2, 3, 4};
#pragma omp target data map(alloc: a)
  {
#pragma omp target update to(a)
#pragma omp target
    for (int i = 0; i < 4; i++)
      a[i] += 10;
#pragma omp target update from(a[1:2])
  }
  CHECK((a[0] == 1 || a[0] == 11) && a[1] == 12 && a[2] == 13);
  return 0;
}

//: 5.9.1 update from(present: list)
TEST(update_present) {
  int a[4] = {1, 2, 3, 4};
#pragma omp target data map(to: a)
  {
#pragma omp target
    a[0] = 5;
#pragma omp target update from(present: a)
  }
  CHECK(a[0] == 5);
  return 0;
}

//: 5.8.6 a pointer that no clause maps, to what was allocated in view
TEST(test_unmapped_pointer) {
  int n = 40;
  double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      a[i] += 1;
  }
  int right = a[0] == 1 && a[39] == 40;
  free(a);
  CHECK(right);
  return 0;
}

//: 5.4.10 use_device_addr of a structure, has_device_addr of a scalar
TEST(use_device_addr_objects) {
  struct pair p = {3, 4};
  int x = 5;
#pragma omp target data map(tofrom: p, x) use_device_addr(p, x)
  {
    struct pair *q = &p;
#pragma omp target is_device_ptr(q)
    q->a += 10;
#pragma omp target has_device_addr(x)
    x = 9;
  }
  CHECK(p.a == 13 && p.b == 4 && x == 9);
  return 0;
}

//: 5.4.5 lastprivate of the loop's own variable
TEST(lastprivate_counter) {
  int a[30], i, j;
#pragma omp target teams distribute parallel for lastprivate(i) map(from: a)
  for (i = 0; i < 30; i += 4)
    a[i] = i;
  CHECK(i == 32);
#pragma omp target teams distribute parallel for collapse(2) lastprivate(i, j) map(from: a)
  for (i = 0; i < 5; i++)
    for (j = 6; j > 0; j--)
      a[i * 6 + j - 1] = i;
  CHECK(i == 5 && j == 0 && a[29] == 4);
  return 0;
}

//: 5.4.4 firstprivate and lastprivate of arrays of two dimensions
TEST(private_tables) {
  int first[2][3] = {{1, 2, 3}, {4, 5, 6}}, last[2][2], a[40];
#pragma omp target teams distribute parallel for firstprivate(first) lastprivate(last) map(from: a)
  for (int i = 0; i < 40; i++) {
    first[1][2] += i;
    a[i] = first[1][2] + first[0][0];
    last[0][0] = last[1][1] = i;
  }
  CHECK(a[0] == 7 && a[39] == 46 && first[1][2] == 6 && last[0][0] == 39 && last[1][1] == 39);
  return 0;
}

//: 5.8.8 declare mapper inside another one's, of arrays of structures, on enter data, update and exit data
struct value_line { int n; int *of; };
struct scaled_line { struct value_line row; int scale; };
#pragma omp declare mapper(struct value_line r) map(r, r.of[0:r.n])
#pragma omp declare mapper(struct scaled_line g) map(g.scale, g.row)
#pragma omp declare mapper(values: struct value_line r) map(r.of[0:r.n])
TEST(mapper_nested) {
  int values[3][8];
  struct value_line rows[2] = {{8, values[0]}, {8, values[1]}};
  struct scaled_line g = {{8, values[2]}, 5};
  for (int i = 0; i < 8; i++)
    values[0][i] = values[1][i] = values[2][i] = i;
#pragma omp target enter data map(to: rows)
#pragma omp target map(tofrom: g)
  for (int i = 0; i < g.row.n; i++) {
    g.row.of[i] *= g.scale;
    rows[1].of[i] += 10;
  }
#pragma omp target update from(mapper(values): rows[1])
  CHECK(values[2][7] == 35 && values[1][7] == 17 && values[0][7] == 7);
#pragma omp target exit data map(from: rows)
  CHECK(values[1][7] == 17 && values[0][7] == 7);
  return 0;
}

//: 5.9.1 update with an iterator
TEST(update_iterator) {
  int *rows[4];
  for (int k = 0; k < 4; k++)
    rows[k] = calloc(6, sizeof(int));
#pragma omp target enter data map(iterator(k = 0:4), to: rows[k][0:6]) map(to: rows)
#pragma omp target
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 6; i++)
      rows[k][i] += k * i;
#pragma omp target update from(iterator(int k = 0:4:2): rows[k][0:6])
  CHECK(rows[2][5] == 10);
#pragma omp target exit data map(iterator(k = 0:4), from: rows[k][0:6]) map(release: rows)
  CHECK(rows[3][5] == 15);
  for (int k = 0; k < 4; k++)
    free(rows[k]);
  return 0;
}

//: 5.4.4 firstprivate and lastprivate of one variable, combined with target
TEST(first_and_last_of_target) {
  int x = 7, w[3] = {1, 2, 3}, a[40];
#pragma omp target teams distribute parallel for firstprivate(x, w) lastprivate(x, w) map(from: a)
  for (int i = 0; i < 40; i++) {
    a[i] = x + w[i % 3];
    if (i == 39) {
      x = 39;
      w[1] = 40;
    }
  }
  for (int i = 0; i < 40; i++)
    CHECK(a[i] == 8 + i % 3);
  CHECK(x == 39 && w[1] == 40);
  return 0;
}

//: 5.3 private and firstprivate of arrays whose size a constant variable is
TEST(private_of_known_size) {
  const int n = 4, m = n + 1;
  int w[n], g[n][m], a[40];
  for (int i = 0; i < n * m; i++)
    g[i / m][i % m] = i;
#pragma omp target teams distribute parallel for private(w) firstprivate(g) map(from: a)
  for (int i = 0; i < 40; i++) {
    int own[m];
    for (int k = 0; k < n; k++)
      w[k] = i + k;
    g[0][0] += i;
    own[n] = w[n - 1];
    a[i] = own[n] + g[0][0] + g[n - 1][m - 1] + (int)(sizeof w / sizeof *w);
  }
  for (int i = 0; i < 40; i++)
    CHECK(a[i] == 2 * i + 3 + 19 + 4);
  return 0;
}

//: 5.3 private and firstprivate of arrays whose size is computed
TEST(private_of_variable_size) {
  int n = (int)strlen("four"), w[n], a[40];
#pragma omp target teams distribute parallel for private(w) map(from: a)
  for (int i = 0; i < 40; i++) {
    for (int k = 0; k < n; k++)
      w[k] = i + k;
    a[i] = w[n - 1];
  }
  for (int i = 0; i < 40; i++)
    CHECK(a[i] == i + 3);
  return 0;
}

//: 5.5.11 declare reduction on sections
#pragma omp declare reduction(product: int: omp_out *= omp_in) initializer(omp_priv = 1)
TEST(reduction_of_sections) {
  int p = 2, s = 0, q = 3;
#pragma omp target parallel map(tofrom: p, s) num_threads(4)
  {
#pragma omp sections reduction(product: p) reduction(+: s)
    {
#pragma omp section
      { p *= 3; s += 1; }
#pragma omp section
      { p *= 5; s += 2; }
#pragma omp section
      p *= 7;
    }
  }
  CHECK(p == 210 && s == 3);
#pragma omp target map(tofrom: q)
#pragma omp parallel sections reduction(product: q)
  {
#pragma omp section
    q *= 11;
#pragma omp section
    q *= 13;
  }
  CHECK(q == 3 * 11 * 13);
  return 0;
}

//: 5.8.8 declare mapper, which maps members alone, of what a pointer leads to
typedef struct {
  int n, *list;
} mapper_members_t;
#pragma omp declare mapper(mapper_members_t v) map(to : v.n) map(tofrom : v.list[0:v.n])
TEST(mapper_of_pointee) {
  int x[5] = {0, 1, 2, 3, 4};
  mapper_members_t one = {5, x}, *p = &one;
#pragma omp target teams distribute parallel for map(tofrom: *p)
  for (int i = 0; i < 5; i++)
    p->list[i] += p->n;
#pragma omp target map(tofrom: p[0:1])
  p->list[4] = -1;
  for (int i = 0; i < 4; i++)
    CHECK(x[i] == i + 5);
  CHECK(x[4] == -1);
  return 0;
}

//: 5.4.9 has_device_addr, 5.4.10 use_device_addr of array sections
TEST(sections_device_addr) {
  int x[20], *p = malloc(20 * sizeof(int));
  for (int i = 0; i < 20; i++)
    x[i] = p[i] = i;
#pragma omp target data map(tofrom: x, p[0:20]) use_device_addr(x[2:8], p[:20])
  {
#pragma omp target has_device_addr(x[2:8], p[0:20])
    for (int i = 2; i < 10; i++)
      x[i] += p[i];
  }
  for (int i = 0; i < 20; i++)
    CHECK(x[i] == (i >= 2 && i < 10 ? 2 * i : i));
  free(p);
  return 0;
}

//: 3.2.4 the shape of memory that a pointer leads to, in update
TEST(update_shaped) {
  int n = 4, m = 6, *p = malloc(24 * sizeof(int)), *q = malloc(24 * sizeof(int));
  for (int i = 0; i < 24; i++)
    p[i] = q[i] = i;
#pragma omp target data map(alloc: p[0:24]) map(to: q[0:24])
  {
#pragma omp target update to(([n][m]p)[0:n][0:m])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 24; i++) {
      p[i] += q[i];
      q[i] = -1;
    }
#pragma omp target update from(([n][m]p)[1:2][2:3], ([m]q)[1:2])
  }
  for (int i = 1; i < 3; i++)
    for (int k = 2; k < 5; k++)
      CHECK(p[i * m + k] == 2 * (i * m + k));
  CHECK(q[1] == -1 && q[2] == -1);
  free(p);
  free(q);
  return 0;
}

//: 5.1.1 a scalar that no clause names: the region's copy is reduced, and read there
TEST(data_copy_reduced) {
  int a[1000], s = 3, out = 0;
  static int kept = 5;
  for (int i = 0; i < 1000; i++)
    a[i] = i;
#pragma omp target map(from: out)
  {
#pragma omp parallel for reduction(+: s)
    for (int i = 0; i < 1000; i++)
      s += a[i];
    out = s;
  }
  CHECK(out == 499503);
#pragma omp target map(from: out)
#pragma omp parallel
  {
#pragma omp for reduction(+: kept)
    for (int i = 0; i < 1000; i++)
      kept += a[i];
#pragma omp single
    out = kept;
  }
  CHECK(out == 499505 && kept == 5);
  return s != 3;
}

//: 5.1.1 all teams share the region's copy of a scalar and of an array, which ends with the region
TEST(data_copy_of_teams) {
  int slots[1000], s = 3, next = 7, of[4] = {10, 20, 30, 40};
#pragma omp target firstprivate(s)
#pragma omp teams distribute parallel for reduction(+: s)
  for (int i = 0; i < 1000; i++)
    s += i;
  CHECK(s == 3);
#pragma omp target teams distribute parallel for map(from: slots)
  for (int i = 0; i < 1000; i++) {
    int slot;
#pragma omp atomic capture
    slot = next++;
    slots[slot - 7] = i;
  }
  long sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += slots[i];
  CHECK(next == 7 && sum == 499500);
#pragma omp target firstprivate(of) map(from: slots)
#pragma omp teams distribute parallel for
  for (int i = 0; i < 1000; i++) {
    int count;
#pragma omp atomic capture
    count = of[i & 3]++;
    slots[i] = count;
  }
  sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += slots[i];
  CHECK(of[0] == 10 && sum == 250l * (10 + 20 + 30 + 40) + 4 * (250 * 249 / 2));
  return 0;
}

//: 5.4.10 use_device_addr of a section, of which alone there is memory on the device
TEST(use_device_addr_part) {
  int x[40], rows[4][5], *p = x;
  for (int i = 0; i < 40; i++)
    x[i] = i;
  for (int i = 0; i < 20; i++)
    rows[i / 5][i % 5] = i;
#pragma omp target data map(tofrom: x[8:16]) use_device_addr(x[8:16])
  {
    int *part = &x[8];
#pragma omp target is_device_ptr(part)
    for (int i = 0; i < 16; i++)
      part[i] += 100;
  }
#pragma omp target data map(tofrom: p[30:5], rows[2:2][0:5]) use_device_addr(p[30:5], rows[2:2][0:5])
  {
    int *part = p + 30, *row = &rows[2][0];
#pragma omp target is_device_ptr(part, row)
    for (int i = 0; i < 5; i++)
      part[i] += row[5 + i];
  }
  for (int i = 0; i < 40; i++)
    CHECK(x[i] == i + (i >= 8 && i < 24 ? 100 : i >= 30 && i < 35 ? 15 + i - 30 : 0));
  return 0;
}

//: 5.8.3 members of one structure, spelled in another way in the clause than in the region
TEST(member_spellings) {
  struct box {
    int n;
    double *v;
    double fixed[4];
    struct {
      int low, high;
    } range;
  };
  double values[10];
  for (int i = 0; i < 10; i++)
    values[i] = i;
  struct box a = {10, values, {0}, {0, 0}}, b = {0, NULL, {1, 2, 3, 4}, {3, 4}};
  struct box *p = &a, *q = &b;
#pragma omp target map(tofrom: p->v[0 : p->n], q[0].fixed, (*q).range) map(to: p->n)
  {
    for (int i = 0; i < (*p).n; i++)
      p[0].v[i] += 1;
    for (int i = 0; i < 4; i++)
      (*q).fixed[i] += i;
    (&*q)->range.high = (&q[0])->range.low + 6;
  }
  for (int i = 0; i < 10; i++)
    CHECK(values[i] == i + 1);
  CHECK(b.fixed[3] == 7 && b.range.low == 3 && b.range.high == 9);
  return 0;
}

//: 5.8.8 declare mapper, in whose clauses a mapper and an iterator are named
typedef struct {
  int n, *list;
} mapper_inner_t;
typedef struct {
  int rows, scale[2];
  mapper_inner_t row[2];
} mapper_outer_t;
#pragma omp declare mapper(mapper_inner_t v) map(v.n, v.list[0:v.n])
#pragma omp declare mapper(by_name: mapper_outer_t g) map(mapper(default), tofrom: g.row[0:2]) map(to: g.rows, g.scale)
#pragma omp declare mapper(each: mapper_outer_t g) map(iterator(k = 0:2), tofrom: g.row[k]) map(to: g.rows, g.scale)
TEST(mapper_of_named_mappers) {
  int a[4] = {0, 1, 2, 3}, b[3] = {4, 5, 6};
  mapper_outer_t g = {2, {10, 20}, {{4, a}, {3, b}}};
#pragma omp target map(mapper(by_name), tofrom: g)
  for (int k = 0; k < g.rows; k++)
    for (int i = 0; i < g.row[k].n; i++)
      g.row[k].list[i] += g.scale[k];
  CHECK(a[0] == 10 && a[3] == 13 && b[0] == 24 && b[2] == 26);
#pragma omp target map(mapper(each), tofrom: g)
  for (int k = 0; k < g.rows; k++)
    for (int i = 0; i < 3; i++)
      g.row[k].list[i] *= 2;
  CHECK(a[0] == 20 && a[2] == 24 && a[3] == 13 && b[0] == 48 && b[2] == 52);
  return 0;
}
