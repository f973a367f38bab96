/* Heat on a rod in two halves, each on a device of its own, which hand each other the cells at their border. */
#include <stdio.h>

enum { CELLS = 128, PARTS = 4, PART = CELLS / PARTS, STEPS = 30, DEVICES = 2 };

#pragma omp target device(opencl) ndrange(1, n, 16) copy_deps file(programs.cl) onto(device)
#pragma omp task in([n]from, *left, *right) out([n]to, *first, *last)
void heat(int n, int device, const float *from, const float *left, const float *right, float *to, float *first,
          float *last);

#ifdef SERIAL
void heat(int n, int device, const float *from, const float *left, const float *right, float *to, float *first,
          float *last) {
  for (int i = 0; i < n; i++) {
    float l = i ? from[i - 1] : *left, r = i < n - 1 ? from[i + 1] : *right;
    to[i] = from[i] + 0.25f * (l - 2 * from[i] + r);
  }
  *first = to[0], *last = to[n - 1];
}
#endif

static float cells[2][PARTS][PART], firsts[2][PARTS + 2], lasts[2][PARTS + 2];

int main(void) {
  for (int i = 0; i < CELLS; i++) cells[0][i / PART][i % PART] = i % 9;
  for (int p = 0; p < PARTS; p++) firsts[0][p + 1] = cells[0][p][0], lasts[0][p + 1] = cells[0][p][PART - 1];
  for (int step = 0; step < STEPS; step++) {
    int now = step % 2, next = 1 - now;
    for (int p = 0; p < PARTS; p++)
      heat(PART, p * DEVICES / PARTS, cells[now][p], &lasts[now][p], &firsts[now][p + 2], cells[next][p],
           &firsts[next][p + 1], &lasts[next][p + 1]);
  }
#pragma omp taskwait
  double sum = 0;
  for (int i = 0; i < CELLS; i++) sum += cells[STEPS % 2][i / PART][i % PART] * (1 + i % 4);
  printf("%.3f\n", sum);
  return 0;
}
