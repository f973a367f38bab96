// A clock in regions, and exit: the argument is the status.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
static void leave(int status) { exit(status); }
#pragma omp end declare target

int main(int argc, char **argv) {
  double within = 0, tick = 0, last = 0;
  int status = atoi(argv[argc - 1]);
  const double before = omp_get_wtime();
#pragma omp target map(from: within, tick)
  {
    const double first = omp_get_wtime();
    within = omp_get_wtime() - first;
    tick = omp_get_wtick();
  }
#pragma omp target map(from: last)
  last = omp_get_wtime();
  printf("%d %d %d\n", within >= 0 && within < 1, tick > 0 && tick < 1, last >= before && last - before < 60);
#pragma omp target
  {
    if (status > 0) leave(status);
  }
  return 0;
}
