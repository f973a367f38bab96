// One loop under every combined construct, and under its parts one inside the other.
#include "../acc/check.h"
#include "programs.h"

#define N 1037

static int x[N], want[N];

static void clear(void) {
  for (int i = 0; i < N; i++)
    x[i] = -1, want[i] = 3 * i + 1;
}

static void compare(int line) {
  for (int i = 0; i < N; i++)
    expect_int(__FILE__, line, "x[i]", i, x[i], want[i]);
}

int combined_constructs(void) {
  clear();
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target teams distribute parallel for simd num_teams(7) thread_limit(32) map(from: x)
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target teams distribute simd
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target teams distribute
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target parallel for num_threads(64) schedule(static, 4)
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target parallel for simd
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target simd
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target teams loop
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target parallel loop order(concurrent)
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target map(tofrom: x)
  {
#pragma omp teams num_teams(5)
    {
#pragma omp distribute
      for (int b = 0; b < (N + 99) / 100; b++) {
        int last = b * 100 + 100 < N ? b * 100 + 100 : N;
#pragma omp parallel for
        for (int i = b * 100; i < last; i++)
          x[i] = 3 * i + 1;
      }
    }
  }
  compare(__LINE__);

  clear();
#pragma omp target teams
#pragma omp loop bind(teams)
  for (int b = 0; b < (N + 99) / 100; b++)
#pragma omp parallel for
    for (int i = b * 100; i < (b * 100 + 100 < N ? b * 100 + 100 : N); i++)
      x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target parallel
#pragma omp loop bind(parallel)
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);

  clear();
#pragma omp target teams distribute parallel for num_threads(4)
  for (int b = 0; b < (N + 99) / 100; b++) {
    int last = b * 100 + 100 < N ? b * 100 + 100 : N;
#pragma omp simd simdlen(8)
    for (int i = b * 100; i < last; i++)
      x[i] = 3 * i + 1;
  }
  compare(__LINE__);

  clear();
#pragma omp target
  for (int i = 0; i < N; i++)
    x[i] = 3 * i + 1;
  compare(__LINE__);
  return report();
}
