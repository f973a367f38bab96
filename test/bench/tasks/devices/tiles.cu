/* c += a b for tiles of n x n, by blocks of 128 x 128 in which each thread has 8 x 8 sums. n is a multiple of 128. */
__global__ void multiply(int n, const float *a, const float *b, float *c) {
  enum { BLOCK = 128, DEPTH = 16, SUMS = 8 };
  __shared__ float rows[DEPTH][BLOCK], columns[DEPTH][BLOCK];
  int thread = threadIdx.y * 16 + threadIdx.x;
  const float *from = a + (size_t)blockIdx.y * BLOCK * n, *with = b + (size_t)blockIdx.x * BLOCK;
  float sums[SUMS][SUMS] = {};
  for (int k = 0; k < n; k += DEPTH) {
    for (int e = thread; e < BLOCK * DEPTH; e += 256) {
      rows[e % DEPTH][e / DEPTH] = from[(size_t)(e / DEPTH) * n + k + e % DEPTH];
      columns[e / BLOCK][e % BLOCK] = with[(size_t)(k + e / BLOCK) * n + e % BLOCK];
    }
    __syncthreads();
    for (int d = 0; d < DEPTH; d++) {
      float x[SUMS], y[SUMS];
      for (int i = 0; i < SUMS; i++) x[i] = rows[d][threadIdx.y * SUMS + i], y[i] = columns[d][threadIdx.x + 16 * i];
      for (int i = 0; i < SUMS; i++)
        for (int j = 0; j < SUMS; j++) sums[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < SUMS; i++)
    for (int j = 0; j < SUMS; j++)
      c[(size_t)(blockIdx.y * BLOCK + threadIdx.y * SUMS + i) * n + blockIdx.x * BLOCK + threadIdx.x + 16 * j] += sums[i][j];
}
