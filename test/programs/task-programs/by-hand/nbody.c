/* nbody.c through OpenCL's API: two devices, whose halves go by way of the host after each step. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 128, BS = 32, STEPS = 20, DEVICES = 2 };

typedef struct body {
  float x, y, vx, vy, mass;
} body;

static void check(cl_int code, const char *call) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", call, code);
  exit(1);
}

static char *read_file(const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file) check(-1, name);
  char *text = calloc(1, 1 << 16);
  fread(text, 1, (1 << 16) - 1, file);
  fclose(file);
  return text;
}

int main(void) {
  static body bodies[2][BODIES];
  for (int i = 0; i < BODIES; i++)
    bodies[0][i] = (body){i % 13, i % 7, (i % 3) / 4.0f, 0, 1 + i % 2};
  cl_platform_id platform;
  cl_device_id devices[DEVICES];
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, NULL), "clGetDeviceIDs");
  const char *source = read_file("programs.cl");
  cl_context contexts[DEVICES];
  cl_command_queue queues[DEVICES];
  cl_program programs[DEVICES];
  cl_kernel kernels[DEVICES];
  cl_mem all[DEVICES], moved[DEVICES][BODIES / BS];
  for (int d = 0; d < DEVICES; d++) {
    contexts[d] = clCreateContext(NULL, 1, &devices[d], NULL, NULL, &code);
    check(code, "clCreateContext");
    queues[d] = clCreateCommandQueue(contexts[d], devices[d], 0, &code);
    check(code, "clCreateCommandQueue");
    programs[d] = clCreateProgramWithSource(contexts[d], 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(programs[d], 1, &devices[d], NULL, NULL, NULL), "clBuildProgram");
    kernels[d] = clCreateKernel(programs[d], "move", &code);
    check(code, "clCreateKernel");
    all[d] = clCreateBuffer(contexts[d], CL_MEM_READ_ONLY, sizeof bodies[0], NULL, &code);
    check(code, "clCreateBuffer");
    for (int p = 0; p < BODIES / BS; p++) {
      moved[d][p] = clCreateBuffer(contexts[d], CL_MEM_WRITE_ONLY, BS * sizeof(body), NULL, &code);
      check(code, "clCreateBuffer");
    }
  }
  for (int step = 0; step < STEPS; step++) {
    const body *from = bodies[step % 2];
    body *to = bodies[(step + 1) % 2];
    for (int d = 0; d < DEVICES; d++)
      check(clEnqueueWriteBuffer(queues[d], all[d], CL_FALSE, 0, sizeof bodies[0], from, 0, NULL, NULL),
            "clEnqueueWriteBuffer");
    for (int p = 0; p < BODIES / BS; p++) {
      int d = p % DEVICES, first = p * BS, count = BS;
      size_t global = BS, local = 32;
      check(clSetKernelArg(kernels[d], 0, sizeof first, &first), "clSetKernelArg");
      check(clSetKernelArg(kernels[d], 1, sizeof count, &count), "clSetKernelArg");
      check(clSetKernelArg(kernels[d], 2, sizeof d, &d), "clSetKernelArg");
      check(clSetKernelArg(kernels[d], 3, sizeof all[d], &all[d]), "clSetKernelArg");
      check(clSetKernelArg(kernels[d], 4, sizeof moved[d][p], &moved[d][p]), "clSetKernelArg");
      check(clEnqueueNDRangeKernel(queues[d], kernels[d], 1, NULL, &global, &local, 0, NULL, NULL),
            "clEnqueueNDRangeKernel");
      check(clEnqueueReadBuffer(queues[d], moved[d][p], CL_FALSE, 0, BS * sizeof(body), to + first, 0, NULL, NULL),
            "clEnqueueReadBuffer");
    }
    for (int d = 0; d < DEVICES; d++) check(clFinish(queues[d]), "clFinish");
  }
  double x = 0, y = 0;
  for (int i = 0; i < BODIES; i++) x += bodies[STEPS % 2][i].x, y += bodies[STEPS % 2][i].y;
  printf("%.2f %.2f\n", x, y);
  for (int d = 0; d < DEVICES; d++) {
    for (int p = 0; p < BODIES / BS; p++) clReleaseMemObject(moved[d][p]);
    clReleaseMemObject(all[d]);
    clReleaseKernel(kernels[d]);
    clReleaseProgram(programs[d]);
    clReleaseCommandQueue(queues[d]);
    clReleaseContext(contexts[d]);
  }
  return 0;
}
