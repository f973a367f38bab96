/* matmul.c through OpenCL's API, on one device: with two it would be longer. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILES = 3, NB = 16, BL_SIZE = 8, BYTES = NB * NB * sizeof(float) };

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

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;

static float *tile(int seed) {
  float *t = malloc(BYTES);
  for (int i = 0; i < NB * NB; i++) t[i] = seed ? (i * seed) % 5 : 0;
  return t;
}

static cl_mem on_device(float *t) {
  cl_int code;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, t, &code);
  check(code, "clCreateBuffer");
  return buffer;
}

static void muld(cl_mem A, cl_mem B, int wA, int wB, cl_mem C) {
  const size_t global[] = {NB, NB}, local[] = {BL_SIZE, BL_SIZE};
  check(clSetKernelArg(kernel, 0, sizeof A, &A), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof B, &B), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof wA, &wA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof wB, &wB), "clSetKernelArg");
  check(clSetKernelArg(kernel, 4, sizeof C, &C), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  const char *source = read_file("programs.cl");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
  kernel = clCreateKernel(program, "muld", &code);
  check(code, "clCreateKernel");
  float *A[TILES][TILES], *B[TILES][TILES], *C[TILES][TILES];
  cl_mem dA[TILES][TILES], dB[TILES][TILES], dC[TILES][TILES];
  for (int i = 0; i < TILES; i++)
    for (int j = 0; j < TILES; j++) {
      A[i][j] = tile(1 + i + 3 * j), B[i][j] = tile(2 + i * j), C[i][j] = tile(0);
      dA[i][j] = on_device(A[i][j]), dB[i][j] = on_device(B[i][j]), dC[i][j] = on_device(C[i][j]);
    }
  for (int i = 0; i < TILES; i++)
    for (int k = 0; k < TILES; k++)
      for (int j = 0; j < TILES; j++) muld(dA[i][k], dB[k][j], NB, NB, dC[i][j]);
  for (int i = 0; i < TILES; i++)
    for (int j = 0; j < TILES; j++) {
      check(clEnqueueReadBuffer(queue, dC[i][j], CL_TRUE, 0, BYTES, C[i][j], 0, NULL, NULL), "clEnqueueReadBuffer");
      clReleaseMemObject(dA[i][j]);
      clReleaseMemObject(dB[i][j]);
      clReleaseMemObject(dC[i][j]);
    }
  for (int i = 0; i < TILES; i++) {
    double sum = 0;
    for (int j = 0; j < TILES; j++)
      for (int e = 0; e < NB * NB; e++) sum += C[i][j][e] * (e % 7);
    printf("%g\n", sum);
  }
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
