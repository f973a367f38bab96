/* The same by hand: tiles with padding, a block or 64 threads for a row, counts in group memory, a thread for each value. */
#include "../bench.cuh"
#include "patterns.h"

static __global__ void transpose(const float *__restrict__ a, float *__restrict__ b) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = a[(long)(y + k) * SIDE + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[(long)(y + k) * SIDE + x] = tile[threadIdx.x][threadIdx.y + k];
}

/* A block for each row, which it keeps in registers. */
static __global__ void softmax(const float *__restrict__ a, float *__restrict__ b) {
  __shared__ float part[8];
  int lane = threadIdx.x;
  a += (long)blockIdx.x * ROW, b += (long)blockIdx.x * ROW;
  float v[ROW / 256], most = -1e30f, sum = 0;
  for (int k = 0; k < ROW / 256; k++)
    most = fmaxf(most, v[k] = a[lane + k * 256]);
  for (int step = 16; step > 0; step /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  if (lane % 32 == 0)
    part[lane / 32] = most;
  __syncthreads();
  for (int k = 0; k < 8; k++)
    most = fmaxf(most, part[k]);
  __syncthreads();
  for (int k = 0; k < ROW / 256; k++)
    sum += v[k] = expf(v[k] - most);
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(~0u, sum, step);
  if (lane % 32 == 0)
    part[lane / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; k++)
    sum += part[k];
  for (int k = 0; k < ROW / 256; k++)
    b[lane + k * 256] = v[k] / sum;
}

/* A block for each row of the cube, a thread for each element. */
static __global__ void contract(float *__restrict__ a, const float *__restrict__ weights, float *__restrict__ sums) {
  __shared__ float row[BLOCK];
  long at = ((long)blockIdx.y * BLOCK + blockIdx.x) * BLOCK;
  row[threadIdx.x] = a[at + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int s = 0; s < BLOCK; s++)
    sum += row[s] * weights[s * BLOCK + threadIdx.x];
  sums[at + threadIdx.x] = a[at + threadIdx.x] = sum;
}

static __global__ void pairs(const float *__restrict__ x, const float *__restrict__ y, float *counts) {
  __shared__ float own[BINS * BINS];
  for (int k = threadIdx.x; k < BINS * BINS; k += 256)
    own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < PAIRS; i += gridDim.x * 256) {
    int p = (x[i] + 0.5f) * (BINS - 0.1f), q = (y[i] + 0.5f) * (BINS - 0.1f);
    atomicAdd(&own[p * BINS + q], 1.0f);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < BINS * BINS; k += 256)
    atomicAdd(&counts[k], own[k]);
}

static __global__ void sweep(float *__restrict__ x, const float *__restrict__ a) {
  long at = (long)(blockIdx.x * blockDim.x + threadIdx.x) * SIDE;
  float last = x[at];
  for (int j = 1; j < SIDE; j++)
    x[at + j] = last = x[at + j] - last * a[at + j] * 0.1f;
}

static __global__ void cells(const int4 *__restrict__ to, const float *__restrict__ u, float *__restrict__ f) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = t / VALUES, c = t % VALUES;
  if (i >= CELLS)
    return;
  int4 n = to[i];
  float own = u[t];
  f[t] = 0.25f * (u[n.x * VALUES + c] - own) + 0.25f * (u[n.y * VALUES + c] - own) + 0.25f * (u[n.z * VALUES + c] - own) +
         0.25f * (u[n.w * VALUES + c] - own);
}

int main() {
  size_t square = (size_t)SIDE * SIDE, volume = (size_t)BLOCK * BLOCK * BLOCK;
  float *a = make_numbers(square, 1), *b = make_numbers(square, 2), *start = make_numbers(square, 2);
  float *da = on_device(a, square), *db = on_device(b, square);
  print_time("sweep", "cuda", best_of([&] { sweep<<<SIDE / 64, 64>>>(db, da); }));
  to_host(b, db, square);
  check_sweep(a, b, start, RUNS + 1);
  print_time("transpose", "cuda", best_of([&] { transpose<<<dim3(SIDE / 32, SIDE / 32), dim3(32, 8)>>>(da, db); }));
  to_host(b, db, square);
  check_transpose(a, b);
  print_time("softmax", "cuda", best_of([&] { softmax<<<SIDE, 256>>>(da, db); }));
  to_host(b, db, (size_t)SIDE * ROW);
  check_softmax(a, b);

  float *cube = make_numbers(volume, 3), *weights = make_numbers(BLOCK * BLOCK, 4), *sums = make_numbers(volume, 0);
  float *dcube = on_device(cube, volume), *dweights = on_device(weights, BLOCK * BLOCK), *dsums = on_device(sums, volume);
  auto once = [&] { contract<<<dim3(BLOCK, BLOCK), BLOCK>>>(dcube, dweights, dsums); };
  print_time("contract", "cuda", best_of(once));
  to_host(cube, dcube, BLOCK);
  once();
  to_host(sums, dsums, BLOCK);
  check_contract(cube, weights, sums);

  float *x = make_numbers(PAIRS, 5), *y = make_numbers(PAIRS, 77), *counts = (float *)calloc(BINS * BINS, sizeof *counts);
  float *dx = on_device(x, PAIRS), *dy = on_device(y, PAIRS), *dcounts = on_device(counts, BINS * BINS);
  print_time("pairs", "cuda", best_of([&] { pairs<<<528, 256>>>(dx, dy, dcounts); }));
  to_host(counts, dcounts, BINS * BINS);
  check_pairs(x, y, counts, RUNS + 1);

  size_t values = (size_t)CELLS * VALUES;
  int *to = make_neighbours(), *dto = on_device(to, (size_t)CELLS * FACES);
  float *u = make_numbers(values, 6), *f = make_numbers(values, 0), *du = on_device(u, values), *df = on_device(f, values);
  print_time("cells", "cuda", best_of([&] { cells<<<(values + 255) / 256, 256>>>((const int4 *)dto, du, df); }));
  to_host(f, df, values);
  check_cells(u, f);
  return cudaGetLastError() != cudaSuccess;
}
