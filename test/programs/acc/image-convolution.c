// A 5 x 5 convolution over bytes with clamped borders and a constant kernel in a nested loop.
// arc: items>1
#include "check.h"

#define ROWS 57
#define COLUMNS 74

static const int weight[5][5] = {{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};

static int clamp(int x, int limit) { return x < 0 ? 0 : x >= limit ? limit - 1 : x; }

int main(void) {
  static unsigned char in[ROWS][COLUMNS], out[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      in[i][j] = (unsigned char)(i * i + 3 * j);

#pragma acc parallel loop collapse(2) copyin(in, weight) copyout(out)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int sum = 128;
      for (int u = -2; u <= 2; u++)
        for (int v = -2; v <= 2; v++) {
          int y = i + u < 0 ? 0 : i + u >= ROWS ? ROWS - 1 : i + u;
          int x = j + v < 0 ? 0 : j + v >= COLUMNS ? COLUMNS - 1 : j + v;
          sum += weight[u + 2][v + 2] * in[y][x];
        }
      out[i][j] = (unsigned char)(sum >> 8);
    }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int sum = 128;
      for (int u = -2; u <= 2; u++)
        for (int v = -2; v <= 2; v++)
          sum += weight[u + 2][v + 2] * in[clamp(i + u, ROWS)][clamp(j + v, COLUMNS)];
      EXPECT_AT(i * COLUMNS + j, out[i][j], sum / 256);
    }
  return report();
}
