/* What the programs of this folder stand on: a test returns the line of the first thing that is wrong, or 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef _OPENACC
#include <openacc.h>
#endif
#define TEST(name) int name(void)
#define CHECK(holds)                                                                                                   \
  do {                                                                                                                 \
    if (!(holds))                                                                                                      \
      return __LINE__;                                                                                                 \
  } while (0)
