//: 13.1 device_type(any) on declare target
#pragma omp begin declare target device_type(any)
static int plus(int a, int b) { return a + b; }
#pragma omp end declare target
TEST(device_type_any) {
  int r = 0;
#pragma omp target map(from: r)
  r = plus(2, 3);
  CHECK(r == 5);
  return 0;
}

//: 13.1 device_type(nohost) on declare target
static int on_device_alone(int a) { return a * 3; }
#pragma omp declare target enter(on_device_alone) device_type(nohost)
TEST(device_type_nohost) {
  int r = 0;
#pragma omp target map(from: r)
  r = on_device_alone(2);
  CHECK(r == 6);
  return 0;
}

//: 13.2 device(expression)
TEST(device_number) {
  int r = 0, n = omp_get_default_device();
#pragma omp target device(n) map(from: r)
  r = 8;
  CHECK(r == 8);
  return 0;
}

//: 13.2 device(device_num: expression)
TEST(device_num) {
  int r = 0;
#pragma omp target device(device_num: omp_get_default_device()) map(from: r)
  r = 8;
  CHECK(r == 8);
  return 0;
}

//: 13.2 device(omp_get_initial_device()) is the host
TEST(device_initial) {
  int r = 0;
#pragma omp target device(omp_get_initial_device()) map(from: r)
  r = omp_is_initial_device() ? 8 : 9;
  CHECK(r == 8);
  return 0;
}

//: 13.2 device(omp_initial_device)
TEST(device_initial_constant) {
  int x = 0;
#pragma omp target device(omp_initial_device) map(tofrom: x)
  x = omp_is_initial_device();
  CHECK(x == 1);
  CHECK(omp_invalid_device != omp_initial_device && omp_invalid_device < 0);
  CHECK(omp_target_alloc(8, omp_invalid_device) == NULL);
  return 0;
}

//: 13.2 device on data directives
TEST(device_on_data) {
  int a[3] = {1, 2, 3}, n = omp_get_default_device();
#pragma omp target enter data device(n) map(to: a)
#pragma omp target device(n)
  a[1] = 7;
#pragma omp target update device(n) from(a)
#pragma omp target exit data device(n) map(delete: a)
  CHECK(a[1] == 7);
  return 0;
}

//: 13.2 device with the number of each device, literals too
TEST(device_each) {
  int n = omp_get_num_devices(), before = omp_get_default_device(), r = -1;
  for (int d = 0; d < n; d++) {
#pragma omp target device(d) map(from: r)
    r = omp_get_device_num();
    CHECK(r == d);
  }
  omp_set_default_device(n - 1);
#pragma omp target device(0) map(from: r)
  r = omp_get_device_num();
  omp_set_default_device(before);
  CHECK(r == 0);
  return 0;
}

//: 18.7.2 omp_set_default_device, also to the host
TEST(default_device) {
  int n = omp_get_num_devices(), before = omp_get_default_device(), r = -1, on_host = 0;
  omp_set_default_device(n - 1);
#pragma omp target map(from: r)
  r = omp_get_device_num();
  omp_set_default_device(omp_get_initial_device());
#pragma omp target map(from: on_host)
  on_host = omp_is_initial_device();
  omp_set_default_device(before);
  CHECK(r == n - 1 && on_host);
  return 0;
}

//: 13.3 thread_limit on target
TEST(thread_limit) {
  int n = 0;
#pragma omp target thread_limit(4) map(tofrom: n)
#pragma omp parallel for reduction(+: n)
  for (int i = 0; i < 10; i++)
    n += i;
  CHECK(n == 45);
  return 0;
}

//: 13.5 target data with if
TEST(target_data_if) {
  int a[3] = {1, 2, 3};
  for (int on = 0; on < 2; on++) {
#pragma omp target data map(tofrom: a) if(on)
#pragma omp target map(tofrom: a)
    a[0]++;
  }
  CHECK(a[0] == 3);
  return 0;
}

