/* Every routine of openacc.h, on whatever device is chosen. */
#include "check.h"
#include <string.h>

enum { length = 100 };

static void devices(void) {
  acc_device_t type = acc_get_device_type();
  CHECK(acc_get_num_devices(acc_device_none) == 0);
  CHECK(acc_get_num_devices(type) >= 1);
  CHECK(acc_get_num_devices(acc_device_host) == 1);
  acc_set_device_num(0, type);
  CHECK(acc_get_device_num(type) == 0);
  acc_init(type);
  CHECK(acc_get_property(0, type, acc_property_memory) > 0);
  CHECK(acc_get_property_string(0, type, acc_property_name));
  CHECK(acc_get_property_string(0, type, acc_property_vendor) &&
        acc_get_property_string(0, type, acc_property_driver));
  CHECK(!acc_get_property_string(0, type, acc_property_memory));
  CHECK(acc_on_device(acc_device_host) && acc_on_device(acc_device_none) &&
        !acc_on_device(acc_device_not_host));
  CHECK(acc_get_default_async() >= 0);
}

static void memory(void) {
  int data[length], other[length], back[length];
  for (int i = 0; i < length; i++) data[i] = i;
  int *device = acc_malloc(sizeof data), *second = acc_malloc(sizeof data);
  CHECK(device && second);
  CHECK(!acc_malloc(0));
  acc_memcpy_to_device(device, data, sizeof data);
  acc_memcpy_device(second, device, sizeof data);
  acc_memcpy_device_async(device + 1, second, sizeof data - sizeof *data, 1);
  acc_wait(1);
  acc_memcpy_from_device(back, device, sizeof back);
  CHECK(back[0] == 0 && back[1] == 0 && back[2] == 1 && back[length - 1] == length - 2);

  acc_map_data(other, second, sizeof other);
  CHECK(acc_is_present(other, sizeof other) && acc_deviceptr(other) == second);
  CHECK(acc_hostptr(second + 3) == other + 3);
  CHECK(!acc_hostptr(device));
  acc_update_self(other, sizeof other);
  CHECK(memcmp(other, data, sizeof data) == 0);
  add(other, length, 5, ARC_SYNC);
  acc_delete(other, sizeof other); /* mapped by hand: stays */
  acc_update_self_async(other + 1, sizeof other - sizeof *other, 2);
  acc_wait_all();
  CHECK(other[0] == 0 && other[1] == 6 && other[length - 1] == length + 4);
  acc_unmap_data(other);
  CHECK(!arc_is_mapped(other, 1) && !acc_deviceptr(other));
  acc_free(second);
  acc_free(device);
  acc_free(NULL);
}

static void mapping(void) {
  int more[1 + length] = {0}, *const data = more + 1; /* so that what lies in front can be asked for */
  const size_t size = sizeof more - sizeof *more;
  int *device = acc_copyin(data, size);
  CHECK(device && acc_deviceptr(data + 7) == device + 7);
  CHECK(acc_pcreate(data, size) == device);
  CHECK(acc_present_or_copyin(data + 3, sizeof *data) == device + 3);
  CHECK(acc_is_present(data, size) && acc_is_present(data + length - 1, sizeof *data));
  CHECK(acc_is_present(data, 0) && !arc_is_mapped(data, size + 1) && !arc_is_mapped(data - 1, 4));
  add(data, length, 1, ARC_SYNC);
  acc_delete(data, size);
  acc_delete_async(data, size, 1);
  acc_wait(1);
  CHECK(acc_is_present(data, size));
  data[0] = 10;
  acc_update_device(data, sizeof *data);
  add(data, length, 1, ARC_SYNC);
  acc_copyout(data, size);
  CHECK(!arc_is_mapped(data, 1) && data[0] == 11 && data[1] == 2);
  acc_copyout(data, size); /* absent: nothing to do */

  acc_copyin(data, size);
  acc_copyin(data, size);
  add(data, length, 1, ARC_SYNC);
  acc_copyout_finalize(data, size);
  CHECK(!arc_is_mapped(data, 1) && data[1] == 3);
  acc_create_async(data, size, 3);
  acc_update_device_async(data, size, 3);
  acc_copyout_finalize_async(data, size, 3);
  acc_wait(3);
  CHECK(data[1] == 3 && !arc_is_mapped(data, 1));
  acc_copyin_async(data, size, 3);
  acc_delete_finalize_async(data, size, 3);
  acc_wait_all();
}

