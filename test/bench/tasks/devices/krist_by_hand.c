/* The same through OpenCL's API, with one queue in order, on which nobody waits before the end; buffers are used again. krist_by_hand KRIST.CL */
#define CL_TARGET_OPENCL_VERSION 120
#include "clock.h"
#include "krist.h"
#include <CL/cl.h>

static void check(cl_int error) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "OpenCL error %d\n", error);
  exit(1);
}

int main(int argc, char **argv) {
  static char text[1 << 14];
  FILE *file = fopen(argc > 1 ? argv[1] : "krist.cl", "r");
  if (!file) return 2;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  cl_platform_id platforms[8];
  cl_uint count = 0;
  cl_device_id device = NULL;
  cl_int error;
  check(clGetPlatformIDs(8, platforms, &count));
  for (cl_uint i = 0; i < count && !device; i++) clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL);
  for (cl_uint i = 0; i < count && !device; i++) clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error);
  const char *source = text;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "krist", &error);
  check(error);
  fill();
  const size_t h_bytes = 3L * NR * sizeof(float), e_bytes = NR * sizeof(float), items = NR, group = GROUP;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_ONLY, 4L * NA * sizeof(float), NULL, &error);
  cl_mem h = clCreateBuffer(context, CL_MEM_READ_ONLY, h_bytes, NULL, &error);
  cl_mem e = clCreateBuffer(context, CL_MEM_WRITE_ONLY, e_bytes, NULL, &error);
  check(error);
  const int na = NA, nr = NR;
  for (int turn = 0; turn < 3; turn++) {
    double start = seconds();
    check(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 4L * NA * sizeof(float), atoms, 0, NULL, NULL));
    for (int i = 0; i < TASKS; i++) {
      check(clEnqueueWriteBuffer(queue, h, CL_FALSE, 0, h_bytes, reflections + 3L * NR * i, 0, NULL, NULL));
      check(clSetKernelArg(kernel, 0, sizeof na, &na));
      check(clSetKernelArg(kernel, 1, sizeof nr, &nr));
      check(clSetKernelArg(kernel, 2, sizeof a, &a));
      check(clSetKernelArg(kernel, 3, GROUP * 4 * sizeof(float), NULL));
      check(clSetKernelArg(kernel, 4, sizeof h, &h));
      check(clSetKernelArg(kernel, 5, sizeof e, &e));
      check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
      check(clEnqueueReadBuffer(queue, e, CL_FALSE, 0, e_bytes, factors + (long)NR * i, 0, NULL, NULL));
    }
    check(clFinish(queue));
    report("by hand", seconds() - start);
  }
  return 0;
}
