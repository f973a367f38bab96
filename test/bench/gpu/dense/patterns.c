/* Loops whose accesses cross, share rows, or choose their rows by an index, with OpenACC as one writes it down first. */
#include "patterns.h"

static void transpose(float (*restrict a)[SIDE], float (*restrict b)[SIDE]) {
#pragma acc parallel loop collapse(2) present(a[0:SIDE], b[0:SIDE])
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      b[j][i] = a[i][j];
}

static void softmax(float (*restrict a)[ROW], float (*restrict b)[ROW]) {
#pragma acc parallel loop present(a[0:SIDE], b[0:SIDE])
  for (int i = 0; i < SIDE; i++) {
    float most = -1e30f, sum = 0;
    for (int j = 0; j < ROW; j++)
      most = fmaxf(most, a[i][j]);
    for (int j = 0; j < ROW; j++) {
      b[i][j] = expf(a[i][j] - most);
      sum += b[i][j];
    }
    for (int j = 0; j < ROW; j++)
      b[i][j] /= sum;
  }
}

static void contract(float (*restrict a)[BLOCK][BLOCK], float (*restrict weights)[BLOCK], float (*restrict sums)[BLOCK][BLOCK]) {
#pragma acc parallel loop collapse(2) present(a[0:BLOCK], weights[0:BLOCK], sums[0:BLOCK])
  for (int r = 0; r < BLOCK; r++)
    for (int q = 0; q < BLOCK; q++) {
      for (int p = 0; p < BLOCK; p++) {
        sums[r][q][p] = 0;
        for (int s = 0; s < BLOCK; s++)
          sums[r][q][p] += a[r][q][s] * weights[s][p];
      }
      for (int p = 0; p < BLOCK; p++)
        a[r][q][p] = sums[r][q][p];
    }
}

static void pairs(const float *restrict x, const float *restrict y, float (*restrict counts)[BINS]) {
#pragma acc parallel loop present(x[0:PAIRS], y[0:PAIRS], counts[0:BINS])
  for (int i = 0; i < PAIRS; i++) {
    int p = (x[i] + 0.5f) * (BINS - 0.1f), q = (y[i] + 0.5f) * (BINS - 0.1f);
#pragma acc atomic
    counts[p][q] += 1;
  }
}

static void sweep(float (*restrict x)[SIDE], float (*restrict a)[SIDE]) {
#pragma acc parallel loop present(x[0:SIDE], a[0:SIDE])
  for (int i = 0; i < SIDE; i++)
    for (int j = 1; j < SIDE; j++)
      x[i][j] -= x[i][j - 1] * a[i][j] * 0.1f;
}

static void cells(const int (*restrict to)[FACES], const float (*restrict u)[VALUES], float (*restrict f)[VALUES]) {
#pragma acc parallel loop present(to[0:CELLS], u[0:CELLS], f[0:CELLS])
  for (int i = 0; i < CELLS; i++)
    for (int c = 0; c < VALUES; c++) {
      float sum = 0;
      for (int k = 0; k < FACES; k++)
        sum += 0.25f * (u[to[i][k]][c] - u[i][c]);
      f[i][c] = sum;
    }
}

/* Waits for the device before and after, so that a clock shows what is between. */
#define BEST(best, ...) \
  for (int run = 0; run <= RUNS; run++) { \
    _Pragma("acc wait") double start = milliseconds(); \
    __VA_ARGS__; \
    _Pragma("acc wait") double end = milliseconds(); \
    if (run > 0) \
      best = fmin(best, end - start); \
  }

int main(void) {
  size_t square = (size_t)SIDE * SIDE;
  double best[6] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  float *flat = make_numbers(square, 1), *turned = make_numbers(square, 2), *start = make_numbers(square, 2);
  float(*a)[SIDE] = (void *)flat, (*b)[SIDE] = (void *)turned;
#pragma acc data copyin(a[0:SIDE]) copy(b[0:SIDE])
  BEST(best[4], sweep(b, a))
  check_sweep(flat, turned, start, RUNS + 1);
#pragma acc data copyin(a[0:SIDE]) copyout(b[0:SIDE])
  BEST(best[0], transpose(a, b))
  check_transpose(flat, turned);

  float(*rows)[ROW] = (void *)flat, (*shares)[ROW] = (void *)turned;
#pragma acc data copyin(rows[0:SIDE]) copyout(shares[0:SIDE])
  BEST(best[1], softmax(rows, shares))
  check_softmax(flat, turned);

  float(*cube)[BLOCK][BLOCK] = (void *)make_numbers(BLOCK * BLOCK * BLOCK, 3), (*weights)[BLOCK] = (void *)make_numbers(BLOCK * BLOCK, 4);
  float(*sums)[BLOCK][BLOCK] = malloc(BLOCK * sizeof *sums), before[BLOCK];
#pragma acc data copy(cube[0:BLOCK]) copyin(weights[0:BLOCK]) copyout(sums[0:BLOCK])
  {
    BEST(best[2], contract(cube, weights, sums))
#pragma acc update self(cube[0:1])
    for (int s = 0; s < BLOCK; s++)
      before[s] = cube[0][0][s];
    contract(cube, weights, sums);
  }
  check_contract(before, weights[0], sums[0][0]);

  float *x = make_numbers(PAIRS, 5), *y = make_numbers(PAIRS, 77), (*counts)[BINS] = calloc(BINS, sizeof *counts);
#pragma acc data copyin(x[0:PAIRS], y[0:PAIRS]) copy(counts[0:BINS])
  BEST(best[3], pairs(x, y, counts))
  check_pairs(x, y, counts[0], RUNS + 1);

  const int(*to)[FACES] = (void *)make_neighbours();
  float(*u)[VALUES] = (void *)make_numbers((size_t)CELLS * VALUES, 6), (*f)[VALUES] = malloc(CELLS * sizeof *f);
#pragma acc data copyin(to[0:CELLS], u[0:CELLS]) copyout(f[0:CELLS])
  BEST(best[5], cells(to, (const float(*)[VALUES])u, f))
  check_cells(u[0], f[0]);

  static const char *const names[] = {"transpose", "softmax", "contract", "pairs", "sweep", "cells"};
  for (int k = 0; k < 6; k++)
    print_time(names[k], "openacc", best[k]);
  return 0;
}
