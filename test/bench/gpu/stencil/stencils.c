/* Stencils with OpenACC: heat in three dimensions, a blur, a wave, and the finite differences of FDTD. */
#include "stencils.h"

static void heat(const plane *restrict from, plane *restrict to) {
#pragma acc parallel loop collapse(3) present(from[0:CUBE], to[0:CUBE])
  for (int i = 1; i < CUBE - 1; i++)
    for (int j = 1; j < CUBE - 1; j++)
      for (int k = 1; k < CUBE - 1; k++)
        to[i][j][k] = 0.4f * from[i][j][k] + 0.1f * (from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] +
                                                     from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1]);
}

static void blur(const line *restrict from, line *restrict to) {
#pragma acc parallel loop collapse(2) present(from[0:SIDE], to[0:SIDE])
  for (int i = 2; i < SIDE - 2; i++)
    for (int j = 2; j < SIDE - 2; j++) {
      float sum = 0;
      for (int p = -2; p <= 2; p++)
        for (int q = -2; q <= 2; q++)
          sum += from[i + p][j + q];
      to[i][j] = sum * 0.04f;
    }
}

/* Eighth order in space: `to` holds the step before and gets the next. */
static void wave(const line *restrict now, line *restrict to, float past) {
  const float w0 = -2.84722f, w1 = 1.6f, w2 = -0.2f, w3 = 0.0253968f, w4 = -0.00178571f;
#pragma acc parallel loop collapse(2) present(now[0:SIDE], to[0:SIDE])
  for (int i = 4; i < SIDE - 4; i++)
    for (int j = 4; j < SIDE - 4; j++) {
      float sum = 2 * w0 * now[i][j] + w1 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) +
                  w2 * (now[i - 2][j] + now[i + 2][j] + now[i][j - 2] + now[i][j + 2]) +
                  w3 * (now[i - 3][j] + now[i + 3][j] + now[i][j - 3] + now[i][j + 3]) +
                  w4 * (now[i - 4][j] + now[i + 4][j] + now[i][j - 4] + now[i][j + 4]);
      to[i][j] = 2 * now[i][j] - past * to[i][j] + 0.1f * sum;
    }
}

static void fdtd(row *restrict ex, row *restrict ey, row *restrict hz) {
  for (int t = 0; t < STEPS; t++) {
#pragma acc parallel loop collapse(2) present(ey[0:FIELD], hz[0:FIELD])
    for (int i = 1; i < FIELD; i++)
      for (int j = 0; j < FIELD; j++)
        ey[i][j] -= 0.5f * (hz[i][j] - hz[i - 1][j]);
#pragma acc parallel loop collapse(2) present(ex[0:FIELD], hz[0:FIELD])
    for (int i = 0; i < FIELD; i++)
      for (int j = 1; j < FIELD; j++)
        ex[i][j] -= 0.5f * (hz[i][j] - hz[i][j - 1]);
#pragma acc parallel loop collapse(2) present(ex[0:FIELD], ey[0:FIELD], hz[0:FIELD])
    for (int i = 0; i < FIELD - 1; i++)
      for (int j = 0; j < FIELD - 1; j++)
        hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

int main(void) {
  size_t volume = (size_t)CUBE * CUBE * CUBE, area = (size_t)SIDE * SIDE, field = (size_t)FIELD * FIELD;
  plane *hot = (plane *)make(volume), *cold = (plane *)zeros(volume);
  line *image = (line *)make(area), *soft = (line *)zeros(area), *next = (line *)zeros(area);
  row *ex = (row *)zeros(field), *ey = (row *)zeros(field), *hz = (row *)make(field);
  double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
#pragma acc data copyin(hot[0:CUBE], image[0:SIDE], ex[0:FIELD], ey[0:FIELD]) \
    copy(cold[0:CUBE], soft[0:SIDE], next[0:SIDE], hz[0:FIELD])
  {
    for (int run = 0; run <= RUNS; run++) {
#pragma acc wait
      double start = milliseconds();
      heat(hot, cold);
#pragma acc wait
      double first = milliseconds();
      blur(image, soft);
#pragma acc wait
      double second = milliseconds();
      wave(image, next, 0);
#pragma acc wait
      double third = milliseconds();
      if (run == 0)
        continue;
      best[0] = fmin(best[0], first - start);
      best[1] = fmin(best[1], second - first);
      best[2] = fmin(best[2], third - second);
    }
    for (int run = 0; run < 2; run++) {
#pragma acc wait
      double start = milliseconds();
      fdtd(ex, ey, hz);
#pragma acc wait
      best[3] = fmin(best[3], milliseconds() - start);
    }
  }
  check_heat(hot, cold);
  check_blur(image, soft);
  check_wave(image, next);
  check_fdtd(hz, 2 * STEPS);
  print_time("heat", "openacc", best[0]);
  print_time("blur", "openacc", best[1]);
  print_time("wave", "openacc", best[2]);
  print_time("fdtd", "openacc", best[3]);
  return 0;
}
