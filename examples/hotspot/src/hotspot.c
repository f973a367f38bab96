/* The temperature of a chip over time: heat flows between cells, to the air above, and from the power they draw. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const float ambient = 80.0f; /* degrees */

/* What one step of time adds to a cell per degree of difference, and per watt. */
typedef struct {
  float along_rows, along_columns, to_air, per_watt;
} Conduction;

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* One step of time from `t` to `next`. A cell at an edge or corner has fewer neighbours to exchange heat with. */
static void step(int rows, int columns, Conduction k, const float *restrict power, const float *restrict t,
                 float *restrict next) {
#pragma acc parallel loop collapse(2) \
    present(power[0:rows * columns], t[0:rows * columns], next[0:rows * columns])
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      int c = i * columns + j;
      float flow;
      if (i == 0 && j == 0) /* corners */
        flow = (t[c + 1] - t[c]) * k.along_rows + (t[c + columns] - t[c]) * k.along_columns;
      else if (i == 0 && j == columns - 1)
        flow = (t[c - 1] - t[c]) * k.along_rows + (t[c + columns] - t[c]) * k.along_columns;
      else if (i == rows - 1 && j == 0)
        flow = (t[c + 1] - t[c]) * k.along_rows + (t[c - columns] - t[c]) * k.along_columns;
      else if (i == rows - 1 && j == columns - 1)
        flow = (t[c - 1] - t[c]) * k.along_rows + (t[c - columns] - t[c]) * k.along_columns;
      else if (i == 0) /* edges */
        flow = (t[c + 1] + t[c - 1] - 2 * t[c]) * k.along_rows + (t[c + columns] - t[c]) * k.along_columns;
      else if (i == rows - 1)
        flow = (t[c + 1] + t[c - 1] - 2 * t[c]) * k.along_rows + (t[c - columns] - t[c]) * k.along_columns;
      else if (j == 0)
        flow = (t[c + 1] - t[c]) * k.along_rows + (t[c + columns] + t[c - columns] - 2 * t[c]) * k.along_columns;
      else if (j == columns - 1)
        flow = (t[c - 1] - t[c]) * k.along_rows + (t[c + columns] + t[c - columns] - 2 * t[c]) * k.along_columns;
      else
        flow = (t[c + 1] + t[c - 1] - 2 * t[c]) * k.along_rows +
               (t[c + columns] + t[c - columns] - 2 * t[c]) * k.along_columns;
      next[c] = t[c] + flow + (ambient - t[c]) * k.to_air + power[c] * k.per_watt;
    }
  }
}

/* Advances by `steps`; the result is in `t`. */
static void simulate(int rows, int columns, int steps, const float *power, float *t, float *next) {
  const Conduction k = {0.11f, 0.13f, 0.002f, 0.9f};
  int size = rows * columns;
#pragma acc data present(power[0:size], t[0:size], next[0:size])
  {
    for (int s = 0; s + 1 < steps; s += 2) {
      step(rows, columns, k, power, t, next);
      step(rows, columns, k, power, next, t);
    }
    if (steps % 2) {
      step(rows, columns, k, power, t, next);
#pragma acc parallel loop
      for (int c = 0; c < size; c++)
        t[c] = next[c];
    }
  }
}

static void write_temperatures(const char *path, int rows, int columns, const float *t) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      fprintf(file, "%.7g%c", t[i * columns + j], j + 1 < columns ? ' ' : '\n');
  fclose(file);
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 1024;
  int columns = argc > 2 ? atoi(argv[2]) : 1024;
  int steps = argc > 3 ? atoi(argv[3]) : 100;
  if (rows < 2 || columns < 2 || rows > 32768 || columns > 32768 || steps < 0) {
    fprintf(stderr, "usage: hotspot [rows [columns [steps [file]]]], rows and columns from 2 to 32768\n");
    return 2;
  }
  int size = rows * columns;
  float *t = malloc(size * sizeof *t), *next = malloc(size * sizeof *next), *power = malloc(size * sizeof *power);
  if (!t || !next || !power) {
    fprintf(stderr, "hotspot: no memory for %d x %d cells\n", rows, columns);
    return 1;
  }
  /* A busy block in the upper left quarter, a few hot rows, idle elsewhere. */
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      int busy = i > rows / 8 && i < rows / 3 && j > columns / 8 && j < columns / 2;
      power[i * columns + j] = busy ? 0.8f : i % 16 == 5 ? 0.2f : 0.01f;
      t[i * columns + j] = ambient + 0.5f * ((i * 31 + j * 17) % 8);
    }

  double start, elapsed;
#pragma acc data copyin(power[0:size]) copy(t[0:size]) create(next[0:size])
  {
    start = seconds();
    simulate(rows, columns, steps, power, t, next);
#pragma acc wait
    elapsed = seconds() - start;
  }

  double sum = 0;
  float hottest = t[0];
  for (int c = 0; c < size; c++) {
    sum += t[c];
    hottest = t[c] > hottest ? t[c] : hottest;
  }
  printf("mean %.7g, hottest %.7g after %d steps\n", sum / size, hottest, steps);
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 4)
    write_temperatures(argv[4], rows, columns, t);
  free(t);
  free(next);
  free(power);
  return 0;
}
