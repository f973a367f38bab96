/* opencl_program.c: builds OpenCL programs, from source or from a binary that fits the device. */
#define _GNU_SOURCE
#include "backend/opencl/opencl_program.h"
#include "report/error.h"
#include "report/text.h"
#include "backend/opencl/opencl_device.h"
#include <stdlib.h>
#include <string.h>

static bool build(const struct arc_opencl_api *cl, cl_device_id device, cl_program program,
                  const char *options) {
  cl_int code = cl->clBuildProgram(program, 1, &device, options, NULL, NULL);
  if (code == CL_SUCCESS) return true;
  size_t size = 0;
  cl->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = arc_allocate(size + 1);
  cl->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  arc_because("it does not compile with the options '%s': %s (%d)\n%s", options, arc_opencl_error(code), code,
              log);
  free(log);
  return false;
}

static cl_program built(const struct arc_opencl_api *cl, cl_device_id device, cl_program program, cl_int code,
                        const char *options) {
  if (!program) {
    arc_because("creating the program: %s (%d)", arc_opencl_error(code), code);
    return NULL;
  }
  if (build(cl, device, program, options)) return program;
  cl->clReleaseProgram(program);
  return NULL;
}

/* Of sources whose text asks what the device is (targets/shared/print/opencl.ts). */
static const char kind_of_device[] = "ARC_DEVICE_KIND";

static int number_of_kind(const struct arc_opencl_api *cl, cl_device_id device) {
  const uint64_t type = arc_opencl_number(cl, device, CL_DEVICE_TYPE);
  return type & CL_DEVICE_TYPE_GPU ? 9 : type & CL_DEVICE_TYPE_CPU ? 10 : type & CL_DEVICE_TYPE_ACCELERATOR ? 11 : 0;
}

/* C's quotients and roots of floats are rounded to the nearest; OpenCL allows errors unless it is told otherwise. */
static const char *rounding(const struct arc_opencl_api *cl, cl_device_id device, const char *source, size_t size) {
  if (!memmem(source, size, "float", 5)) return "";
  const uint64_t single = arc_opencl_number(cl, device, CL_DEVICE_SINGLE_FP_CONFIG);
  return single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt" : "";
}

cl_program arc_opencl_from_source(const struct arc_opencl_api *cl, cl_context context, cl_device_id device,
                                  const char *source, size_t size, const char *options) {
  cl_int code;
  cl_program program = cl->clCreateProgramWithSource(context, 1, &source, &size, &code);
  struct arc_text all = {0};
  arc_text_add(&all, "%s%s", options, rounding(cl, device, source, size));
  if (memmem(source, size, kind_of_device, sizeof kind_of_device - 1))
    arc_text_add(&all, " -D%s=%d", kind_of_device, number_of_kind(cl, device));
  program = built(cl, device, program, code, all.bytes);
  free(all.bytes);
  return program;
}

static cl_program from_binary(const struct arc_opencl_api *cl, cl_context context, cl_device_id device,
                              const struct arc_payload *payload, const char *options) {
  cl_int code, status;
  const unsigned char *bytes = payload->bytes;
  cl_program program =
      cl->clCreateProgramWithBinary(context, 1, &device, &payload->size, &bytes, &status, &code);
  return built(cl, device, program, code, options);
}

/* The driver accepts SPIR-V if it lists versions: "SPIR-V_1.0 SPIR-V_1.2". */
static cl_program from_spirv(const struct arc_opencl_api *cl, cl_context context, cl_device_id device,
                             const struct arc_image *image, const struct arc_payload *payload) {
  char *versions = arc_opencl_text(cl, device, CL_DEVICE_IL_VERSION);
  cl_program program = NULL;
  if (!cl->clCreateProgramWithIL || !strstr(versions, "SPIR-V")) {
    arc_note("%s: the driver takes no SPIR-V (CL_DEVICE_IL_VERSION is '%s')", image->origin, versions);
  } else {
    cl_int code;
    program = cl->clCreateProgramWithIL(context, payload->bytes, payload->size, &code);
    /* Options for the OpenCL C compiler do not apply to SPIR-V. */
    program = built(cl, device, program, code, "");
    if (program) arc_note("%s: its SPIR-V is taken (%s)", image->origin, versions);
    else arc_note("%s: its SPIR-V is not taken: %s", image->origin, arc_reason());
  }
  free(versions);
  return program;
}

cl_program arc_opencl_load(const struct arc_opencl_api *cl, cl_context context, cl_device_id device,
                           const struct arc_image *image) {
  char *own_tag = arc_opencl_tag(cl, device);
  const char *other_tag = NULL;
  cl_program program = NULL;
  for (size_t i = 0; i < image->npayloads && !program; i++) {
    const struct arc_payload *payload = &image->payloads[i];
    if (strcmp(payload->kind, "spirv") == 0) program = from_spirv(cl, context, device, image, payload);
    if (strcmp(payload->kind, "binary") != 0) continue;
    /* A binary without a tag is for any device that its driver accepts, such as an FPGA image. */
    if (*payload->tag && strcmp(payload->tag, own_tag) != 0) {
      other_tag = payload->tag;
      continue;
    }
    program = from_binary(cl, context, device, payload, image->options);
    if (!program) arc_note("%s: its binary is not taken: %s", image->origin, arc_reason());
  }
  const struct arc_payload *source = arc_image_payload(image, "source");
  if (!program && source) {
    program = arc_opencl_from_source(cl, context, device, (const char *)source->bytes, source->size,
                                     image->options);
    if (program && arc_image_payload(image, "spirv"))
      arc_note("%s: its source runs instead of its SPIR-V", image->origin);
  } else if (!program && other_tag)
    arc_because("it holds a binary for another device or driver, '%s'; this is '%s'", other_tag, own_tag);
  else if (!program && !arc_image_payload(image, "binary"))
    arc_because("the image has no payload of the kinds 'source', 'binary' and 'spirv' that the driver takes");
  free(own_tag);
  return program;
}

void *arc_opencl_binary(const struct arc_opencl_api *cl, cl_program program, size_t *size) {
  *size = 0;
  cl_int code = cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL);
  void *bytes = code == CL_SUCCESS && *size ? arc_allocate(*size) : NULL;
  if (bytes && cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS)
    return bytes;
  arc_because("the driver gives no binary of the program");
  free(bytes);
  return NULL;
}
