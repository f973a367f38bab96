/* OpenACC on several devices: acc_set_device_num and `set` choose, and each has data of its own. */
#include <openacc.h>
#include <stdio.h>

enum { length = 10 };
static int failures;
#define HOLDS(condition)                                  \
  do {                                                    \
    if (!(condition)) {                                   \
      printf("wrong at line %d\n", __LINE__);             \
      failures++;                                         \
    }                                                     \
  } while (0)

int main(int argc, char **argv) {
  (void)argv;
  int devices = acc_get_num_devices(acc_get_device_type()), last = devices - 1;
  int a[length], b[length];
  for (int i = 0; i < length; i++) a[i] = i;
  for (int d = 0; d < devices; d++) {
    acc_set_device_num(d, acc_get_device_type());
    HOLDS(acc_get_device_num(acc_get_device_type()) == d);
#pragma acc enter data copyin(a)
  }
  for (int d = 0; d < devices; d++) {
#pragma acc set device_num(d)
#pragma acc parallel loop present(a) async(d)
    for (int i = 0; i < length; i++) a[i] += 100 * (d + 1);
  }
  for (int d = 0; d < devices; d++) {
    if (d % 2) {
#pragma acc wait(devnum: d: d)
    } else {
      acc_wait_device(d, d);
    }
    HOLDS(acc_async_test_device(d, d));
    acc_set_device_num(d, acc_device_current);
#pragma acc update self(a)
    HOLDS(a[3] == 100 * (d + 1) + 3);
  }
  /* A clause of one device's construct waits for queues of all others. */
  for (int d = 1; d < devices; d++) {
    acc_set_device_num(d, acc_device_current);
#pragma acc parallel loop present(a) async(d)
    for (int i = 0; i < length; i++) a[i]++;
    acc_set_device_num(0, acc_device_current);
#pragma acc parallel loop present(a) async(5) wait(devnum: d: queues: d) wait(5)
    for (int i = 0; i < length; i++) a[i]--;
    HOLDS(acc_async_test_device(d, d));
#pragma acc wait(5)
  }
  /* Data that is present on one is not on the other. */
  acc_set_device_num(last, acc_device_current);
#pragma acc enter data create(b)
  acc_set_device_num(0, acc_device_current);
  HOLDS(last == 0 || !acc_is_present(b, sizeof b));
#pragma acc enter data create(b)
#pragma acc parallel loop present(b)
  for (int i = 0; i < length; i++) b[i] = 7 * i;
  acc_memcpy_d2d(b, b, sizeof b, last, 0);
  acc_set_device_num(last, acc_device_current);
#pragma acc parallel loop present(b)
  for (int i = 0; i < length; i++) b[i] += 1;
#pragma acc exit data copyout(b) finalize
  HOLDS(b[2] == 15);
  for (int d = 0; d < devices; d++) {
    acc_set_device_num(d, acc_device_current);
#pragma acc exit data delete(a)
    /* In shared memory everything is there. */
    HOLDS(argc == 1 || !acc_is_present(a, sizeof a));
  }
  printf("%d devices\n", devices);
  return failures;
}
