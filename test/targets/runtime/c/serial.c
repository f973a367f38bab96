/* What a program without directives may ask of openacc.h: the host is the device. */
#include "openacc.h"
#include <stdio.h>
#include <string.h>

#define CHECK(condition) \
  if (!(condition)) return printf("line %d: %s does not hold\n", __LINE__, #condition), 1

int main(void) {
  int data[10] = {1, 2, 3}, back[10] = {0};
  CHECK(acc_get_device_type() == acc_device_host && acc_get_num_devices(acc_device_not_host) == 0);
  CHECK(acc_copyin(data, sizeof data) == data && acc_deviceptr(data) == data &&
        acc_is_present(data, sizeof data));
  int *device = acc_malloc(sizeof data);
  acc_memcpy_to_device(device, data, sizeof data);
  acc_memcpy_from_device_async(back, device, sizeof back, 3);
  acc_wait(3);
  CHECK(memcmp(data, back, sizeof data) == 0 && acc_async_test_all());
  acc_free(device);
  acc_set_default_async(7);
  CHECK(acc_get_default_async() == 7);
  int *a = acc_copyin_unified(data, sizeof data);
  CHECK(a != data && a[2] == 3 && acc_pcreate_unified(a + 1, 4) == a + 1);
  int *b = acc_pcopyin_unified(data, sizeof data);
  CHECK(b != data && b != a);
  acc_delete_unified(a, sizeof data);
  acc_copyout_unified(b, sizeof data);
  acc_copyout(data, sizeof data);
  puts("right");
  return 0;
}
