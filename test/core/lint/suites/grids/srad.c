#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { rows = 20, cols = 24 };
static float j[rows * cols], c[rows * cols], dn[rows * cols], ds[rows * cols], dw[rows * cols], de[rows * cols];
static int north[rows], south[rows], west[cols], east[cols];
int main(void) {
  for (int i = 0; i < rows * cols; i++) j[i] = expf((i % 9) / 10.0f);
  for (int i = 0; i < rows; i++) {
    north[i] = i == 0 ? 0 : i - 1;
    south[i] = i == rows - 1 ? i : i + 1;
  }
  for (int i = 0; i < cols; i++) {
    west[i] = i == 0 ? 0 : i - 1;
    east[i] = i == cols - 1 ? i : i + 1;
  }
#pragma acc data copy(j) create(c, dn, ds, dw, de) copyin(north, south, west, east)
  for (int t = 0; t < 4; t++) {
    float sum = 0, sum2 = 0;
#pragma acc parallel loop reduction(+ : sum, sum2)
    for (int k = 0; k < rows * cols; k++) {
      sum += j[k];
      sum2 += j[k] * j[k];
    }
    float mean = sum / (rows * cols), q0 = (sum2 / (rows * cols) - mean * mean) / (mean * mean);
#pragma acc parallel loop collapse(2)
    for (int r = 0; r < rows; r++)
      for (int q = 0; q < cols; q++) {
        int k = r * cols + q;
        float v = j[k];
        dn[k] = j[north[r] * cols + q] - v;
        ds[k] = j[south[r] * cols + q] - v;
        dw[k] = j[r * cols + west[q]] - v;
        de[k] = j[r * cols + east[q]] - v;
        float g = (dn[k] * dn[k] + ds[k] * ds[k] + dw[k] * dw[k] + de[k] * de[k]) / (v * v);
        c[k] = 1 / (1 + (g - q0) / (q0 * (1 + q0) + 1));
      }
#pragma acc parallel loop collapse(2)
    for (int r = 0; r < rows; r++)
      for (int q = 0; q < cols; q++) {
        int k = r * cols + q;
        float d = c[k] * dn[k] + c[south[r] * cols + q] * ds[k] + c[k] * dw[k] + c[r * cols + east[q]] * de[k];
        j[k] += 0.05f * d;
      }
  }
  printf("%.4f %.4f\n", j[0], j[100]);
  return 0;
}
