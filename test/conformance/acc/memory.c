//: 2.6.3 a data region inside another one: nothing moves in between
TEST(nested_data) {
  int a[4] = {1, 2, 3, 4};
#pragma acc data copy(a)
  {
#pragma acc data copyin(a)
    {
#pragma acc parallel loop
      for (int i = 0; i < 4; i++)
        a[i] += 10;
    }
#pragma acc parallel loop present(a)
    for (int i = 0; i < 4; i++)
      a[i] += 100;
  }
  CHECK(a[0] == 111 && a[3] == 114);
  return 0;
}

//: 2.6.7 reference counts of enter data and exit data
TEST(dynamic_counts) {
  int a[4] = {0};
#pragma acc enter data copyin(a)
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < 4; i++)
    a[i] = i + 1;
#pragma acc exit data delete(a)
  CHECK(acc_is_present(a, sizeof a));
#pragma acc exit data copyout(a)
  CHECK(a[3] == 4);
  return 0;
}

//: 2.6.8 attach counts: a member that leads to mapped memory
struct list { int n; int *of; };
TEST(member_pointer) {
  struct list l = {5, malloc(5 * sizeof(int))};
  for (int i = 0; i < 5; i++)
    l.of[i] = i;
#pragma acc enter data copyin(l)
#pragma acc enter data copyin(l.of[0:5])
#pragma acc parallel loop present(l)
  for (int i = 0; i < 5; i++)
    l.of[i] *= l.n;
#pragma acc exit data copyout(l.of[0:5])
#pragma acc exit data delete(l)
  int bad = l.of[4] != 20;
  free(l.of);
  CHECK(!bad);
  return 0;
}

//: 2.7.1 sections that do not begin at 0, of arrays and pointers
TEST(section_starts) {
  int a[20], *p = malloc(20 * sizeof *p);
  for (int i = 0; i < 20; i++)
    a[i] = p[i] = i;
#pragma acc parallel loop copy(a[5:10], p[3:6])
  for (int i = 5; i < 9; i++) {
    a[i] += 100;
    p[i] += a[i];
  }
  int ok = a[4] == 4 && a[5] == 105 && p[5] == 110 && p[9] == 9;
  free(p);
  CHECK(ok);
  return 0;
}

