/* The stencil of examples/hotspot, again and again: `hotspot [rows [columns [seconds]]]`. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static const float ambient = 80.0f; /* degrees */

/* What one step of time adds to a cell per degree of difference, and per watt. */
typedef struct {
  float along_rows, along_columns, to_air, per_watt;
} Conduction;

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

enum { ROUND = 100 };

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 512, columns = argc > 2 ? atoi(argv[2]) : 512;
  double limit = argc > 3 ? atof(argv[3]) : 0, begin, end;
  const Conduction k = {0.11f, 0.13f, 0.002f, 0.9f};
  int size = rows * columns;
  float *t = malloc(sizeof *t * size), *next = calloc(sizeof *next, size), *power = malloc(sizeof *power * size);
  for (int c = 0; c < size; c++) {
    power[c] = (c & 15) == 5 ? 0.2f : 0.01f;
    t[c] = ambient + 0.5f * ((c * 17) & 7);
  }
  /* One step from the same state, so that the result is the same however often it is taken. */
#pragma acc data copyin(power[0:size], t[0:size]) copy(next[0:size])
  {
    begin = seconds();
    do {
      for (int r = 0; r < ROUND; r++)
        step(rows, columns, k, power, t, next);
#pragma acc wait
    } while ((end = seconds()) < begin + limit);
  }
  double sum = 0;
  for (int c = 0; c < size; c++)
    sum += next[c] * (double)(c % 5 + 1);
  printf("%.6g\nbusy: %.6f %.6f\n", sum, begin, end);
  return 0;
}
