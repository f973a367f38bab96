/*
 * What bounds examples/spmv with 10^7 rows: its elements lie anywhere in a vector of 80 MB, more than the second-level
 * cache holds. `gather` reads that many elements of the vector from places that it computes, and nothing else; `stream`
 * reads the matrix alone; `product` is the product with eight lanes for each row.
 */
#include "../bench.cuh"

enum { ROWS = 10000000, MOST = 64, LANES = 8, BLOCK = 256 };

static __global__ void gather(long elements, const double *__restrict__ x, double *__restrict__ sums) {
  double sum = 0;
  unsigned long all = (unsigned long)gridDim.x * BLOCK;
#pragma unroll 4
  for (unsigned long e = (unsigned long)blockIdx.x * BLOCK + threadIdx.x; e < elements; e += all)
    sum += __ldg(&x[(unsigned)(e * 2654435761u) % ROWS]);
  sums[(unsigned)blockIdx.x * BLOCK + threadIdx.x] = sum;
}

template <bool anywhere>
static __global__ void product(const int *__restrict__ first, const int *__restrict__ column, const double *__restrict__ value,
                               const double *__restrict__ x, double *__restrict__ y) {
  int i = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  double sum = 0;
  if (i < ROWS)
    for (int e = first[i] + lane, end = first[i + 1]; e < end; e += LANES)
      sum += anywhere ? value[e] * __ldg(&x[column[e]]) : value[e] * column[e];
  for (int step = LANES / 2; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step, LANES);
  if (i < ROWS && lane == 0)
    y[i] = sum;
}

int main() {
  int *first = (int *)malloc((ROWS + 1) * sizeof *first);
  first[0] = 0;
  for (int i = 0; i < ROWS; i++)
    first[i + 1] = first[i] + 1 + (i % 32 == 7 ? MOST : (i * 13l + i / 5) % (MOST / 4 + 1));
  int elements = first[ROWS], *column = (int *)malloc(elements * sizeof *column);
  double *value = (double *)malloc(elements * sizeof *value), *x = (double *)malloc(ROWS * sizeof *x);
  unsigned random = 99;
  for (int e = 0; e < elements; e++) {
    random = random * 1664525u + 1013904223u;
    column[e] = (int)((random >> 8) % ROWS);
    value[e] = 1;
  }
  for (int i = 0; i < ROWS; i++)
    x[i] = i % 5;
  int *dfirst = on_device(first, ROWS + 1), *dcolumn = on_device(column, elements);
  double *dvalue = on_device(value, elements), *dx = on_device(x, ROWS), *y = on_device(x, ROWS);
  int blocks = (ROWS + BLOCK / LANES - 1) / (BLOCK / LANES);
  print_time("gather", "cuda-vector", best_of([&] { gather<<<132 * 32, BLOCK>>>(elements, dx, y); }));
  print_time("gather", "cuda-stream", best_of([&] { product<false><<<blocks, BLOCK>>>(dfirst, dcolumn, dvalue, dx, y); }));
  print_time("gather", "cuda-product", best_of([&] { product<true><<<blocks, BLOCK>>>(dfirst, dcolumn, dvalue, dx, y); }));
  return cudaGetLastError() != cudaSuccess;
}
