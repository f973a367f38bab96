/* Edges of a picture of bytes by Sobel's operator, and how many there are: a window beside a reduction. */
#include <stdio.h>
#include <stdlib.h>
#ifndef ROWS
#define ROWS 37
#define COLS 29
#endif
static unsigned char image[ROWS * COLS], edges[ROWS * COLS];

static int find_edges(void) {
  int count = 0;
#pragma acc parallel loop collapse(2) reduction(+:count) copyin(image) copyout(edges)
#pragma openarc transform window(image, edges)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) {
      int x = i * COLS + j, strength = 0;
      if (i > 0 && i < ROWS - 1 && j > 0 && j < COLS - 1) {
        int across = image[x - COLS + 1] + 2 * image[x + 1] + image[x + COLS + 1]
                   - image[x - COLS - 1] - 2 * image[x - 1] - image[x + COLS - 1];
        int down = image[x + COLS - 1] + 2 * image[x + COLS] + image[x + COLS + 1]
                 - image[x - COLS - 1] - 2 * image[x - COLS] - image[x - COLS + 1];
        strength = abs(across) + abs(down);
        if (strength > 255) strength = 255;
      }
      edges[x] = strength;
      if (strength >= 100) count++;
    }
  return count;
}

int main(void) {
  for (int k = 0; k < ROWS * COLS; k++) image[k] = (k * 7919u + k / COLS * 31) % 251;
  int count = find_edges();
  printf("%d\n", count);
  for (int k = 0; k < ROWS * COLS; k++) printf("%d%c", edges[k], k % COLS == COLS - 1 ? '\n' : ' ');
}
