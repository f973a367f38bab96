/* Edges of a grey image by Sobel's operator. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* A picture of rings on a slanted background, with some noise. */
static void draw(long rows, long columns, unsigned char *image) {
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < columns; j++) {
      long y = i - rows / 2, x = j - columns / 2;
      long ring = (x * x + y * y) / (rows + columns) % 64;
      unsigned noise = (unsigned)(i * 7919 + j * 104729) % 17;
      image[i * columns + j] = (unsigned char)(ring < 32 ? 150 + noise : (i + j) % 128 + noise);
    }
  }
}

/* Writes the strength of the edge at each interior pixel, 0 at the border. Returns how many pixels reach the
 * threshold. */
static long find_edges(long rows, long columns, const unsigned char *restrict image, unsigned char *restrict edges,
                       int threshold) {
  long count = 0;
#pragma acc parallel loop collapse(2) reduction(+:count) \
    present(image[0:rows * columns], edges[0:rows * columns])
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < columns; j++) {
      int strength = 0;
      if (i > 0 && i < rows - 1 && j > 0 && j < columns - 1) {
        const unsigned char *above = image + (i - 1) * columns + j;
        const unsigned char *here = above + columns, *below = here + columns;
        int across = above[1] + 2 * here[1] + below[1] - above[-1] - 2 * here[-1] - below[-1];
        int down = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
        strength = abs(across) + abs(down);
        if (strength > 255)
          strength = 255;
      }
      edges[i * columns + j] = (unsigned char)strength;
      if (strength >= threshold)
        count++;
    }
  }
  return count;
}

static void write_image(const char *path, long rows, long columns, const unsigned char *image) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  fprintf(file, "P2\n%ld %ld\n255\n", columns, rows);
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      fprintf(file, "%d%c", image[i * columns + j], j + 1 < columns ? ' ' : '\n');
  fclose(file);
}

int main(int argc, char **argv) {
  long rows = argc > 1 ? atol(argv[1]) : 2160;
  long columns = argc > 2 ? atol(argv[2]) : 3840;
  int threshold = argc > 3 ? atoi(argv[3]) : 100;
  if (rows < 0 || columns < 0 || threshold < 1) {
    fprintf(stderr, "usage: sobel [rows [columns [threshold [file]]]]\n");
    return 2;
  }
  long size = rows * columns;
  unsigned char *image = malloc(size + 1), *edges = malloc(size + 1);
  if (!image || !edges) {
    fprintf(stderr, "sobel: no memory for %ld x %ld pixels\n", rows, columns);
    return 1;
  }
  draw(rows, columns, image);

  long count;
  double start, elapsed;
#pragma acc data copyin(image[0:size]) copyout(edges[0:size])
  {
    start = seconds();
    count = find_edges(rows, columns, image, edges, threshold);
#pragma acc wait
    elapsed = seconds() - start;
  }

  long sum = 0;
  for (long p = 0; p < size; p++)
    sum += edges[p];
  printf("%ld of %ld pixels are edges, total strength %ld\n", count, size, sum);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 4)
    write_image(argv[4], rows, columns, edges);
  free(image);
  free(edges);
  return 0;
}