//: 2.7.1 a section of a variable length array, and of a parameter
static int total(int n, int a[n]) {
  int s = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+: s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
TEST(variable_length) {
  int n = 12;
  int a[n];
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
  CHECK(total(n, a) == 66 && total(3, a + 2) == 9);
  return 0;
}

//: 2.7.5 present
TEST(present_clause) {
  int a[6] = {1, 2, 3, 4, 5, 6};
#pragma acc data copy(a)
#pragma acc parallel loop present(a[2:3])
  for (int i = 2; i < 5; i++)
    a[i] = 0;
  CHECK(a[1] == 2 && a[2] == 0 && a[5] == 6);
  return 0;
}

//: 2.7.7 copyin(readonly: ...)
TEST(copyin_readonly) {
  int t[4] = {4, 3, 2, 1}, s = 0;
#pragma acc parallel loop copyin(readonly: t) reduction(+: s)
  for (int i = 0; i < 4; i++)
    s += t[i] * i;
  CHECK(s == 10);
  return 0;
}

//: 2.7.9 create beside copyout in one region
TEST(create_scratch) {
  int in[10], scratch[10], out[10];
  for (int i = 0; i < 10; i++)
    in[i] = i;
#pragma acc data copyin(in) create(scratch) copyout(out)
  {
#pragma acc parallel loop
    for (int i = 0; i < 10; i++)
      scratch[i] = in[i] * 2;
#pragma acc parallel loop
    for (int i = 0; i < 10; i++)
      out[i] = scratch[9 - i];
  }
  CHECK(out[0] == 18 && out[9] == 0);
  return 0;
}

//: 2.7.12 deviceptr of acc_malloc
TEST(deviceptr_of_malloc) {
  int a[5] = {0};
  int *d = acc_malloc(sizeof a);
#pragma acc parallel loop deviceptr(d)
  for (int i = 0; i < 5; i++)
    d[i] = i * 7;
  acc_memcpy_from_device(a, d, sizeof a);
  acc_free(d);
  CHECK(a[4] == 28);
  return 0;
}

//: 2.8 host_data with if and if_present
TEST(host_data_if) {
  int a[3] = {0}, no = 0, same = 0, absent = 0;
#pragma acc data copyin(a)
  {
#pragma acc host_data use_device(a) if(no)
    same = (void *)a != NULL;
  }
  int b[3];
  int *before = b;
#pragma acc host_data use_device(b) if_present
  absent = before == b;
  CHECK(same && absent);
  return 0;
}

//: 2.13 declare in a function
TEST(declare_local) {
  int a[6], s = 0;
#pragma acc declare create(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < 6; i++)
    a[i] = i;
#pragma acc parallel loop present(a) reduction(+: s)
  for (int i = 0; i < 6; i++)
    s += a[i];
  CHECK(s == 15);
  return 0;
}

//: 2.13 declare at file scope, updated
static int shared_table[4] = {1, 2, 3, 4};
#pragma acc declare copyin(shared_table)
TEST(declare_update) {
  int s = 0;
  shared_table[2] = 30;
#pragma acc update device(shared_table)
#pragma acc parallel loop reduction(+: s)
  for (int i = 0; i < 4; i++)
    s += shared_table[i];
  CHECK(s == 37);
  return 0;
}

//: 2.13 declare of an array that another file knows without its size
int declared_elsewhere[5];
#pragma acc declare create(declared_elsewhere)
void fill_elsewhere(void) {
#pragma acc parallel loop
  for (int i = 0; i < 5; i++)
    declared_elsewhere[i] = i;
}
int sum_elsewhere(void) {
  int sum = 0;
#pragma acc update self(declared_elsewhere)
  for (int i = 0; i < 5; i++)
    sum += declared_elsewhere[i];
  return sum;
}
TEST(declare_for_others) {
  fill_elsewhere();
  CHECK(sum_elsewhere() == 10);
  return 0;
}

//: 2.14.4 update host, self and device with several lists
TEST(update_lists) {
  int a[4] = {0}, b[4] = {0};
#pragma acc data create(a, b)
  {
    a[0] = 5;
    b[0] = 6;
#pragma acc update device(a, b)
#pragma acc serial present(a, b)
    {
      a[0]++;
      b[0]++;
    }
#pragma acc update host(a) self(b)
  }
  CHECK(a[0] == 6 && b[0] == 7);
  return 0;
}

//: 2.6.2 scalars without a clause in kernels keep what they are given
TEST(kernels_scalar) {
  int x = 1, a[3] = {0};
#pragma acc kernels copy(a)
  {
    x = a[0] + 5;
    a[1] = x;
  }
  CHECK(a[1] == 5 && x == 5);
  return 0;
}

//: 2.6.2 scalars without a clause in parallel are the region's own
TEST(parallel_scalar) {
  int x = 1, a[3] = {0};
#pragma acc serial copy(a)
  {
    x += 4;
    a[1] = x;
  }
  CHECK(a[1] == 5 && x == 1);
  return 0;
}

//: 2.7.3 structures and arrays of structures
struct cell { double v; int n[3]; };
TEST(structures) {
  struct cell c[4];
#pragma acc parallel loop copyout(c)
  for (int i = 0; i < 4; i++) {
    c[i].v = i * 0.5;
    for (int k = 0; k < 3; k++)
      c[i].n[k] = i + k;
  }
  CHECK(c[3].v == 1.5 && c[3].n[2] == 5);
  return 0;
}

//: 3.2.3 acc_get_device_type
TEST(device_type) {
  acc_device_t type = acc_get_device_type();
  CHECK(type != acc_device_none);
  CHECK(acc_get_num_devices(type) >= 1);
  return 0;
}

//: 3.2.5 acc_get_device_num
TEST(device_num) {
  acc_device_t type = acc_get_device_type();
  int before = acc_get_device_num(type), last = acc_get_num_devices(type) - 1;
  acc_set_device_num(last, type);
  int now = acc_get_device_num(type);
  acc_set_device_num(before, type);
  CHECK(now == last);
  return 0;
}

//: 3.2.6 acc_get_property_string
TEST(property_string) {
  const char *name = acc_get_property_string(0, acc_device_current, acc_property_name);
  const char *vendor = acc_get_property_string(0, acc_device_current, acc_property_vendor);
  CHECK(name && *name && vendor && *vendor);
  return 0;
}

//: 3.2.7 acc_init, 3.2.8 acc_shutdown
TEST(init_shutdown) {
  int a[3] = {1, 2, 3};
  acc_init(acc_get_device_type());
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 3; i++)
    a[i]++;
  acc_shutdown(acc_get_device_type());
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 3; i++)
    a[i]++;
  CHECK(a[2] == 5);
  return 0;
}

