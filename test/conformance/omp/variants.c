//: 7.4 metadirective with construct and device selectors
TEST(metadirective) {
  int a[30];
#pragma omp metadirective when(device={kind(nohost)}: parallel for) default(target teams distribute parallel for map(from: a))
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 7.4 metadirective with a user condition
TEST(metadirective_user) {
  int a[30];
#pragma omp metadirective when(user={condition(1)}: target teams distribute parallel for map(from: a)) otherwise(parallel for)
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 7.4 metadirective with a condition of the run that holds, and one that does not
TEST(metadirective_both) {
  int where[2] = {-1, -1};
  for (int big = 0; big < 2; big++) {
    int host = -1;
#pragma omp metadirective when(user={condition(big > 0)}: target map(from: host)) otherwise(nothing)
    host = omp_is_initial_device();
    where[big] = host;
  }
  CHECK(where[0] == 1 && where[1] == 0);
  return 0;
}

//: 7.4 metadirective with a condition of the run
TEST(metadirective_dynamic) {
  int a[30], big = omp_get_num_devices() > 0;
#pragma omp metadirective when(user={condition(big)}: target teams distribute parallel for map(from: a)) default(parallel for)
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 7.4 metadirective on device={arch(nvptx)}
TEST(metadirective_arch) {
  int a[30];
#pragma omp target map(from: a)
#pragma omp metadirective when(device={arch("nvptx")}: parallel for) default(parallel for)
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 7.4 metadirective in target on device={arch(nvptx)}: teams or none
TEST(metadirective_teams_or_none) {
  int a[30], where = -1;
#pragma omp target map(from: a, where) device(omp_get_default_device())
#pragma omp metadirective when(device={arch("nvptx")}: teams distribute parallel for) default(parallel for)
  for (int i = 0; i < 30; i++) {
#pragma omp atomic write
    where = omp_get_device_num();
    a[i] = i;
  }
  CHECK(a[29] == 29 && where == omp_get_default_device());
  return 0;
}

//: 7.4 metadirective in target on device={kind(...)} and a condition: teams or none
TEST(metadirective_teams_or_none_of_kind) {
  int a[30], few = 1, threads = 0, teams = 0;
  for (few = 0; few < 2; few++) {
#pragma omp target map(from: a) map(tofrom: threads, teams)
#pragma omp metadirective when(user={condition(few)}: parallel num_threads(2)) when(device={kind(fpga)}: nothing) \
    default(teams num_teams(2))
    {
      if (omp_get_thread_num() == 0)
        threads = omp_get_num_threads();
      if (omp_get_team_num() == 0)
        teams = omp_get_num_teams();
      for (int i = 0; i < 30; i++)
        a[i] = i + few;
    }
    CHECK(a[29] == 29 + few && threads == few + 1 && teams >= 1 && teams <= 2 - few);
  }
  return 0;
}

//: 7.4 metadirective on implementation={vendor(...)}
TEST(metadirective_vendor) {
  int a[30];
#pragma omp metadirective when(implementation={vendor(gnu)}: target teams distribute parallel for map(from: a)) default(target parallel for map(from: a))
  for (int i = 0; i < 30; i++)
    a[i] = i;
  CHECK(a[29] == 29);
  return 0;
}

//: 7.4.3 begin metadirective
TEST(begin_metadirective) {
  int a[30];
#pragma omp begin metadirective when(user={condition(1)}: target map(from: a))
  for (int i = 0; i < 30; i++)
    a[i] = i;
#pragma omp end metadirective
  CHECK(a[29] == 29);
  return 0;
}

//: 7.5 declare variant in a region
static int of_device(void) { return 2; }
#pragma omp declare variant(of_device) match(construct={target})
static int of_base(void) { return 1; }
TEST(declare_variant_region) {
  int r = 0;
#pragma omp target map(from: r)
  r = of_base();
  CHECK(r == 2 && of_base() == 1);
  return 0;
}

//: 7.5 declare variant from host code
static int of_parallel(void) { return 3; }
#pragma omp declare variant(of_parallel) match(construct={parallel})
static int serial_base(void) { return 1; }
TEST(declare_variant_host) {
  int r = 0;
#pragma omp parallel num_threads(1)
  r = serial_base();
  CHECK(r == 3 && serial_base() == 1);
  return 0;
}

//: 7.5 declare variant for a condition that always holds, from host code
static int better(void) { return 3; }
#pragma omp declare variant(better) match(user={condition(1)})
static int base_function(void) { return 1; }
TEST(declare_variant_user) {
  CHECK(base_function() == 3);
  return 0;
}

//: 7.5.5 begin declare variant
static int kinds_value(void) { return 1; }
#pragma omp begin declare variant match(device={kind(nohost)})
static int kinds_value(void) { return 2; }
#pragma omp end declare variant
TEST(begin_declare_variant) {
  int r = 0;
#pragma omp target map(from: r)
  r = kinds_value();
  CHECK(r == 2 && kinds_value() == 1);
  return 0;
}

//: 7.6 dispatch
static int dispatched(int *p) { return p[0]; }
TEST(dispatch) {
  int a[1] = {4}, r;
#pragma omp dispatch
  r = dispatched(a);
  CHECK(r == 4);
  return 0;
}

//: 7.7 declare simd
#pragma omp declare simd uniform(k) notinbranch
static int scaled(int x, int k) { return x * k; }
TEST(declare_simd) {
  int a[30];
#pragma omp target map(from: a)
#pragma omp simd
  for (int i = 0; i < 30; i++)
    a[i] = scaled(i, 3);
  CHECK(a[29] == 87);
  return 0;
}

//: 7.8.1 declare target with a variable
static int table[4] = {1, 2, 3, 4};
#pragma omp declare target enter(table)
TEST(declare_target_variable) {
  int s = 0;
#pragma omp target map(tofrom: s)
  for (int i = 0; i < 4; i++)
    s += table[i];
  CHECK(s == 10);
  return 0;
}

//: 7.8.1 declare target link
static int linked[4] = {1, 2, 3, 4};
#pragma omp declare target link(linked)
TEST(declare_target_link) {
  int s = 0;
#pragma omp target map(to: linked) map(tofrom: s)
  for (int i = 0; i < 4; i++)
    s += linked[i];
  CHECK(s == 10);
  return 0;
}

//: 7.8.1 declare target to(list), as version 5.1 has it
static int older(int x) { return x + 1; }
#pragma omp declare target to(older)
TEST(declare_target_to) {
  int r = 0;
#pragma omp target map(from: r)
  r = older(3);
  CHECK(r == 4);
  return 0;
}

//: 7.8.1 declare target with extended list only
static int extended(int x) { return x + 1; }
#pragma omp declare target(extended)
TEST(declare_target_list) {
  int r = 0;
#pragma omp target map(from: r)
  r = extended(3);
  CHECK(r == 4);
  return 0;
}

//: 7.8.3 indirect calls
static int add_one(int x) { return x + 1; }
#pragma omp declare target enter(add_one) indirect
TEST(indirect) {
  int r = 0;
  int (*f)(int) = add_one;
#pragma omp target map(from: r) firstprivate(f)
  r = f(3);
  CHECK(r == 4);
  return 0;
}

//: 7.8.3 calls through pointers in tables, structures and arguments, which code of the region sets and compares
typedef int (*binary_function)(int, int);
static int plus(int a, int b) { return a + b; }
static int times(int a, int b) { return a * b; }
static int applied(binary_function f, int a, int b) { return f ? f(a, b) : -1; }
static binary_function chosen_function(int k) { return k == 0 ? plus : k == 1 ? times : 0; }
static binary_function function_table[2] = {plus, times};
TEST(pointers_to_functions) {
  struct {
    int n;
    binary_function f;
    double (*g)(double);
  } rules[3] = {{1, plus, floor}, {2, times, sqrt}, {3, 0, fabs}};
  int r[30], same = 0;
  double d[30];
  binary_function f = times, kept = times;
#pragma omp target teams distribute parallel for map(from: r, d) map(to: rules)
  for (int i = 0; i < 30; i++) {
    r[i] = applied(rules[i % 3].f, i, rules[i % 3].n) + 100 * function_table[i & 1](i, 3) + 10000 * f(i, 2);
    d[i] = (*rules[i % 3].g)(i);
  }
  for (int i = 0; i < 30; i++) {
    CHECK(r[i] == (i % 3 == 0 ? i + 1 : i % 3 == 1 ? i * 2 : -1) + 100 * (i & 1 ? i * 3 : i + 3) + 20000 * i);
    CHECK(fabs(d[i] - (i % 3 == 1 ? sqrt(i) : i)) < 1e-9);
  }
#pragma omp target map(tofrom: kept, same)
  {
    binary_function own[2] = {chosen_function(0), kept};
    same = own[0] == plus && own[1] != plus && !chosen_function(2) && (same ? plus : own[1])(3, 4) == 12;
    kept = plus;
  }
  CHECK(same == 1 && kept == plus && kept(2, 2) == 4);
  return 0;
}

//: 7.4 metadirective with a condition of the run in a region
TEST(meta_condition_in_region) {
  int a[40], n = 40;
#pragma omp target map(from: a)
  {
#pragma omp metadirective when(user = {condition(n > 100)} : parallel for) when(user = {condition(n > 30)} : simd)            \
    otherwise(nothing)
    for (int i = 0; i < 40; i++)
      a[i] = i + n;
  }
  CHECK(a[39] == 79);
  return 0;
}

//: 7.4 metadirective with conditions of the run that choose among directives of the host
TEST(meta_condition_of_host) {
  int threads = 0, many = 1;
#pragma omp metadirective when(user = {condition(many > 3)} : parallel num_threads(4)) default(parallel num_threads(2))
  {
#pragma omp single
    threads = omp_get_num_threads();
  }
  CHECK(threads == 2);
#pragma omp begin metadirective when(target_device = {kind(nohost)} : parallel num_threads(3)) otherwise(nothing)
  {
#pragma omp single
    threads = omp_get_num_threads();
  }
#pragma omp end metadirective
  CHECK(threads == 3);
  return 0;
}

//: 7.5.5 begin declare variant before its base, for calls of the host's threads too
#pragma omp begin declare variant match(construct={parallel})
static int blocks_value(int i) { return i + 100; }
#pragma omp end declare variant
static int blocks_value(int i) { return i; }
#pragma omp begin declare variant match(construct={target})
static int blocks_value(int i) { return i + 1000; }
#pragma omp end declare variant
TEST(begin_declare_variant_blocks) {
  int own[2] = {0, 0}, r = 0;
  // Of gcc a parallel construct alone has one thread or more: each gives the same.
#pragma omp parallel num_threads(2)
  own[omp_get_thread_num()] = blocks_value(1);
#pragma omp target map(from: r)
  r = blocks_value(1);
  CHECK(own[0] == 101 && r == 1001 && blocks_value(1) == 1);
  return 0;
}

//: 7.6 dispatch with a variant, novariants, and arguments on the device
static int dispatch_device(int *a, int n) {
#pragma omp target is_device_ptr(a)
  for (int i = 0; i < n; i++)
    a[i] += 10;
  return 1;
}
#pragma omp declare variant(dispatch_device) match(construct={dispatch}) adjust_args(need_device_ptr: a)
static int dispatch_host(int *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] += 1;
  return 0;
}
TEST(dispatch_variant) {
  int a[5] = {0, 1, 2, 3, 4}, first, second, third, asked = 0;
#pragma omp target data map(tofrom: a)
  {
#pragma omp dispatch
    first = dispatch_host(a, 5);
#pragma omp target update from(a)
    asked = a[4] == 14;
#pragma omp dispatch novariants(asked)
    second = dispatch_host(a, 5);
#pragma omp target update to(a)
#pragma omp dispatch novariants(0) nowait
    third = dispatch_host(a, 5);
  }
  CHECK(first == 1 && second == 0 && third == 1);
  for (int i = 0; i < 5; i++)
    CHECK(a[i] == i + 21);
  return 0;
}

//: 7.6 dispatch nocontext: the call is none for which a variant for dispatch stands
static int context_base(int n);
static int context_dispatch(int n) { return n + 10; }
#pragma omp declare variant(context_dispatch) match(construct={dispatch})
static int context_base(int n) { return n; }
TEST(dispatch_nocontext) {
  int r[4], on = 1;
#pragma omp dispatch
  r[0] = context_base(1);
#pragma omp dispatch nocontext(1)
  r[1] = context_base(1);
#pragma omp dispatch nocontext(on)
  r[2] = context_base(1);
  on = 0;
#pragma omp dispatch nocontext(on) novariants(0)
  r[3] = context_base(1);
  CHECK(r[0] == 11 && r[1] == 1 && r[2] == 1 && r[3] == 11);
  return 0;
}

//: 7.6 dispatch depend
//: refused unsupported-clause
TEST(dispatch_depend) {
  int r = 0;
#pragma omp dispatch depend(out: r)
  r = context_base(1);
  CHECK(r == 11);
  return 0;
}

//: 7.6 dispatch device
//: refused unsupported-clause
TEST(dispatch_device_clause) {
  int r;
#pragma omp dispatch device(0)
  r = context_base(1);
  CHECK(r == 11);
  return 0;
}

//: 7.5.3 append_args, and objects that dispatch gives
static int append_host(int n);
static int append_device(int n, omp_interop_t a, omp_interop_t b) {
  int code, of = omp_get_interop_int(a, omp_ipr_device_num, &code);
  if (a == omp_interop_none)
    return code == omp_irc_empty ? n + 1 : 0;
  return of == omp_get_default_device() && (b == omp_interop_none || a != b) ? n + 1 : 0;
}
#pragma omp declare variant(append_device) match(construct={dispatch}) append_args(interop(targetsync), interop(target))
static int append_host(int n) { return n; }
TEST(append_args) {
  omp_interop_t none = omp_interop_none;
  int first, second;
#pragma omp dispatch
  first = append_host(4);
#pragma omp dispatch interop(none, none)
  second = append_host(6);
  CHECK(first == 5 && second == 7 && append_host(8) == 8);
  return 0;
}
