/* The steady heat of a plate: Jacobi's iteration with the 5-point stencil. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Each interior point of `next` becomes the mean of its four neighbours. Returns the largest change. */
static float relax(long rows, long columns, float now[rows][columns], float next[rows][columns]) {
  float change = 0;
#pragma acc parallel loop collapse(2) reduction(max:change) present(now[0:rows][0:columns], next[0:rows][0:columns])
  for (long i = 1; i < rows - 1; i++) {
    for (long j = 1; j < columns - 1; j++) {
      next[i][j] = 0.25f * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
      float difference = next[i][j] > now[i][j] ? next[i][j] - now[i][j] : now[i][j] - next[i][j];
      change = difference > change ? difference : change;
    }
  }
  return change;
}

static void copy_interior(long rows, long columns, float from[rows][columns], float to[rows][columns]) {
#pragma acc parallel loop collapse(2) present(from[0:rows][0:columns], to[0:rows][0:columns])
  for (long i = 1; i < rows - 1; i++)
    for (long j = 1; j < columns - 1; j++)
      to[i][j] = from[i][j];
}

static void write_plate(const char *path, long rows, long columns, float plate[rows][columns]) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      fprintf(file, "%.7g%c", plate[i][j], j + 1 < columns ? ' ' : '\n');
  fclose(file);
}

int main(int argc, char **argv) {
  long rows = argc > 1 ? atol(argv[1]) : 2048;
  long columns = argc > 2 ? atol(argv[2]) : rows;
  int iterations = argc > 3 ? atoi(argv[3]) : 100;
  if (rows < 1 || columns < 1 || iterations < 0) {
    fprintf(stderr, "usage: jacobi [rows [columns [iterations [file]]]]\n");
    return 2;
  }
  float(*plate)[columns] = malloc(rows * sizeof *plate), (*next)[columns] = malloc(rows * sizeof *next);
  if (!plate || !next) {
    fprintf(stderr, "jacobi: no memory for %ld x %ld points\n", rows, columns);
    return 1;
  }
  /* Hot on the upper edge, warmer to the right on the lower one, cold elsewhere. */
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      plate[i][j] = i == 0 ? 100 : i == rows - 1 ? 50.0f * j / columns : 0;

  float change = 0;
  double start, elapsed;
#pragma acc data copy(plate[0:rows][0:columns]) create(next[0:rows][0:columns])
  {
    start = seconds();
    for (int k = 0; k < iterations; k++) {
      change = relax(rows, columns, plate, next);
      copy_interior(rows, columns, next, plate);
    }
#pragma acc wait
    elapsed = seconds() - start;
  }

  double heat = 0;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      heat += plate[i][j];
  printf("mean %.8g after %d iterations, last change %.6g\n", heat / ((double)rows * columns), iterations, change);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 4)
    write_plate(argv[4], rows, columns, plate);
  free(plate);
  free(next);
  return 0;
}
