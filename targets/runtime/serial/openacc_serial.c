/*
 * openacc_serial.c: openacc.h and nanos_omp.h for the serial reference program, which plain cc builds without directives.
 * There is one device, the host, and every address is a device address. A library of its own
 * (libarcserial.a), since it defines what libarcrt defines.
 */
#include "acc_prof.h"
#include "nanos_omp.h"
#include "openacc.h"
#include <stdlib.h>
#include <string.h>

/* No device for tasks. */
int nanos_get_total_num_devices(void) { return 0; }

static int default_async = acc_async_noval;

int acc_get_num_devices(acc_device_t type) { return type == acc_device_host || type == acc_device_default; }
void acc_set_device_type(acc_device_t type) { (void)type; }
acc_device_t acc_get_device_type(void) { return acc_device_host; }
void acc_set_device_num(int number, acc_device_t type) {
  (void)number;
  (void)type;
}
int acc_get_device_num(acc_device_t type) {
  (void)type;
  return 0;
}
size_t acc_get_property(int number, acc_device_t type, acc_device_property_t property) {
  (void)number;
  (void)type;
  return property == acc_property_shared_memory_support;
}
const char *acc_get_property_string(int number, acc_device_t type, acc_device_property_t property) {
  (void)number;
  (void)type;
  return property == acc_property_name ? "serial" : NULL;
}
void acc_init(acc_device_t type) { (void)type; }
void acc_init_device(int number, acc_device_t type) {
  (void)number;
  (void)type;
}
void acc_shutdown(acc_device_t type) { (void)type; }
void acc_shutdown_device(int number, acc_device_t type) {
  (void)number;
  (void)type;
}
int acc_on_device(acc_device_t type) { return type == acc_device_host || type == acc_device_none; }

int acc_async_test(int async) {
  (void)async;
  return 1;
}
int acc_async_test_device(int async, int number) {
  (void)async;
  (void)number;
  return 1;
}
int acc_async_test_all(void) { return 1; }
int acc_async_test_all_device(int number) {
  (void)number;
  return 1;
}
void acc_wait(int async) { (void)async; }
void acc_wait_device(int async, int number) {
  (void)async;
  (void)number;
}
void acc_wait_async(int wait, int async) {
  (void)wait;
  (void)async;
}
void acc_wait_device_async(int wait, int async, int number) {
  (void)wait;
  (void)async;
  (void)number;
}
void acc_wait_all(void) {}
int acc_wait_any(int count, int queues[]) {
  (void)queues;
  return count > 0 ? 0 : -1;
}
int acc_wait_any_device(int count, int queues[], int number) {
  (void)number;
  return acc_wait_any(count, queues);
}
void acc_wait_all_device(int number) { (void)number; }
void acc_wait_all_async(int async) { (void)async; }
void acc_wait_all_device_async(int async, int number) {
  (void)async;
  (void)number;
}
void acc_async_wait(int async) { (void)async; }
void acc_async_wait_all(void) {}
int acc_get_default_async(void) { return default_async; }
void acc_set_default_async(int async) { default_async = async; }

void *acc_malloc(size_t size) { return size ? malloc(size) : NULL; }
void acc_free(void *device) { free(device); }

/* Routines that return the device address of host data, and those that return nothing. */
#define SAME(name)                      \
  void *name(void *host, size_t size) { \
    (void)size;                         \
    return host;                        \
  }
#define NOTHING(name)                  \
  void name(void *host, size_t size) { \
    (void)host;                        \
    (void)size;                        \
  }
#define NOTHING_ASYNC(name)                       \
  void name(void *host, size_t size, int async) { \
    (void)host;                                   \
    (void)size;                                   \
    (void)async;                                  \
  }
SAME(acc_copyin)
SAME(acc_create)
SAME(acc_present_or_copyin)
SAME(acc_present_or_create)
SAME(acc_pcopyin)
SAME(acc_pcreate)
NOTHING_ASYNC(acc_copyin_async)
NOTHING_ASYNC(acc_create_async)
NOTHING(acc_copyout)
NOTHING(acc_copyout_finalize)
NOTHING(acc_delete)
NOTHING(acc_delete_finalize)
NOTHING(acc_update_device)
NOTHING(acc_update_self)
NOTHING_ASYNC(acc_copyout_async)
NOTHING_ASYNC(acc_copyout_finalize_async)
NOTHING_ASYNC(acc_delete_async)
NOTHING_ASYNC(acc_delete_finalize_async)
NOTHING_ASYNC(acc_update_device_async)
NOTHING_ASYNC(acc_update_self_async)

