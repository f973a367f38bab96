/* Edges of a camera's picture by Sobel's operator, 640 pixels wide, as a pipeline that takes a pixel per clock. */
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 640
#ifndef HEIGHT
#define HEIGHT 480
#endif

static void find_edges(const unsigned char *restrict image, unsigned char *restrict edges) {
#pragma acc parallel loop collapse(2) copyin(image[0:HEIGHT * WIDTH]) copyout(edges[0:HEIGHT * WIDTH])
#pragma openarc transform window(image, edges)
  for (int i = 0; i < HEIGHT; i++) {
    for (int j = 0; j < WIDTH; j++) {
      int x = i * WIDTH + j;
      int strength = 0;
      if (i > 0 && i < HEIGHT - 1 && j > 0 && j < WIDTH - 1) {
        int across = image[x - WIDTH + 1] + 2 * image[x + 1] + image[x + WIDTH + 1] - image[x - WIDTH - 1] -
                     2 * image[x - 1] - image[x + WIDTH - 1];
        int down = image[x + WIDTH - 1] + 2 * image[x + WIDTH] + image[x + WIDTH + 1] - image[x - WIDTH - 1] -
                   2 * image[x - WIDTH] - image[x - WIDTH + 1];
        strength = abs(across) + abs(down);
        if (strength > 255)
          strength = 255;
      }
      edges[x] = (unsigned char)strength;
    }
  }
}

/* A picture of rings on a slanted background. */
static void draw(unsigned char *image) {
  for (int i = 0; i < HEIGHT; i++) {
    for (int j = 0; j < WIDTH; j++) {
      int y = i - HEIGHT / 2, x = j - WIDTH / 2;
      int ring = (x * x + y * y) / (WIDTH + HEIGHT) % 64;
      image[i * WIDTH + j] = (unsigned char)(ring < 32 ? 150 : (i + j) % 128);
    }
  }
}

int main(void) {
  unsigned char *image = malloc(HEIGHT * WIDTH), *edges = malloc(HEIGHT * WIDTH);
  if (!image || !edges)
    return 1;
  draw(image);
  find_edges(image, edges);
  long sum = 0, strong = 0;
  for (int p = 0; p < HEIGHT * WIDTH; p++) {
    sum = (sum * 31 + edges[p]) % 1000003;
    strong += edges[p] >= 100;
  }
  printf("%ld of %d pixels are edges, checksum %ld\n", strong, HEIGHT * WIDTH, sum);
  free(image);
  free(edges);
  return 0;
}
