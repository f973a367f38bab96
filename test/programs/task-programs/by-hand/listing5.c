/* listing5.c through OpenCL's API. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024 };

static void check(cl_int code, const char *call) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", call, code);
  exit(1);
}

static const char *source =
    "__kernel void saxpy(int n, float a, __global float *x, __global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

int main(void) {
  static float x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "saxpy", &code);
  check(code, "clCreateKernel");
  cl_mem dx = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, &code);
  check(code, "clCreateBuffer");
  cl_mem dy = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof y, y, &code);
  check(code, "clCreateBuffer");
  int n = N;
  float a = 2;
  check(clSetKernelArg(kernel, 0, sizeof n, &n), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof a, &a), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof dx, &dx), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof dy, &dy), "clSetKernelArg");
  size_t global = N, local = 128;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, dy, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL), "clEnqueueReadBuffer");
  printf("%g\n", y[N - 1]);
  clReleaseMemObject(dx);
  clReleaseMemObject(dy);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
