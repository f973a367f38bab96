// Directives and data regions move one count: the exit inside a data region is the last reference, and copies.
#include "../acc/check.h"
#include "programs.h"

#define N 203

int one_count(void) {
  int counted[N] = {0};
#pragma omp target data map(to: counted)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      counted[i] = i;
#pragma omp target exit data map(from: counted)
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, counted[i], i);
  return report();
}
