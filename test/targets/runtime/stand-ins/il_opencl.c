/*
 * An OpenCL library whose driver takes SPIR-V: it makes SPIR 1.2 bitcode of it, by llvm-spirv, which PoCL and Oclgrind
 * take. Everything else is the system's library.
 */
#define CL_TARGET_OPENCL_VERSION 210
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { most = 64 };
static cl_program made[most];
static int count;

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *out, size_t *size) {
  static const char versions[] = "SPIR-V_1.0 SPIR-V_1.2";
  if (what != CL_DEVICE_IL_VERSION) return NEXT(clGetDeviceInfo)(device, what, room, out, size);
  if (size) *size = sizeof versions;
  if (out && room >= sizeof versions) memcpy(out, versions, sizeof versions);
  return CL_SUCCESS;
}

static unsigned char *bitcode_of(const void *il, size_t length, size_t *size) {
  const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
  char spirv[4096], bitcode[4096], command[9000];
  snprintf(spirv, sizeof spirv, "%s/arc-il-XXXXXX", folder);
  snprintf(bitcode, sizeof bitcode, "%s/arc-bc-XXXXXX", folder);
  FILE *file = fdopen(mkstemp(spirv), "wb");
  fwrite(il, 1, length, file);
  fclose(file);
  FILE *out = fdopen(mkstemp(bitcode), "rb");
  snprintf(command, sizeof command, "llvm-spirv-15 -r --spirv-target-env=CL1.2 %s -o %s", spirv, bitcode);
  unsigned char *bytes = NULL;
  if (system(command) == 0) {
    out = freopen(bitcode, "rb", out);
    fseek(out, 0, SEEK_END);
    *size = (size_t)ftell(out);
    rewind(out);
    bytes = malloc(*size);
    if (fread(bytes, 1, *size, out) != *size) bytes = NULL;
  }
  fclose(out);
  remove(spirv);
  remove(bitcode);
  return bytes;
}

/* In the folder $IL_KEEP, its name in the file $IL_LOG. */
static void keep(const void *il, size_t length) {
  const char *log = getenv("IL_LOG"), *folder = getenv("IL_KEEP");
  if (!log || !folder) return;
  char name[300];
  snprintf(name, sizeof name, "%s/%d.spv", folder, count);
  FILE *file = fopen(name, "wb");
  fwrite(il, 1, length, file);
  fclose(file);
  file = fopen(log, "a");
  fprintf(file, "%s\n", name);
  fclose(file);
}

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length, cl_int *code) {
  size_t size = 0;
  unsigned char *bytes = bitcode_of(il, length, &size);
  *code = CL_INVALID_VALUE;
  if (!bytes || count == most) return NULL;
  cl_device_id device;
  clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
  cl_int status;
  cl_program program =
      NEXT(clCreateProgramWithBinary)(context, 1, &device, &size, (const unsigned char **)&bytes, &status, code);
  free(bytes);
  if (program) made[count++] = program;
  keep(il, length);
  return program;
}

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices, const char *options,
                      void (*notify)(cl_program, void *), void *data) {
  char all[400];
  for (int i = 0; i < count; i++)
    if (made[i] == program) {
      snprintf(all, sizeof all, "%s -x spir -spir-std=1.2", options ? options : "");
      options = all;
    }
  return NEXT(clBuildProgram)(program, n, devices, options, notify, data);
}