//: 13.6 target enter data, 13.7 target exit data
TEST(enter_exit_data) {
  int *p = malloc(5 * sizeof *p);
#pragma omp target enter data map(alloc: p[0:5])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 5; i++)
    p[i] = i;
#pragma omp target exit data map(from: p[0:5])
  int bad = p[4] != 4;
  free(p);
  return bad;
}

//: 13.7 exit data map(release), reference counts
TEST(release) {
  int a[3] = {1, 2, 3};
#pragma omp target enter data map(to: a)
#pragma omp target enter data map(to: a)
#pragma omp target exit data map(release: a)
  int first = omp_target_is_present(a, omp_get_default_device());
#pragma omp target exit data map(release: a)
  CHECK(first);
  return 0;
}

//: 5.8.3 members of a structure that are mapped together leave together, an array with the count of one construct
TEST(siblings) {
  static struct { int a, b, c[4]; } s = {1, 2, {3, 4, 5, 6}};
  static int v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int d = omp_get_default_device();
#pragma omp target enter data map(to: s.a, s.c) map(to: v)
#pragma omp target enter data map(to: s.c, s.a) map(to: v[0:2], v[4:2])
#pragma omp target exit data map(release: s.a) map(release: v[0:2], v[4:2])
  const int still = omp_target_is_present(&s.c, d) && omp_target_is_present(v, d);
#pragma omp target map(s.a, s.c) map(always, tofrom: v)
  s.c[1] += s.a, v[5] *= 10;
#pragma omp target exit data map(from: s.c, v[0:2], v[4:2])
  CHECK(still && s.c[1] == 5 && v[5] == 60 && v[1] == 2);
  CHECK(!omp_target_is_present(&s.a, d) && !omp_target_is_present(&s.c, d) && !omp_target_is_present(v, d));
  return 0;
}

//: 7.8.1 a variable of declare target begins with its initializer on the device, or as zeros
static int begins_initialized[4] = {1, 2, 3}, begins_as_zeros[4];
static struct { char c; double d; } begins_structure = {'x', 2.5};
#pragma omp declare target to(begins_initialized, begins_as_zeros, begins_structure)
static void spoil_before_the_device_is_used(void) __attribute__((constructor));
static void spoil_before_the_device_is_used(void) {
  begins_initialized[1] = begins_as_zeros[1] = 50;
  begins_structure.d = 50;
}
TEST(declared_begins) {
  int got[3] = {0};
  double d = 0;
#pragma omp target map(from: got, d)
  {
    got[0] = begins_initialized[1], got[1] = begins_as_zeros[1], got[2] = begins_initialized[2];
    d = begins_structure.d;
  }
  int probe = 1;
#pragma omp target map(to: probe)
  probe = 2;
  CHECK(got[2] == 3);
  if (probe == 2) CHECK(got[0] == 50 && got[1] == 50 && d == 50); /* the memory is the host's */
  else CHECK(got[0] == 2 && got[1] == 0 && d == 2.5);
  return 0;
}

//: 13.8 target without clauses
TEST(target_plain) {
  int a[5] = {0};
#pragma omp target
  a[3] = 4;
  CHECK(a[3] == 4);
  return 0;
}

//: 13.8 target if(condition)
TEST(target_if) {
  int x[2] = {0};
  for (int on = 0; on < 2; on++) {
#pragma omp target if(on) map(tofrom: x)
    x[on] = 5;
  }
  CHECK(x[0] == 5 && x[1] == 5);
  return 0;
}

//: 13.8 if(target: condition) on a combined construct
TEST(target_if_named) {
  int x[20], on = 0;
#pragma omp target teams distribute parallel for if(target: on) map(from: x)
  for (int i = 0; i < 20; i++)
    x[i] = i;
  CHECK(x[19] == 19);
  return 0;
}

//: 13.8 if(parallel: condition) on a combined construct
TEST(target_if_parallel) {
  int x[20], on = 0;
#pragma omp target teams distribute parallel for if(parallel: on) map(from: x)
  for (int i = 0; i < 20; i++)
    x[i] = i;
  CHECK(x[19] == 19);
  return 0;
}

