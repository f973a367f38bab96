/* OpenMP on several devices: each has data of its own, and the host is one of the numbers. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { length = 10 };
static int failures;
#define HOLDS(condition)                                  \
  do {                                                    \
    if (!(condition)) {                                   \
      printf("wrong at line %d\n", __LINE__);             \
      failures++;                                         \
    }                                                     \
  } while (0)

static int global[4] = {1, 2, 3, 4};
#pragma omp declare target enter(global)

static void by_number(int devices, int host) {
  int where = -9;
  for (int d = 0; d < devices; d++) {
#pragma omp target device(d) map(from: where)
    where = omp_get_device_num();
    HOLDS(where == d);
    omp_set_default_device(d);
    HOLDS(omp_get_default_device() == d);
#pragma omp target map(from: where)
    where = omp_get_device_num();
    HOLDS(where == d);
    /* A literal is a number, and not the device in use. */
#pragma omp target device(0) map(from: where)
    where = omp_get_device_num();
    HOLDS(where == 0);
  }
  HOLDS(!omp_pause_resource(omp_pause_soft, host) && !omp_pause_resource(omp_pause_hard, host));
  HOLDS(!omp_pause_resource(omp_pause_soft, 0) && omp_pause_resource(omp_pause_hard, 0));
  HOLDS(!omp_pause_resource_all(omp_pause_soft) && omp_pause_resource(omp_pause_soft, host + 1));
  int on_host = 0;
  omp_set_default_device(host);
  HOLDS(omp_get_default_device() == host);
#pragma omp target map(from: on_host)
  on_host = omp_is_initial_device();
  HOLDS(on_host);
#pragma omp target device(0) map(from: on_host)
  on_host = omp_is_initial_device();
  HOLDS(!on_host);
  omp_set_default_device(0);
#pragma omp target map(from: on_host)
  on_host = omp_is_initial_device();
  HOLDS(!on_host);
}

static void present_tables(int devices, int separate) {
  int a[length];
  for (int i = 0; i < length; i++) a[i] = i;
  for (int d = 0; d < devices; d++) {
#pragma omp target enter data map(to: a) device(d)
  }
  for (int d = 0; d < devices; d++) {
#pragma omp target teams distribute parallel for device(d) map(a)
    for (int i = 0; i < length; i++) a[i] += 100 * (d + 1);
  }
  HOLDS(!separate || a[3] == 3);
  for (int d = devices - 1; d >= 0; d--) {
    HOLDS(omp_target_is_present(a, d));
#pragma omp target update from(a) device(d)
    HOLDS(!separate || a[3] == 100 * (d + 1) + 3);
#pragma omp target exit data map(delete: a) device(d)
    HOLDS(!omp_target_is_present(a, d));
  }
}

static void crossed(int last, int separate) {
  int a[length] = {0};
#pragma omp target data map(tofrom: a) device(0)
  {
#pragma omp target device(last) map(tofrom: a)
    a[0] = 77;
#pragma omp target device(0)
    a[1] = 78;
    if (separate && last > 0) HOLDS(a[0] == 77 && a[1] == 0);
#pragma omp target update to(a[0:1]) device(0)
#pragma omp target update from(a[1:1]) device(0)
    HOLDS(a[1] == 78);
  }
  HOLDS(a[0] == 77 && a[1] == 78);
}

static void memory(int devices, int last, int host) {
  int *p = omp_target_alloc(length * sizeof(int), 0), *q = omp_target_alloc(length * sizeof(int), last);
  int *h = omp_target_alloc(length * sizeof(int), host);
#pragma omp target device(0) is_device_ptr(p)
  for (int i = 0; i < length; i++) p[i] = i * i;
  HOLDS(omp_target_memcpy(q, p, length * sizeof(int), 0, 0, last, 0) == 0);
#pragma omp target device(last) is_device_ptr(q)
  for (int i = 0; i < length; i++) q[i] += 1;
  HOLDS(omp_target_memcpy(h, q, length * sizeof(int), 0, 0, host, last) == 0);
  HOLDS(h[3] == 10);
  HOLDS(omp_target_memcpy(h, q, sizeof(int), 0, 0, host, devices + 5) != 0);
  HOLDS(omp_target_alloc(8, devices + 5) == NULL);
  int x[2] = {1, 2};
  HOLDS(omp_target_associate_ptr(x, q, sizeof x, 0, last) == 0);
  HOLDS(omp_get_mapped_ptr(x, last) == (void *)q && omp_get_mapped_ptr(x, host) == (void *)x);
  HOLDS(last == 0 || omp_get_mapped_ptr(x, 0) == NULL);
  HOLDS(omp_target_disassociate_ptr(x, last) == 0);
  omp_target_free(p, 0), omp_target_free(q, last), omp_target_free(h, host);
}

static void globals(int devices, int separate) {
  for (int d = 0; d < devices; d++) {
#pragma omp target device(d)
    global[0] += d + 1;
  }
  for (int d = 0; separate && d < devices; d++) {
#pragma omp target update from(global) device(d)
    HOLDS(global[0] == d + 2);
  }
}

static void addresses(int last, int host) {
  int *b = malloc(length * sizeof *b);
  for (int i = 0; i < length; i++) b[i] = 1;
#pragma omp target data map(tofrom: b[0:length]) device(last)
#pragma omp target data use_device_ptr(b) device(last)
  {
#pragma omp target is_device_ptr(b) device(last)
    b[2] = 5;
  }
  HOLDS(b[2] == 5);
#pragma omp target data map(tofrom: b[0:length]) device(host)
  {
#pragma omp target device(host) map(tofrom: b[0:length])
    b[3] = omp_is_initial_device() ? 6 : 0;
    HOLDS(b[3] == 6);
  }
  free(b);
}

/* Threads begin with the default device of the thread that made their team, and change their own. */
static void threads(int last) {
  int wrong = 0;
  omp_set_default_device(last);
#pragma omp parallel num_threads(2) reduction(+: wrong)
  {
    int where = -1;
#pragma omp target map(from: where)
    where = omp_get_device_num();
    wrong += where != last;
    omp_set_default_device(0);
#pragma omp target map(from: where)
    where = omp_get_device_num();
    wrong += where != 0;
  }
  HOLDS(!wrong);
}

int main(int argc, char **argv) {
  (void)argv;
  int devices = omp_get_num_devices(), host = omp_get_initial_device(), last = devices - 1;
  HOLDS(host == devices);
  by_number(devices, host);
  const int separate = argc > 1;
  present_tables(devices, separate);
  crossed(last, separate);
  memory(devices, last, host);
  globals(devices, separate);
  addresses(last, host);
  threads(last);
  printf("%d devices\n", devices);
  return failures;
}
