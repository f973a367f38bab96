/* openacc.c: the OpenACC routines for devices and queues, and the directives init, shutdown and set. */
#include "openacc.h"
#include "device/device.h"
#include "launch/queue.h"
#include <sched.h>

static arc_site called(const char *routine) { return (arc_site){.what = routine}; }

/* ---- devices ---- */

/* The device of that type and number without changing the thread's choice. */
static struct arc_device *device_of(const arc_site *site, acc_device_t type, int number) {
  struct arc_selection before = arc_device_selection();
  arc_device_select(type, number);
  struct arc_device *device = arc_device_current(site);
  arc_device_restore(before);
  return device;
}

int acc_get_num_devices(acc_device_t type) {
  arc_site site = called("acc_get_num_devices");
  return arc_device_count(&site, (int)type);
}

void acc_set_device_type(acc_device_t type) { arc_device_select((int)type, -1); }

acc_device_t acc_get_device_type(void) {
  arc_site site = called("acc_get_device_type");
  return (acc_device_t)arc_device_type(arc_device_current(&site));
}

void acc_set_device_num(int number, acc_device_t type) { arc_device_select((int)type, number); }

int acc_get_device_num(acc_device_t type) {
  arc_site site = called("acc_get_device_num");
  return device_of(&site, type, -1)->ordinal;
}

void arc_init(const arc_site *site, int type, int number) {
  struct arc_selection before = arc_device_selection();
  arc_device_select(type, number);
  arc_device_current(site);
  /* init opens a device; only set, and a thread that has none yet, choose it. */
  if (before.device) arc_device_restore(before);
}

void acc_init(acc_device_t type) {
  arc_site site = called("acc_init");
  arc_init(&site, (int)type, -1);
}

void acc_init_device(int number, acc_device_t type) {
  arc_site site = called("acc_init_device");
  arc_init(&site, (int)type, number);
}

void arc_shutdown(const arc_site *site, int type, int number) { arc_device_shutdown(site, type, number); }

void acc_shutdown(acc_device_t type) {
  arc_site site = called("acc_shutdown");
  arc_shutdown(&site, (int)type, -1);
}

void acc_shutdown_device(int number, acc_device_t type) {
  arc_site site = called("acc_shutdown_device");
  arc_shutdown(&site, (int)type, number);
}

void arc_set(const arc_site *site, int type, int number, int async) {
  arc_device_select(type, number);
  if (async != ARC_KEEP) arc_set_default_async(site, async);
}

int acc_on_device(acc_device_t type) { return type == acc_device_host || type == acc_device_none; }

size_t acc_get_property(int number, acc_device_t type, acc_device_property_t property) {
  arc_site site = called("acc_get_property");
  struct arc_device *device = device_of(&site, type, number);
  switch (property) {
  case acc_property_memory: return (size_t)device->memory_bytes;
  case acc_property_free_memory:
    return device->backend->free_memory ? (size_t)device->backend->free_memory(device) : 0;
  case acc_property_shared_memory_support: return device->shared;
  default: return 0;
  }
}

const char *acc_get_property_string(int number, acc_device_t type, acc_device_property_t property) {
  arc_site site = called("acc_get_property_string");
  struct arc_device *device = device_of(&site, type, number);
  switch (property) {
  case acc_property_name: return device->name;
  case acc_property_vendor: return device->vendor;
  case acc_property_driver: return device->driver;
  default: return NULL;
  }
}

/* ---- queues ---- */

static int test_queue(struct arc_device *device, const arc_site *site, int async) {
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_if_used(device, site, async);
  int done = !queue || arc_queue_test(device, queue, site);
  arc_device_unlock(device);
  return done;
}

static int test_all(struct arc_device *device, const arc_site *site) {
  arc_device_lock(device);
  bool done = true;
  for (int i = 0; i <= arc_queue_numbers && done; i++)
    done = !device->queues[i] || arc_queue_test(device, device->queues[i], site);
  arc_device_unlock(device);
  return done;
}

int acc_async_test(int async) {
  arc_site site = called("acc_async_test");
  return test_queue(arc_device_current(&site), &site, async);
}

int acc_async_test_device(int async, int number) {
  arc_site site = called("acc_async_test_device");
  return test_queue(device_of(&site, acc_device_current, number), &site, async);
}

int acc_async_test_all(void) {
  arc_site site = called("acc_async_test_all");
  return test_all(arc_device_current(&site), &site);
}

int acc_async_test_all_device(int number) {
  arc_site site = called("acc_async_test_all_device");
  return test_all(device_of(&site, acc_device_current, number), &site);
}

static void wait_on(const char *routine, int number, int async, size_t n, int queue) {
  arc_site site = called(routine);
  struct arc_device *device =
      number < 0 ? arc_device_current(&site) : device_of(&site, acc_device_current, number);
  arc_queue_wait(device, &site, async, n, &queue);
}

void acc_wait(int async) { wait_on("acc_wait", -1, acc_async_sync, 1, async); }
void acc_wait_device(int async, int number) { wait_on("acc_wait_device", number, acc_async_sync, 1, async); }
void acc_wait_async(int wait, int async) { wait_on("acc_wait_async", -1, async, 1, wait); }
void acc_wait_device_async(int wait, int async, int number) {
  wait_on("acc_wait_device_async", number, async, 1, wait);
}
void acc_wait_all(void) { wait_on("acc_wait_all", -1, acc_async_sync, 0, 0); }
void acc_wait_all_device(int number) { wait_on("acc_wait_all_device", number, acc_async_sync, 0, 0); }
void acc_wait_all_async(int async) { wait_on("acc_wait_all_async", -1, async, 0, 0); }
void acc_wait_all_device_async(int async, int number) {
  wait_on("acc_wait_all_device_async", number, async, 0, 0);
}
void acc_async_wait(int async) { acc_wait(async); }

/* OpenACC 3.3, section 3.2.13: which of the queues is done first; -1 if none is named. */
/* acc_async_sync is no queue: programs put it in the place of queues that they no longer wait for. */
static int wait_any(int count, const int queues[], int number) {
  const arc_site site = called(number < 0 ? "acc_wait_any" : "acc_wait_any_device");
  for (bool any = true; any; sched_yield()) {
    any = false;
    for (int i = 0; i < count; i++) {
      if (queues[i] == acc_async_sync) continue;
      any = true;
      struct arc_device *device =
          number < 0 ? arc_device_current(&site) : device_of(&site, acc_device_current, number);
      if (test_queue(device, &site, queues[i])) return i;
    }
  }
  return -1;
}

int acc_wait_any(int count, int queues[]) { return wait_any(count, queues, -1); }
int acc_wait_any_device(int count, int queues[], int number) { return wait_any(count, queues, number); }
void acc_async_wait_all(void) { acc_wait_all(); }

int acc_get_default_async(void) { return arc_default_async(); }
void acc_set_default_async(int async) {
  const arc_site site = called("acc_set_default_async");
  arc_set_default_async(&site, async);
}