//: 13.8 target nowait, and taskwait
TEST(target_nowait) {
  int a[20], b[20];
#pragma omp target teams distribute parallel for map(from: a) nowait
  for (int i = 0; i < 20; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(from: b) nowait
  for (int i = 0; i < 20; i++)
    b[i] = -i;
#pragma omp taskwait
  CHECK(a[19] == 19 && b[19] == -19);
  return 0;
}

//: 15.9.5 depend on target constructs
TEST(target_depend) {
  int a[20];
#pragma omp target teams distribute parallel for map(from: a) nowait depend(out: a)
  for (int i = 0; i < 20; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a) nowait depend(inout: a)
  for (int i = 0; i < 20; i++)
    a[i] *= 2;
#pragma omp taskwait
  CHECK(a[19] == 38);
  return 0;
}

//: 13.9 target update with if and nowait
TEST(update_if_nowait) {
  int a[3] = {1, 2, 3};
#pragma omp target data map(to: a)
  {
#pragma omp target
    a[0] = 9;
#pragma omp target update from(a) if(a[1] == 2) nowait
#pragma omp taskwait
  }
  CHECK(a[0] == 9);
  return 0;
}

//: 13.8 uses_allocators
TEST(uses_allocators) {
  int r = 0;
#pragma omp target uses_allocators(omp_default_mem_alloc) map(from: r)
  r = 3;
  CHECK(r == 3);
  return 0;
}

//: 13.8 in_reduction on target
TEST(in_reduction) {
  int s = 0;
  // Outside of parallel constructs gcc 12's own library hangs in a later one.
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+: s)
  {
#pragma omp target in_reduction(+: s)
    s += 4;
  }
  CHECK(s == 4);
  return 0;
}

//: 13.8 in_reduction on target, of what pointers lead to
TEST(in_reduction_of_sections) {
  int data[4] = {1, 2, 3, 4}, *y = data, n = 2;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+: y[1:n])
  {
#pragma omp target in_reduction(+: y[1:n])
    {
      y[1] += 4;
      y[2] += 5;
    }
  }
  CHECK(data[0] == 1 && data[1] == 6 && data[2] == 8 && data[3] == 4);
  return 0;
}

//: 13.3 a function that is named and not called
#pragma omp declare target
static int after_name(int r) {
  if (r < 0)
    abort;
  return r + 3;
}
#pragma omp end declare target
TEST(named_function) {
  int r = 0;
#pragma omp target map(tofrom: r)
  {
    if (r != 0)
      exit;
    r = after_name(r);
  }
  CHECK(r == 3);
  return 0;
}

//: 8.3 assume
TEST(assume) {
  int r = 0;
#pragma omp target map(from: r)
  {
#pragma omp assume no_openmp
    r = 3;
  }
  CHECK(r == 3);
  return 0;
}

//: 8.4 nothing
TEST(nothing) {
  int r = 0;
#pragma omp target map(from: r)
  {
#pragma omp nothing
    r = 3;
  }
  CHECK(r == 3);
  return 0;
}

//: 8.5 error at(execution) severity(warning)
TEST(error_warning) {
  int r = 0;
#pragma omp target map(tofrom: r)
  {
    r = 3;
    if (r != 3) {
#pragma omp error at(execution) severity(warning) message("no")
      r = 4;
    }
  }
  CHECK(r == 3);
  return 0;
}

