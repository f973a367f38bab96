#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static void compute(int rows, int cols, const float *temp, const float *power, float *result) {
#pragma acc parallel loop gang copyin(temp[0:rows * cols], power[0:rows * cols]) copyout(result[0:rows * cols])
  for (int r = 0; r < rows; r++) {
#pragma acc loop vector
    for (int c = 0; c < cols; c++) {
      float t = temp[r * cols + c];
      float up = r == 0 ? t : temp[(r - 1) * cols + c];
      float down = r == rows - 1 ? t : temp[(r + 1) * cols + c];
      float left = c == 0 ? t : temp[r * cols + c - 1];
      float right = c == cols - 1 ? t : temp[r * cols + c + 1];
      result[r * cols + c] = t + 0.1f * (power[r * cols + c] + (up + down - 2 * t) + (left + right - 2 * t));
    }
  }
}
int main(void) {
  int rows = 32, cols = 48;
  float *t = malloc(rows * cols * sizeof *t), *p = malloc(rows * cols * sizeof *p), *r = malloc(rows * cols * sizeof *r);
  for (int i = 0; i < rows * cols; i++) {
    t[i] = 300 + i % 17;
    p[i] = i % 5 * 0.1f;
  }
  for (int k = 0; k < 6; k++) {
    compute(rows, cols, t, p, r);
    float *swap = t;
    t = r;
    r = swap;
  }
  printf("%.3f\n", t[500]);
  free(t);
  free(p);
  free(r);
  return 0;
}
