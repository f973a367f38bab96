/* opencl_device.h: the OpenCL devices to choose from, their order and their properties. */
#ifndef ARC_OPENCL_DEVICE_H
#define ARC_OPENCL_DEVICE_H
#include "backend/opencl/opencl_api.h"

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
/* The most telling word of a device's types: "gpu", "accelerator", "cpu" or "custom". */
const char *arc_opencl_type(cl_bitfield types);
/* Of an NVIDIA GPU, its place on PCI: "0000:1b:00.0"; NULL: another device, or unknown. The caller frees it. */
char *arc_opencl_bus(const struct arc_opencl_api *, cl_device_id, const char *vendor);
/* "DEVICE / DRIVER": what a program binary depends on. The caller frees it. */
char *arc_opencl_tag(const struct arc_opencl_api *, cl_device_id);

/* Small reads of one queue, through pinned memory. */
struct arc_opencl_reads;
struct arc_opencl_reads *arc_opencl_reads_open(void);
void arc_opencl_reads_close(const struct arc_opencl_api *, struct arc_opencl_reads *);
/* False: it is too large, or there is no room; nothing is queued. */
bool arc_opencl_reads_add(const struct arc_opencl_api *, cl_context, cl_command_queue, struct arc_opencl_reads *,
                          void *host, cl_mem from, size_t offset, size_t bytes);
/* Waits for the queue, and then copies what was read. */
cl_int arc_opencl_reads_finish(const struct arc_opencl_api *, cl_command_queue, struct arc_opencl_reads *);

#endif