//: 14.1 interop init, use and destroy, 18.12 what objects tell
TEST(interop) {
  omp_interop_t object = omp_interop_none, two[2] = {omp_interop_none, omp_interop_none};
  double x[20];
  int code = 7;
  for (int i = 0; i < 20; i++)
    x[i] = i;
#pragma omp interop init(prefer_type("cuda", "opencl"), targetsync: object) device(omp_get_default_device())
#pragma omp interop init(target: two[1]) nowait
#pragma omp target teams distribute parallel for map(tofrom: x)
  for (int i = 0; i < 20; i++)
    x[i] *= 2;
#pragma omp interop use(object)
  omp_intptr_t runtime = omp_get_interop_int(object, omp_ipr_fr_id, &code);
  if (object == omp_interop_none) {
    CHECK(code == omp_irc_empty && runtime == 0);
  } else {
    CHECK(code == omp_irc_success && (runtime == omp_ifr_cuda || runtime == omp_ifr_opencl));
    CHECK(omp_get_interop_ptr(object, omp_ipr_device_context, &code) && code == omp_irc_success);
    CHECK(omp_get_interop_ptr(object, omp_ipr_targetsync, &code) && code == omp_irc_success);
    CHECK(omp_get_interop_str(object, omp_ipr_fr_name, NULL));
    omp_get_interop_ptr(object, omp_ipr_fr_id, &code);
    CHECK(code == omp_irc_type_int);
    omp_get_interop_ptr(two[1], omp_ipr_targetsync, &code);
    CHECK(code == omp_irc_no_value);
    omp_get_interop_int(object, (omp_interop_property_t)-30, &code);
    CHECK(code == omp_irc_out_of_range);
  }
  CHECK(!strcmp(omp_get_interop_name(object, omp_ipr_device_num), "device_num"));
  CHECK(omp_get_num_interop_properties(object) == 0 && omp_get_interop_rc_desc(object, omp_irc_empty));
#pragma omp interop destroy(object) destroy(two[1])
  CHECK(object == omp_interop_none && two[1] == omp_interop_none && x[19] == 38);
  return 0;
}

//: 14.1 interop depend
//: refused unsupported-clause
TEST(interop_depend) {
  omp_interop_t object = omp_interop_none;
  int x = 0;
#pragma omp interop init(targetsync: object) depend(inout: x)
  CHECK(x == 0);
  return 0;
}

//: 13.8 functions of string.h, ctype.h and stdlib.h in a region
#define __NO_CTYPE
#include <ctype.h>
TEST(c_library) {
  enum { n = 24 };
  char names[n][16], out[n][16], found[n];
  int length[n], order[n], value[n], kinds[n];
  for (int i = 0; i < n; i++)
    snprintf(names[i], 16, "name%d", i * i);
#pragma omp target teams distribute parallel for map(to: names) map(from: out, found, length, order, value, kinds)
  for (int i = 0; i < n; i++) {
    char *digits = strchr(names[i], 'e') + 1;
    length[i] = (int)strlen(names[i]);
    order[i] = 100 * strcmp(names[i], "name4") + strncmp(names[i], "named", 4);
    value[i] = atoi(digits);
    memset(out[i], '.', 16);
    strcpy(out[i], names[i]);
    memmove(out[i] + 2, out[i], 5);
    found[i] = strstr(names[i], "e1") ? strrchr(names[i], 'm')[0] : 0;
    kinds[i] = isdigit(digits[0]) + 2 * toupper(names[i][0]) + (memcmp(names[i], out[i], 2) ? 1000 : 0);
  }
  for (int i = 0; i < n; i++) {
    int expected = strcmp(names[i], "name4");
    CHECK(length[i] == (int)strlen(names[i]) && value[i] == i * i && kinds[i] == 1 + 2 * 'N');
    CHECK(expected < 0 ? order[i] < 0 : expected > 0 ? order[i] > 0 : order[i] == 0);
    CHECK(!memcmp(out[i], "naname", 5) && out[i][7] == (length[i] > 7 ? names[i][7] : i * i > 99 ? 0 : out[i][7]));
    CHECK(found[i] == (names[i][4] == '1' ? 'm' : 0));
  }
  return 0;
}

//: 13.8 a function that calls itself
//: only on the host and on CUDA and HIP (test/programs/device-recursion.test.ts); OpenCL and hardware refuse it
#pragma omp declare target
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
#pragma omp end declare target
TEST(recursion) {
  int a[8];
#pragma omp target teams distribute parallel for map(from: a)
  for (int i = 0; i < 8; i++)
    a[i] = factorial(i);
  CHECK(a[5] == 120);
  return 0;
}
