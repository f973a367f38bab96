// The same as in kernels.cl, for CUDA and HIP: names of C++ kernels are not those in the code.
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