static void unified(void) {
  int *a = acc_create_unified(NULL, length * sizeof *a);
  CHECK(a && acc_pcreate_unified(a, length * sizeof *a) == a && acc_pcopyin_unified(a + 2, 4) == a + 2);
  for (int i = 0; i < length; i++) a[i] = i;
  int *b = acc_copyin_unified(a, length * sizeof *b);
  CHECK(b != a && memcmp(a, b, length * sizeof *a) == 0);
  int *c = malloc(length * sizeof *c);
  const arc_item items[] = {ITEM(COPY, b, length), ITEM(CREATE, c, length)};
  arc_data_begin(SITE("data"), ARC_SYNC, 2, items);
  add(b, length, 3, ARC_SYNC);
  arc_data_end(SITE("data"), ARC_SYNC, 2, items);
  CHECK(b[5] == 8);
  acc_delete_unified(b, length * sizeof *b);
  acc_copyout_unified(a, length * sizeof *a);
  acc_delete_unified(c, length * sizeof *c);
}

static void directives(void) {
  arc_init(SITE("init"), -1, -1);
  arc_set(SITE("set"), -1, 0, 4);
  CHECK(acc_get_default_async() == 4);
  arc_set(SITE("set"), -1, -1, ARC_KEEP);
  CHECK(acc_get_default_async() == 4);
  int data[length] = {0};
  acc_copyin(data, sizeof data);
  CHECK(arc_use_device(SITE("host_data"), data, "data", 0) == acc_deviceptr(data));
  int local = 0;
  CHECK(arc_use_device(SITE("host_data"), &local, "local", 1) == &local);
  acc_delete(data, sizeof data);
  acc_copyin(data, sizeof data);
  acc_shutdown(acc_get_device_type());
  CHECK(!arc_is_mapped(data, 1)); /* opened afresh */
  acc_copyin(data, sizeof data);
  add(data, length, 2, ARC_SYNC);
  acc_copyout(data, sizeof data);
  CHECK(data[length - 1] == 2);
}

/* Streams of CUDA's and queues of OpenCL's are handed out where the device is one of that driver's. */
static void drivers(void) {
  void *stream = acc_get_cuda_stream(3), *queue = acc_get_opencl_queue(3);
  CHECK(!stream == !acc_get_current_cuda_context());
  CHECK(!queue == !acc_get_current_opencl_context() && !queue == !acc_get_current_opencl_device());
  CHECK(!stream || (!queue && acc_get_device_type() == acc_device_nvidia && stream != acc_get_cuda_stream(4)));
  if (stream) CHECK(acc_set_cuda_stream(3, stream) && acc_get_cuda_stream(3) == stream);
  if (queue) CHECK(acc_set_opencl_queue(3, queue) && acc_get_opencl_queue(3) == queue);
  acc_wait(3);
  /* Queue 3 works with that of 4 from now on, which is closed by its own alone. */
  if (stream) CHECK(acc_set_cuda_stream(3, acc_get_cuda_stream(4)) && acc_get_cuda_stream(3) == acc_get_cuda_stream(4));
  if (queue) CHECK(acc_set_opencl_queue(3, acc_get_opencl_queue(4)) && acc_get_opencl_queue(3) == acc_get_opencl_queue(4));
  CHECK(!acc_set_cuda_stream(3, NULL) && !acc_set_opencl_queue(3, NULL));
  int host[4] = {1, 2, 3, 4}, back[4] = {0};
  int *device = acc_malloc(sizeof host);
  acc_memcpy_to_device_async(device, host, sizeof host, 3);
  acc_memcpy_from_device_async(back, device, sizeof back, 3);
  acc_wait(3);
  CHECK(back[3] == 4);
  acc_free(device);
}

int main(void) {
  devices();
  memory();
  mapping();
  unified();
  directives();
  drivers();
  puts("right");
  return 0;
}
