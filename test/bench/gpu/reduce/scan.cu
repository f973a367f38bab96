/* Prefix sums by CUB. */
#include "../bench.cuh"
#include "scan.h"
#include <cub/cub.cuh>

int main() {
  int *a = make_numbers(), *sums = (int *)malloc((size_t)NUMBERS * sizeof *sums);
  int *da = on_device(a, NUMBERS), *dsums = on_device(a, NUMBERS);
  void *scratch = NULL;
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(scratch, bytes, da, dsums, NUMBERS);
  cudaMalloc(&scratch, bytes);
  print_time("scan", "cuda-cub", best_of([&] { cub::DeviceScan::InclusiveSum(scratch, bytes, da, dsums, NUMBERS); }));
  to_host(sums, dsums, NUMBERS);
  check_scan(a, sums);
  return cudaGetLastError() != cudaSuccess;
}
