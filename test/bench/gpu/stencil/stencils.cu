/*
 * The same by hand: heat walks through planes with the points above and below in registers; blur and wave keep a tile
 * with its halo in group memory, and blur adds along rows first. FDTD fuses the two updates of the electric field.
 */
#include "../bench.cuh"
#include "stencils.h"

enum { PLANES = 32 };

static __global__ void heat(const plane *__restrict__ from, plane *__restrict__ to) {
  int k = 1 + blockIdx.x * 64 + threadIdx.x, j = 1 + blockIdx.y * 4 + threadIdx.y;
  if (k >= CUBE - 1 || j >= CUBE - 1)
    return;
  int first = 1 + blockIdx.z * PLANES, end = min(first + PLANES, CUBE - 1);
  float below = from[first - 1][j][k], here = from[first][j][k];
#pragma unroll 4
  for (int i = first; i < end; i++) {
    float above = from[i + 1][j][k];
    to[i][j][k] = 0.4f * here + 0.1f * (below + above + from[i][j - 1][k] + from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1]);
    below = here;
    here = above;
  }
}

static __global__ void blur(const line *__restrict__ from, line *__restrict__ to) {
  __shared__ float tile[36][68], sums[36][64];
  int j0 = 2 + blockIdx.x * 64, i0 = 2 + blockIdx.y * 32;
  for (int t = threadIdx.x; t < 36 * 68; t += 256) {
    int i = i0 - 2 + t / 68, j = j0 - 2 + t % 68;
    tile[t / 68][t % 68] = from[min(i, SIDE - 1)][min(j, SIDE - 1)];
  }
  __syncthreads();
  for (int t = threadIdx.x; t < 36 * 64; t += 256) {
    float *at = &tile[t / 64][t % 64];
    sums[t / 64][t % 64] = at[0] + at[1] + at[2] + at[3] + at[4];
  }
  __syncthreads();
  for (int t = threadIdx.x; t < 32 * 64; t += 256) {
    int i = t / 64, j = t % 64;
    float sum = sums[i][j] + sums[i + 1][j] + sums[i + 2][j] + sums[i + 3][j] + sums[i + 4][j];
    if (i0 + i < SIDE - 2 && j0 + j < SIDE - 2)
      to[i0 + i][j0 + j] = sum * 0.04f;
  }
}

static __global__ void wave(const line *__restrict__ now, line *__restrict__ to, float past) {
  const float w0 = -2.84722f, w1 = 1.6f, w2 = -0.2f, w3 = 0.0253968f, w4 = -0.00178571f;
  __shared__ float tile[32][72];
  int j0 = 4 + blockIdx.x * 64, i0 = 4 + blockIdx.y * 24;
  for (int t = threadIdx.x; t < 32 * 72; t += 256) {
    int i = i0 - 4 + t / 72, j = j0 - 4 + t % 72;
    tile[t / 72][t % 72] = now[min(i, SIDE - 1)][min(j, SIDE - 1)];
  }
  __syncthreads();
  for (int t = threadIdx.x; t < 24 * 64; t += 256) {
    int y = t / 64 + 4, x = t % 64 + 4, i = i0 + y - 4, j = j0 + x - 4;
    if (i >= SIDE - 4 || j >= SIDE - 4)
      continue;
    float here = tile[y][x];
    float sum = 2 * w0 * here + w1 * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]) +
                w2 * (tile[y - 2][x] + tile[y + 2][x] + tile[y][x - 2] + tile[y][x + 2]) +
                w3 * (tile[y - 3][x] + tile[y + 3][x] + tile[y][x - 3] + tile[y][x + 3]) +
                w4 * (tile[y - 4][x] + tile[y + 4][x] + tile[y][x - 4] + tile[y][x + 4]);
    to[i][j] = 2 * here - past * to[i][j] + 0.1f * sum;
  }
}

static __global__ void electric(row *__restrict__ ex, row *__restrict__ ey, const row *__restrict__ hz) {
  int j = blockIdx.x * 256 + threadIdx.x;
  for (int i = blockIdx.y * 4; i < blockIdx.y * 4 + 4; i++) {
    float here = hz[i][j];
    if (i > 0)
      ey[i][j] -= 0.5f * (here - hz[i - 1][j]);
    if (j > 0)
      ex[i][j] -= 0.5f * (here - hz[i][j - 1]);
  }
}

static __global__ void magnetic(const row *__restrict__ ex, const row *__restrict__ ey, row *__restrict__ hz) {
  int j = blockIdx.x * 256 + threadIdx.x;
  for (int i = blockIdx.y * 4; i < blockIdx.y * 4 + 4; i++)
    if (i < FIELD - 1 && j < FIELD - 1)
      hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
}

int main() {
  size_t volume = (size_t)CUBE * CUBE * CUBE, area = (size_t)SIDE * SIDE, field = (size_t)FIELD * FIELD;
  plane *hot = (plane *)make(volume), *cold = (plane *)zeros(volume);
  line *image = (line *)make(area), *soft = (line *)zeros(area), *next = (line *)zeros(area);
  row *ex = (row *)zeros(field), *hz = (row *)make(field);
  plane *dhot = on_device(hot, CUBE), *dcold = on_device(cold, CUBE);
  line *dimage = on_device(image, SIDE), *dsoft = on_device(soft, SIDE), *dnext = on_device(next, SIDE);
  row *dex = on_device(ex, FIELD), *dey = on_device(ex, FIELD), *dhz = on_device(hz, FIELD);
  print_time("heat", "cuda-tuned", best_of([&] {
               heat<<<dim3(CUBE / 64, CUBE / 4, CUBE / PLANES), dim3(64, 4)>>>(dhot, dcold);
             }));
  print_time("blur", "cuda-tuned", best_of([&] { blur<<<dim3(SIDE / 64, SIDE / 32), 256>>>(dimage, dsoft); }));
  print_time("wave", "cuda-tuned", best_of([&] { wave<<<dim3(SIDE / 64, (SIDE + 23) / 24), 256>>>(dimage, dnext, 0); }));
  double best = INFINITY;
  for (int run = 0; run < 2; run++) {
    cudaDeviceSynchronize();
    double start = milliseconds();
    for (int t = 0; t < STEPS; t++) {
      electric<<<dim3(FIELD / 256, FIELD / 4), 256>>>(dex, dey, dhz);
      magnetic<<<dim3(FIELD / 256, FIELD / 4), 256>>>(dex, dey, dhz);
    }
    cudaDeviceSynchronize();
    best = fmin(best, milliseconds() - start);
  }
  print_time("fdtd", "cuda-tuned", best);
  to_host(cold, dcold, CUBE), to_host(soft, dsoft, SIDE), to_host(next, dnext, SIDE), to_host(hz, dhz, FIELD);
  check_heat(hot, cold);
  check_blur(image, soft);
  check_wave(image, next);
  check_fdtd(hz, 2 * STEPS);
  return cudaGetLastError() != cudaSuccess;
}
