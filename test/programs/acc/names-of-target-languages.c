// Variables, members and functions whose names are keywords or built-ins of OpenCL, CUDA or C++.
// arc: items>1
#include "check.h"

#define N 77

typedef struct {
  int new, delete, x, global;
} class;

#pragma acc routine seq
static int max(int this, int template) { return this > template ? this : template; }

#pragma acc routine seq
static int convert_int(int half) { return half + 1; }

int main(void) {
  int kernel[N], global = 3, local = 4, private = 5, constant = 6, sampler_t = 7;
  int threadIdx = 8, blockIdx = 9, float4 = 10, uchar = 11, get_global_id = 12, bool = 13, try = 14, read_only = 15;
  class namespace = {1, 2, 3, 4};

#pragma acc parallel loop copyout(kernel) private(private)
  for (int image2d_t = 0; image2d_t < N; image2d_t++) {
    int blockDim = image2d_t, warpSize = 2, operator = 3;
    private = blockDim * warpSize;
    kernel[blockDim] = max(global + local + constant + sampler_t + threadIdx + blockIdx + float4 + uchar, private) +
                       get_global_id + bool + try + read_only + operator + namespace.new + namespace.delete +
                       namespace.x + namespace.global + convert_int(0);
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, kernel[i], (2 * i > 58 ? 2 * i : 58) + 12 + 13 + 14 + 15 + 3 + 10 + 1);
  return report();
}
