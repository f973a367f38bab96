/*
 * opencl_binary.c: builds an OpenCL source offline.
 *
 *   arc-opencl-binary SOURCE OPTIONS OUTPUT
 *
 * writes the driver's binary for the device that a program would run on (ARC_OPENCL_PLATFORM,
 * ARC_OPENCL_DEVICE), and prints the tag that its payload needs. Exit code 1: the source does not compile,
 * and standard error has the compiler's log; 2: there is no such device, or a file cannot be used.
 */
#include "report/error.h"
#include "backend/opencl/opencl_device.h"
#include "backend/opencl/opencl_program.h"
#include "report/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_file(const char *path, struct arc_text *text) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) arc_text_append(text, part, n);
  bool good = !ferror(file);
  fclose(file);
  return good;
}

static bool write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool good = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && good;
}

static int refuse(int code, const char *what) {
  fprintf(stderr, "arc-opencl-binary: %s\n", what);
  return code;
}

int main(int argc, char **argv) {
  struct arc_text source = {0};
  if (argc != 4) return refuse(2, "usage: arc-opencl-binary SOURCE OPTIONS OUTPUT");
  if (!read_file(argv[1], &source)) return refuse(2, "the source cannot be read");
  const struct arc_opencl_api *cl = arc_opencl_api();
  struct arc_opencl_devices devices = {0};
  if (cl) devices = arc_opencl_devices(cl);
  if (!devices.count) return refuse(2, arc_reason());
  cl_int code;
  cl_context context = cl->clCreateContext(NULL, 1, devices.ids, NULL, NULL, &code);
  if (!context) return refuse(2, arc_opencl_error(code));
  cl_program program =
      arc_opencl_from_source(cl, context, devices.ids[0], arc_text_string(&source), source.length, argv[2]);
  size_t size = 0;
  void *bytes = program ? arc_opencl_binary(cl, program, &size) : NULL;
  if (!bytes) return refuse(1, arc_reason());
  if (!write_file(argv[3], bytes, size)) return refuse(2, "the output cannot be written");
  char *tag = arc_opencl_tag(cl, devices.ids[0]);
  puts(tag);
  free(tag);
  free(bytes);
  free(devices.ids);
  arc_text_free(&source);
  cl->clReleaseProgram(program);
  cl->clReleaseContext(context);
  return 0;
}
