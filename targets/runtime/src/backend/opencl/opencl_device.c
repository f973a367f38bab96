/* opencl_device.c: finds OpenCL devices. */
#define _GNU_SOURCE
#include "backend/opencl/opencl_device.h"
#include "report/error.h"
#include "image/images.h"
#include "report/text.h"
#include <stdlib.h>
#include <string.h>

char *arc_opencl_text(const struct arc_opencl_api *cl, cl_device_id device, cl_uint what) {
  size_t size = 0;
  cl->clGetDeviceInfo(device, what, 0, NULL, &size);
  char *text = arc_allocate(size + 1);
  cl->clGetDeviceInfo(device, what, size, text, NULL);
  return text;
}

uint64_t arc_opencl_number(const struct arc_opencl_api *cl, cl_device_id device, cl_uint what) {
  uint64_t value = 0; /* little-endian: a cl_uint fills its lower half */
  cl->clGetDeviceInfo(device, what, sizeof value, &value, NULL);
  return value;
}

const char *arc_opencl_type(cl_bitfield types) {
  return types & CL_DEVICE_TYPE_GPU           ? "gpu"
         : types & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
         : types & CL_DEVICE_TYPE_CPU         ? "cpu"
                                              : "custom";
}

/* By cl_khr_pci_bus_info, or cl_nv_device_attribute_query of older drivers: there a slot is a device and, in three bits, its
 * function, and a bus has eight bits. */
char *arc_opencl_bus(const struct arc_opencl_api *cl, cl_device_id device, const char *vendor) {
  struct {
    cl_uint domain, bus, device, function;
  } place;
  if (!strstr(vendor, "NVIDIA")) return NULL;
  if (cl->clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof place, &place, NULL) != CL_SUCCESS) {
    cl_uint slot = 0;
    if (cl->clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_ID_NV, sizeof place.bus, &place.bus, NULL) != CL_SUCCESS ||
        cl->clGetDeviceInfo(device, CL_DEVICE_PCI_SLOT_ID_NV, sizeof slot, &slot, NULL) != CL_SUCCESS)
      return NULL;
    place.domain = 0; /* what it is where the driver does not tell */
    cl->clGetDeviceInfo(device, CL_DEVICE_PCI_DOMAIN_ID_NV, sizeof place.domain, &place.domain, NULL);
    place.bus &= 0xff;
    place.device = slot >> 3;
    place.function = slot & 7;
  }
  struct arc_text text = {0};
  arc_text_add(&text, "%04x:%02x:%02x.%x", place.domain, place.bus, place.device, place.function);
  return text.bytes;
}

/* An empty or absent environment variable names every one. */
static bool named(const char *variable, const char *name) {
  const char *wanted = getenv(variable);
  return !wanted || !*wanted || strcasestr(name, wanted);
}

static cl_bitfield wanted_types(void) {
  const char *kind = arc_images_kind();
  if (!kind) return CL_DEVICE_TYPE_ALL;
  if (strcmp(kind, "cpu") == 0) return CL_DEVICE_TYPE_CPU;
  if (strcmp(kind, "gpu") == 0 || strcmp(kind, "radeon") == 0) return CL_DEVICE_TYPE_GPU;
  if (strcmp(kind, "accelerator") == 0) return CL_DEVICE_TYPE_ACCELERATOR;
  return CL_DEVICE_TYPE_ALL;
}

static void add_devices(const struct arc_opencl_api *cl, cl_platform_id platform, cl_bitfield types,
                        struct arc_opencl_devices *devices) {
  cl_uint count = 0;
  if (cl->clGetDeviceIDs(platform, types, 0, NULL, &count) != CL_SUCCESS || !count) return;
  cl_device_id *ids = arc_allocate(count * sizeof *ids);
  cl->clGetDeviceIDs(platform, types, count, ids, NULL);
  devices->ids = arc_resize(devices->ids, (devices->count + count) * sizeof *ids);
  for (cl_uint i = 0; i < count; i++) {
    char *name = arc_opencl_text(cl, ids[i], CL_DEVICE_NAME);
    if (named("ARC_OPENCL_DEVICE", name)) devices->ids[devices->count++] = ids[i];
    free(name);
  }
  free(ids);
}

static bool platform_named(const struct arc_opencl_api *cl, cl_platform_id platform) {
  char name[256] = "";
  cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  return named("ARC_OPENCL_PLATFORM", name);
}

/* The names of all devices, selected or not, separated by commas. The caller frees them. */
static char *all_names(const struct arc_opencl_api *cl, const cl_platform_id *platforms,
                       cl_uint platform_count) {
  struct arc_text names = {0};
  for (cl_uint p = 0; p < platform_count; p++) {
    cl_uint count = 0;
    if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, NULL, &count) != CL_SUCCESS) continue;
    cl_device_id *ids = arc_allocate((count + 1) * sizeof *ids);
    cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, count, ids, NULL);
    for (cl_uint i = 0; i < count; i++) {
      char *name = arc_opencl_text(cl, ids[i], CL_DEVICE_NAME);
      arc_text_add(&names, "%s%s", names.bytes ? ", " : "", name);
      free(name);
    }
    free(ids);
  }
  return names.bytes;
}

/* GPUs of all platforms first, then the rest. */
struct arc_opencl_devices arc_opencl_devices(const struct arc_opencl_api *cl) {
  struct arc_opencl_devices devices = {0};
  cl_uint count = 0;
  cl_int code = cl->clGetPlatformIDs(0, NULL, &count);
  if (code != CL_SUCCESS || !count) {
    arc_because("no OpenCL driver is installed");
    return devices;
  }
  cl_platform_id *platforms = arc_allocate(count * sizeof *platforms);
  cl->clGetPlatformIDs(count, platforms, NULL);
  cl_bitfield types = wanted_types();
  const cl_bitfield turns[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU};
  for (size_t t = 0; t < sizeof turns / sizeof *turns; t++)
    for (cl_uint i = 0; i < count; i++)
      if ((turns[t] & types) && platform_named(cl, platforms[i]))
        add_devices(cl, platforms[i], turns[t], &devices);
  if (!devices.count) {
    const char *platform = getenv("ARC_OPENCL_PLATFORM"), *device = getenv("ARC_OPENCL_DEVICE");
    const char *kind = arc_images_kind();
    char *here = all_names(cl, platforms, count);
    arc_because("no OpenCL device fits ARC_OPENCL_PLATFORM=%s ARC_OPENCL_DEVICE=%s ARC_DEVICE=%s; here: %s",
                platform ? platform : "", device ? device : "", kind ? kind : "", here ? here : "none");
    free(here);
  }
  free(platforms);
  return devices;
}

char *arc_opencl_tag(const struct arc_opencl_api *cl, cl_device_id device) {
  char *name = arc_opencl_text(cl, device, CL_DEVICE_NAME),
       *driver = arc_opencl_text(cl, device, CL_DRIVER_VERSION);
  struct arc_text tag = {0};
  arc_text_add(&tag, "%s / %s", name, driver);
  free(name);
  free(driver);
  return tag.bytes;
}
