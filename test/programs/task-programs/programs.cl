__kernel void muld(__global float *A, __global float *B, int wA, int wB, __global float *C) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = C[i * wB + j];
  for (int k = 0; k < wA; k++) sum += A[i * wA + k] * B[k * wB + j];
  C[i * wB + j] = sum;
}

typedef struct {
  float x, y, vx, vy, mass;
} body;

__kernel void move(int first, int count, int device, __global const body *all, __global body *moved) {
  int i = get_global_id(0);
  if (i >= count) return;
  body b = all[first + i];
  float ax = 0, ay = 0;
  for (int k = 0; k < 128; k++) {
    float dx = all[k].x - b.x, dy = all[k].y - b.y;
    float d = dx * dx + dy * dy + 1;
    ax += all[k].mass * dx / d;
    ay += all[k].mass * dy / d;
  }
  b.vx += ax / 64, b.vy += ay / 64;
  b.x += b.vx / 64, b.y += b.vy / 64;
  moved[i] = b;
}

__kernel void krist(int na, int nr, __global const float *a, __local float *kept, __global const float *h,
                    __global float *e) {
  int i = get_global_id(0), l = get_local_id(0), group = get_local_size(0);
  float sum = 0;
  for (int at = 0; at < na; at += group) {
    for (int k = 0; k < 4; k++) kept[4 * l + k] = a[4 * (at + l) + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < group; k++)
      sum += kept[4 * k] * (kept[4 * k + 1] * h[3 * i] + kept[4 * k + 2] * h[3 * i + 1] + kept[4 * k + 3] * h[3 * i + 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < nr) e[i] = sum;
}

struct context {
  int window_size[2];
  float re, im;
};

/* A work-item makes four pixels. */
__kernel void julia(struct context jc, int first, int lines, __global uint *slice) {
  int w = jc.window_size[0];
  for (int k = 0; k < 4; k++) {
    int column = 4 * get_global_id(0) + k, line = get_global_id(1);
    float x = (column - w / 2) / 16.0f, y = (first + line - jc.window_size[1] / 2) / 16.0f;
    uint n = 0;
    for (; n < 30 && x * x + y * y < 4; n++) {
      float next = x * x - y * y + jc.re;
      y = 2 * x * y + jc.im;
      x = next;
    }
    slice[line * w + column] = n;
  }
}

__kernel void heat(int n, int device, __global const float *from, __global const float *left,
                   __global const float *right, __global float *to, __global float *first, __global float *last) {
  int i = get_global_id(0);
  if (i >= n) return;
  float l = i ? from[i - 1] : *left, r = i < n - 1 ? from[i + 1] : *right;
  to[i] = from[i] + 0.25f * (l - 2 * from[i] + r);
  if (i == 0) *first = to[i];
  if (i == n - 1) *last = to[i];
}
