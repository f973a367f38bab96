/* opencl_device.h: the OpenCL devices to choose from, their order and their properties. */
#ifndef ARC_OPENCL_DEVICE_H
#define ARC_OPENCL_DEVICE_H
#include "backend/opencl_api.h"

/* Those that $ARC_OPENCL_PLATFORM, $ARC_OPENCL_DEVICE and $ARC_DEVICE allow: GPUs first. The caller frees
 * ids. None: arc_reason() says why. */
struct arc_opencl_devices {
  cl_device_id *ids;
  size_t count;
};
struct arc_opencl_devices arc_opencl_devices(const struct arc_opencl_api *);

/* A property that is text; the caller frees it. */
char *arc_opencl_text(const struct arc_opencl_api *, cl_device_id, cl_uint property);
uint64_t arc_opencl_number(const struct arc_opencl_api *, cl_device_id, cl_uint property);
/* "DEVICE / DRIVER": what a program binary depends on. The caller frees it. */
char *arc_opencl_tag(const struct arc_opencl_api *, cl_device_id);

#endif
