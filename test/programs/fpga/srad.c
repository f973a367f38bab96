/* Speckle reduction: two sums in one loop, then two stencils, of which the first writes five arrays. */
#include <stdio.h>
#ifndef ROWS
#define ROWS 15
#define COLS 13
#endif
#ifndef STEPS
#define STEPS 2
#endif
#define SIZE (ROWS * COLS)
static float J[SIZE], dN[SIZE], dS[SIZE], dW[SIZE], dE[SIZE], c[SIZE];

static void statistics(float *mean, float *variance) {
  float sum = 0, squares = 0;
#pragma acc parallel loop reduction(+:sum, squares) present(J)
  for (int k = 0; k < SIZE; k++) {
    sum += J[k];
    squares += J[k] * J[k];
  }
  *mean = sum / SIZE;
  *variance = squares / SIZE - *mean * *mean;
}

static void coefficients(float q0) {
#pragma acc parallel loop collapse(2) present(J, dN, dS, dW, dE, c)
#pragma openarc transform window(J[0:SIZE], c[0:SIZE])
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) {
      int k = i * COLS + j;
      float v = J[k];
      float n = J[i > 0 ? k - COLS : k] - v, s = J[i < ROWS - 1 ? k + COLS : k] - v;
      float w = J[j > 0 ? k - 1 : k] - v, e = J[j < COLS - 1 ? k + 1 : k] - v;
      float g = (n * n + s * s + w * w + e * e) / (v * v), l = (n + s + w + e) / v;
      float num = 0.5f * g - 0.0625f * (l * l), den = 1 + 0.25f * l;
      float q = num / (den * den);
      float value = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
      dN[k] = n;
      dS[k] = s;
      dW[k] = w;
      dE[k] = e;
      c[k] = value < 0 ? 0 : value > 1 ? 1 : value;
    }
}

static void update(void) {
#pragma acc parallel loop collapse(2) present(J, dN, dS, dW, dE, c)
#pragma openarc transform window(c, J)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) {
      int k = i * COLS + j;
      float south = c[i < ROWS - 1 ? k + COLS : k], east = c[j < COLS - 1 ? k + 1 : k];
      J[k] += 0.125f * (c[k] * dN[k] + south * dS[k] + c[k] * dW[k] + east * dE[k]);
    }
}

int main(void) {
  for (int k = 0; k < SIZE; k++) J[k] = 1 + k * 31 % 17 * 0.125f;
#pragma acc data copy(J) create(dN, dS, dW, dE, c)
  for (int n = 0; n < STEPS; n++) {
    float mean, variance;
    statistics(&mean, &variance);
    coefficients(variance / (mean * mean));
    update();
  }
  for (int k = 0; k < SIZE; k++) printf("%.5g%c", J[k], k % COLS == COLS - 1 ? '\n' : ' ');
}
