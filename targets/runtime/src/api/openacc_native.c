/* openacc_native.c: the OpenACC routines that hand out, and take, objects of CUDA's and OpenCL's drivers. */
#include "device/device.h"
#include "launch/queue.h"
#include "launch/steps.h"
#include "openacc.h"
#include <string.h>

/* The current device if it is one of that back end's. */
static struct arc_device *device_of(const arc_site *site, const char *backend) {
  struct arc_device *device = arc_device_current(site);
  return strcmp(device->backend->name, backend) == 0 ? device : NULL;
}

static void *native(const char *routine, const char *backend, enum arc_native what) {
  const arc_site site = {.what = routine};
  struct arc_device *device = device_of(&site, backend);
  return device ? device->backend->native(device, what) : NULL;
}

/* Deferred work is queued first, since the program is going to add its own. */
static void *stream(const char *routine, const char *backend, int async) {
  const arc_site site = {.what = routine};
  struct arc_device *device = device_of(&site, backend);
  if (!device) return NULL;
  arc_device_lock(device);
  arc_steps_make(device);
  void *handle = arc_queue_show(device, arc_queue_of(device, &site, async), &site);
  arc_device_unlock(device);
  return handle;
}

static int adopt(const char *routine, const char *backend, int async, void *handle) {
  const arc_site site = {.what = routine};
  struct arc_device *device = device_of(&site, backend);
  if (!device || !handle) return 0;
  arc_device_lock(device);
  arc_steps_make(device);
  arc_queue_adopt(device, arc_queue_of(device, &site, async), handle, &site);
  arc_device_unlock(device);
  return 1;
}

void *acc_get_current_cuda_device(void) { return native("acc_get_current_cuda_device", "cuda", ARC_NATIVE_DEVICE); }
void *acc_get_current_cuda_context(void) { return native("acc_get_current_cuda_context", "cuda", ARC_NATIVE_CONTEXT); }
void *acc_get_cuda_stream(int async) { return stream("acc_get_cuda_stream", "cuda", async); }
int acc_set_cuda_stream(int async, void *handle) { return adopt("acc_set_cuda_stream", "cuda", async, handle); }

void *acc_get_current_opencl_device(void) {
  return native("acc_get_current_opencl_device", "opencl", ARC_NATIVE_DEVICE);
}
void *acc_get_current_opencl_context(void) {
  return native("acc_get_current_opencl_context", "opencl", ARC_NATIVE_CONTEXT);
}
void *acc_get_opencl_queue(int async) { return stream("acc_get_opencl_queue", "opencl", async); }
int acc_set_opencl_queue(int async, void *handle) { return adopt("acc_set_opencl_queue", "opencl", async, handle); }
