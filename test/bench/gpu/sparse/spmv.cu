/* A sparse matrix times a vector by hand: a thread for each row, then eight threads. */
#include "../bench.cuh"
#include "spmv.h"

static __global__ void naive(int rows, const int *__restrict__ start, const int *__restrict__ column,
                             const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  double sum = 0;
  for (int k = start[i]; k < start[i + 1]; k++)
    sum += value[k] * x[column[k]];
  y[i] = sum;
}

static __global__ void tuned(int rows, const int *__restrict__ start, const int *__restrict__ column,
                             const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  double sum = 0;
  if (i < rows)
    for (int k = start[i] + lane, end = start[i + 1]; k < end; k += 8)
      sum += value[k] * x[column[k]];
  for (int step = 4; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step, 8);
  if (i < rows && lane == 0)
    y[i] = sum;
}

int main(int argc, char **argv) {
  struct matrix m = make_sparse(argc > 1 ? atoi(argv[1]) : 10000000);
  int rows = m.rows;
  size_t size = m.start[rows];
  double *y = (double *)calloc(rows, sizeof *y);
  int *start = on_device(m.start, rows + 1), *column = on_device(m.column, size);
  double *value = on_device(m.value, size), *x = on_device(m.x, rows), *out = on_device(y, rows);
  print_time("spmv", "cuda-naive", best_of([&] { naive<<<(rows + 255) / 256, 256>>>(rows, start, column, value, x, out); }));
  print_time("spmv", "cuda-tuned", best_of([&] { tuned<<<(rows + 31) / 32, 256>>>(rows, start, column, value, x, out); }));
  cudaMemcpy(y, out, rows * sizeof *y, cudaMemcpyDeviceToHost);
  check_sparse(m, y);
  return cudaGetLastError() != cudaSuccess;
}
