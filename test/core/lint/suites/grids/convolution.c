#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { w = 40, h = 30 };
static float in[h][w], out[h][w];
static const float kernel[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
int main(void) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) in[i][j] = (i * 3 + j * 7) % 16;
#pragma acc parallel loop collapse(2) copyin(in, kernel) copyout(out)
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
          int r = i + k - 1, c = j + l - 1;
          if (r >= 0 && r < h && c >= 0 && c < w) s += kernel[k][l] * in[r][c];
        }
      out[i][j] = s / 16;
    }
  printf("%.3f %.3f\n", out[0][0], out[15][20]);
  return 0;
}
