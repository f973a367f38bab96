/* opencl_program.h: OpenCL programs. Every NULL comes with arc_because(), compiler logs included. */
#ifndef ARC_OPENCL_PROGRAM_H
#define ARC_OPENCL_PROGRAM_H
#include "image/image.h"
#include "backend/opencl/opencl_api.h"

cl_program arc_opencl_from_source(const struct arc_opencl_api *, cl_context, cl_device_id, const char *source,
                                  size_t size, const char *options);
/* The image's binary whose tag is the device's, else its source. */
cl_program arc_opencl_load(const struct arc_opencl_api *, cl_context, cl_device_id, const struct arc_image *);
/* The driver's own form of a built program, for a payload; the caller frees it. */
void *arc_opencl_binary(const struct arc_opencl_api *, cl_program, size_t *size);

#endif
