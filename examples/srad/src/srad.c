/* Speckle-reducing anisotropic diffusion: smooths the speckle of an ultrasound image but keeps its edges. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Tissue of two brightnesses under multiplicative speckle. */
static void draw(int rows, int columns, float *image) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      unsigned h = (unsigned)i * 2654435761u ^ (unsigned)j * 2246822519u;
      h = (h ^ h >> 15) * 2654435761u;
      float speckle = 0.7f + 0.6f * (h >> 8) / 16777216.0f;
      int inside = 4 * abs(i - rows / 2) < rows && 4 * abs(j - columns / 2) < columns;
      image[i * columns + j] = (inside ? 2.5f : 1.0f) * speckle;
    }
  }
}

/* The squared coefficient of variation of the whole image: how strong speckle is. */
static double speckle_scale(int size, const float *restrict image) {
  double sum = 0, squares = 0;
#pragma acc parallel loop reduction(+:sum, squares) present(image[0:size])
  for (int p = 0; p < size; p++) {
    sum += image[p];
    squares += (double)image[p] * image[p];
  }
  double mean = sum / size, variance = squares / size - mean * mean;
  return variance / (mean * mean);
}

/* The four differences to the neighbours (the border mirrors itself) and the coefficient of diffusion, which is
 * small where the image varies more than speckle explains. */
static void differences(int rows, int columns, float scale, const float *restrict image, float *restrict north,
                        float *restrict south, float *restrict west, float *restrict east, float *restrict coefficient) {
#pragma acc parallel loop collapse(2) \
    present(image[0:rows * columns], north[0:rows * columns], south[0:rows * columns]) \
    present(west[0:rows * columns], east[0:rows * columns], coefficient[0:rows * columns])
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      int p = i * columns + j;
      float here = image[p];
      float n = image[i > 0 ? p - columns : p] - here;
      float s = image[i < rows - 1 ? p + columns : p] - here;
      float w = image[j > 0 ? p - 1 : p] - here;
      float e = image[j < columns - 1 ? p + 1 : p] - here;
      float gradient = (n * n + s * s + w * w + e * e) / (here * here);
      float laplacian = (n + s + w + e) / here;
      float denominator = 1 + 0.25f * laplacian;
      float variation = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (denominator * denominator);
      float c = 1 / (1 + (variation - scale) / (scale * (1 + scale)));
      north[p] = n;
      south[p] = s;
      west[p] = w;
      east[p] = e;
      coefficient[p] = c < 0 ? 0 : c > 1 ? 1 : c;
    }
  }
}

static void diffuse(int rows, int columns, float rate, float *restrict image, const float *restrict north,
                    const float *restrict south, const float *restrict west, const float *restrict east,
                    const float *restrict coefficient) {
#pragma acc parallel loop collapse(2) \
    present(image[0:rows * columns], north[0:rows * columns], south[0:rows * columns]) \
    present(west[0:rows * columns], east[0:rows * columns], coefficient[0:rows * columns])
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      int p = i * columns + j;
      float here = coefficient[p];
      float below = coefficient[i < rows - 1 ? p + columns : p];
      float right = coefficient[j < columns - 1 ? p + 1 : p];
      float divergence = here * north[p] + below * south[p] + here * west[p] + right * east[p];
      image[p] += 0.25f * rate * divergence;
    }
  }
}

static void write_image(const char *path, int rows, int columns, const float *image) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      fprintf(file, "%.6g%c", image[i * columns + j], j + 1 < columns ? ' ' : '\n');
  fclose(file);
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 1024;
  int columns = argc > 2 ? atoi(argv[2]) : 1024;
  int iterations = argc > 3 ? atoi(argv[3]) : 50;
  const float rate = 0.5f;
  if (rows < 0 || columns < 0 || rows > 32768 || columns > 32768 || iterations < 0) {
    fprintf(stderr, "usage: srad [rows [columns [iterations [file]]]], rows and columns at most 32768\n");
    return 2;
  }
  int size = rows * columns;
  float *image = malloc((size + 1) * sizeof *image), *work = malloc((5 * (size_t)size + 5) * sizeof *work);
  if (!image || !work) {
    fprintf(stderr, "srad: no memory for %d x %d pixels\n", rows, columns);
    return 1;
  }
  float *north = work, *south = north + size, *west = south + size, *east = west + size, *coefficient = east + size;
  draw(rows, columns, image);

  double start, elapsed, scale = 0;
#pragma acc data copy(image[0:size]) \
    create(north[0:size], south[0:size], west[0:size], east[0:size], coefficient[0:size])
  {
    start = seconds();
    for (int k = 0; size > 0 && k < iterations; k++) {
      scale = speckle_scale(size, image);
      if (scale <= 0)
        break; /* a flat image cannot become smoother */
      differences(rows, columns, scale, image, north, south, west, east, coefficient);
      diffuse(rows, columns, rate, image, north, south, west, east, coefficient);
    }
#pragma acc wait
    elapsed = seconds() - start;
  }

  double sum = 0;
  for (int p = 0; p < size; p++)
    sum += image[p];
  printf("mean %.6g, speckle %.5g\n", size > 0 ? sum / size : 0, scale);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 4)
    write_image(argv[4], rows, columns, image);
  free(image);
  free(work);
  return 0;
}