void acc_map_data(void *host, void *device, size_t size) {
  (void)host;
  (void)device;
  (void)size;
}
void acc_unmap_data(void *host) { (void)host; }
void *acc_deviceptr(void *host) { return host; }
void *acc_hostptr(void *device) { return device; }
int acc_is_present(void *host, size_t size) {
  (void)host;
  (void)size;
  return 1;
}

#define COPY(name) \
  void name(void *to, void *from, size_t size) { memmove(to, from, size); }
#define COPY_ASYNC(name)                                    \
  void name(void *to, void *from, size_t size, int async) { \
    (void)async;                                            \
    memmove(to, from, size);                                \
  }
COPY(acc_memcpy_to_device)
COPY(acc_memcpy_from_device)
COPY(acc_memcpy_device)
COPY_ASYNC(acc_memcpy_to_device_async)
COPY_ASYNC(acc_memcpy_from_device_async)
COPY_ASYNC(acc_memcpy_device_async)
void acc_memcpy_d2d(void *to, void *from, size_t size, int to_number, int from_number) {
  (void)to_number;
  (void)from_number;
  memmove(to, from, size);
}
void acc_memcpy_d2d_async(void *to, void *from, size_t size, int to_number, int from_number, int async) {
  (void)async;
  acc_memcpy_d2d(to, from, size, to_number, from_number);
}

void acc_attach(void **pointer) { (void)pointer; }
void acc_attach_async(void **pointer, int async) {
  (void)pointer;
  (void)async;
}
void acc_detach(void **pointer) { (void)pointer; }
void acc_detach_async(void **pointer, int async) {
  (void)pointer;
  (void)async;
}
void acc_detach_finalize(void **pointer) { (void)pointer; }
void acc_detach_finalize_async(void **pointer, int async) {
  (void)pointer;
  (void)async;
}

/* Memory that the unified routines gave out. */
static struct given {
  struct given *next;
  char *start;
  size_t size;
} * given;

static struct given **find_given(const void *memory) {
  struct given **place = &given;
  while (*place &&
         ((const char *)memory < (*place)->start || (const char *)memory >= (*place)->start + (*place)->size))
    place = &(*place)->next;
  return place;
}

void *acc_copyin_unified(void *host, size_t size) {
  struct given *block = size ? malloc(sizeof *block) : NULL;
  if (!block) return NULL;
  *block = (struct given){given, malloc(size), size};
  given = block;
  if (block->start && host) memcpy(block->start, host, size);
  return block->start;
}
void *acc_pcopyin_unified(void *host, size_t size) {
  return host && *find_given(host) ? host : acc_copyin_unified(host, size);
}
void *acc_present_or_copyin_unified(void *host, size_t size) { return acc_pcopyin_unified(host, size); }
void *acc_create_unified(void *host, size_t size) {
  (void)host;
  return acc_copyin_unified(NULL, size);
}
void *acc_pcreate_unified(void *host, size_t size) {
  return host && *find_given(host) ? host : acc_copyin_unified(NULL, size);
}
void *acc_present_or_create_unified(void *host, size_t size) { return acc_pcreate_unified(host, size); }

void acc_delete_unified(void *memory, size_t size) {
  (void)size;
  struct given **place = memory ? find_given(memory) : NULL;
  struct given *block = place ? *place : NULL;
  if (block) {
    *place = block->next;
    free(block->start);
    free(block);
  } else {
    free(memory);
  }
}
void acc_copyout_unified(void *memory, size_t size) { acc_delete_unified(memory, size); }

/* ---- drivers: there are none; tools: there are no events to report ---- */

void *acc_get_current_cuda_device(void) { return NULL; }
void *acc_get_current_cuda_context(void) { return NULL; }
void *acc_get_cuda_stream(int async) {
  (void)async;
  return NULL;
}
int acc_set_cuda_stream(int async, void *stream) {
  (void)async;
  (void)stream;
  return 0;
}
void *acc_get_current_opencl_device(void) { return NULL; }
void *acc_get_current_opencl_context(void) { return NULL; }
void *acc_get_opencl_queue(int async) {
  (void)async;
  return NULL;
}
int acc_set_opencl_queue(int async, void *queue) {
  (void)async;
  (void)queue;
  return 0;
}

void acc_prof_register(acc_event_t event, acc_prof_callback call, acc_register_t how) {
  (void)event;
  (void)call;
  (void)how;
}
void acc_prof_unregister(acc_event_t event, acc_prof_callback call, acc_register_t how) {
  (void)event;
  (void)call;
  (void)how;
}
acc_query_fn acc_prof_lookup(const char *name) {
  (void)name;
  return NULL;
}
