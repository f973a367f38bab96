#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { rows = 20, cols = 50 };
static int wall[rows][cols], src[cols], dst[cols];
int main(void) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) wall[r][c] = (r * 17 + c * 29) % 10;
  for (int c = 0; c < cols; c++) src[c] = wall[0][c];
#pragma acc data copyin(wall) copy(src) create(dst)
  for (int r = 1; r < rows; r++) {
#pragma acc parallel loop
    for (int c = 0; c < cols; c++) {
      int least = src[c];
      if (c > 0 && src[c - 1] < least) least = src[c - 1];
      if (c < cols - 1 && src[c + 1] < least) least = src[c + 1];
      dst[c] = wall[r][c] + least;
    }
#pragma acc parallel loop
    for (int c = 0; c < cols; c++) src[c] = dst[c];
  }
  printf("%d %d\n", src[0], src[49]);
  return 0;
}
