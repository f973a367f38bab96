/* Diffusion of a substance in a dish: each cell moves towards the mean of its neighbours. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Known when it is compiled: hardware that keeps rows of the dish has to know how long they are. */
#ifndef ROWS
#define ROWS 512
#endif
#ifndef COLUMNS
#define COLUMNS 512
#endif

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* One step of time from `dish` to `next`; cells on the rim stay as they are. */
static void diffuse(const float *restrict dish, float *restrict next) {
#pragma acc parallel loop collapse(2) present(dish[0:ROWS * COLUMNS], next[0:ROWS * COLUMNS])
#pragma openarc transform window(dish, next)
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      int c = i * COLUMNS + j;
      float value = dish[c];
      if (i > 0 && i < ROWS - 1 && j > 0 && j < COLUMNS - 1)
        value = 0.6f * dish[c] + 0.1f * (dish[c - COLUMNS] + dish[c + COLUMNS] + dish[c - 1] + dish[c + 1]);
      next[c] = value;
    }
  }
}

/* Two steps for each round, so that the result is in `dish` again. */
static void simulate(int rounds, float *dish, float *next) {
#pragma acc data present(dish[0:ROWS * COLUMNS], next[0:ROWS * COLUMNS])
  for (int r = 0; r < rounds; r++) {
    diffuse(dish, next);
    diffuse(next, dish);
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 50;
  if (rounds < 0) {
    fprintf(stderr, "usage: diffusion [rounds [file]]\n");
    return 2;
  }
  float *dish = malloc(ROWS * COLUMNS * sizeof *dish), *next = malloc(ROWS * COLUMNS * sizeof *next);
  if (!dish || !next) {
    fprintf(stderr, "diffusion: no memory for %d x %d cells\n", ROWS, COLUMNS);
    return 1;
  }
  /* Drops on a grid. */
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      dish[i * COLUMNS + j] = i % 64 == 32 && j % 96 == 48 ? 1000.0f : 0.0f;
#pragma acc data copy(dish[0:ROWS * COLUMNS]) create(next[0:ROWS * COLUMNS])
  {
    double start = seconds();
    simulate(rounds, dish, next);
    printf("time: %.6f s\n", seconds() - start);
  }
  double sum = 0, most = 0;
  for (int c = 0; c < ROWS * COLUMNS; c++) {
    sum += dish[c];
    most = dish[c] > most ? dish[c] : most;
  }
  printf("%d x %d cells after %d steps: %.6g in all, at most %.6g\n", ROWS, COLUMNS, 2 * rounds, sum, most);
  if (argc > 2) {
    FILE *file = fopen(argv[2], "w");
    if (!file) {
      perror(argv[2]);
      return 1;
    }
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++)
        fprintf(file, "%.7g%c", dish[i * COLUMNS + j], j + 1 < COLUMNS ? ' ' : '\n');
    fclose(file);
  }
  free(dish);
  free(next);
  return 0;
}