//: 3.2.10 acc_async_test_all, 3.2.12 acc_wait_all
TEST(wait_all) {
  int a[9], b[9];
#pragma acc parallel loop async(1) copyout(a)
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma acc parallel loop async(2) copyout(b)
  for (int i = 0; i < 9; i++)
    b[i] = -i;
  acc_wait_all();
  CHECK(acc_async_test_all() && a[8] == 8 && b[8] == -8);
  return 0;
}

//: 3.2.13 acc_wait_any
TEST(wait_any) {
  int a[9], queues[2] = {6, 7};
#pragma acc parallel loop async(6) copyout(a)
  for (int i = 0; i < 9; i++)
    a[i] = i;
  int one = acc_wait_any(2, queues);
  CHECK(one == 0 || one == 1);
  one = acc_wait_any_device(2, queues, acc_get_device_num(acc_device_current));
  CHECK(one == 0 || one == 1);
  CHECK(acc_wait_any(0, queues) == -1);
  acc_wait(6);
  CHECK(a[8] == 8);
  return 0;
}

//: 3.2.16 acc_memcpy_device
TEST(memcpy_device) {
  int a[3] = {1, 2, 3}, b[3] = {0};
  int *p = acc_malloc(sizeof a), *q = acc_malloc(sizeof a);
  acc_memcpy_to_device(p, a, sizeof a);
  acc_memcpy_device(q, p, sizeof a);
  acc_memcpy_from_device(b, q, sizeof a);
  acc_free(p);
  acc_free(q);
  CHECK(b[0] == 1 && b[2] == 3);
  return 0;
}

//: 3.2.25 acc_is_present of memory that the device shares, and of memory that it does not
TEST(present_if_shared) {
  int a[3] = {1, 2, 3};
  const int before = acc_is_present(a, sizeof a) != 0;
  acc_copyin(a, sizeof a);
  a[1] = 20;
  acc_update_self(a, sizeof a);
  const int shared = a[1] == 20;
  CHECK(before == shared && acc_is_present(a, sizeof a));
  acc_delete(a, sizeof a);
  CHECK((acc_is_present(a, sizeof a) != 0) == shared && !acc_is_present(NULL, 0));
  return 0;
}

//: 3.2.18 acc_copyout_finalize, acc_delete_finalize
TEST(finalize_routines) {
  int a[3] = {1, 2, 3}, unmapped = 0;
  const int shared = acc_is_present(&unmapped, sizeof unmapped);
  acc_copyin(a, sizeof a);
  acc_copyin(a, sizeof a);
#pragma acc serial present(a)
  a[1] = 20;
  acc_copyout_finalize(a, sizeof a);
  CHECK((!acc_is_present(a, sizeof a) || shared) && a[1] == 20);
  acc_create(a, sizeof a);
  acc_create(a, sizeof a);
  acc_delete_finalize(a, sizeof a);
  CHECK(!acc_is_present(a, sizeof a) || shared);
  return 0;
}

//: 3.2.18 acc_present_or_copyin, acc_pcreate: older names
TEST(older_names) {
  int a[3] = {4, 5, 6}, b[3];
  CHECK(acc_present_or_copyin(a, sizeof a) && acc_pcreate(b, sizeof b));
#pragma acc parallel loop present(a, b)
  for (int i = 0; i < 3; i++)
    b[i] = a[i] + 1;
  acc_delete(a, sizeof a);
  acc_copyout(b, sizeof b);
  CHECK(b[2] == 7);
  return 0;
}

//: 3.2.20 acc_memcpy_to_device_async, acc_memcpy_from_device_async
TEST(memcpy_async) {
  int a[3] = {7, 8, 9}, b[3] = {0};
  int *p = acc_malloc(sizeof a);
  acc_memcpy_to_device_async(p, a, sizeof a, 3);
  acc_memcpy_from_device_async(b, p, sizeof a, 3);
  acc_wait(3);
  acc_free(p);
  CHECK(b[0] == 7 && b[2] == 9);
  return 0;
}
