/* The regions of regions.ts for CUDA. */
struct row { int factor; int *values; long sum; };

extern "C" __global__ void add(int *p, int value, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) p[i] += value;
}

extern "C" __global__ void scale(struct row *rows, int length) {
  struct row *row = &rows[blockIdx.x];
  row->sum = 0;
  for (int j = 0; j < length; j++) row->sum += row->values[j] *= row->factor;
}

/* Writes where nothing is. */
extern "C" __global__ void fault(int *p) {
  (void)p;
  *(volatile int *)8 = 1;
}
