#include <stdio.h>
#include <stdlib.h>

/* -DATOMS, -DREFLECTIONS: smaller kernels, for processors; multiples of 128. */
#ifndef ATOMS
#define ATOMS 1024
#endif
#ifndef REFLECTIONS
#define REFLECTIONS 4096
#endif
enum { NA = ATOMS, NR = REFLECTIONS, GROUP = 128, TASKS = 10000 };

static float *atoms, *reflections, *factors;

static void fill(void) {
  atoms = malloc(4L * NA * sizeof *atoms);
  reflections = malloc(3L * NR * TASKS * sizeof *reflections);
  factors = malloc((long)NR * TASKS * sizeof *factors);
  for (long i = 0; i < 4L * NA; i++) atoms[i] = (float)(i % 97) / 97;
  for (long i = 0; i < 3L * NR * TASKS; i++) reflections[i] = (float)(i % 31);
}

static void report(const char *what, double took) {
  double sum = 0;
  for (long i = 0; i < (long)NR * TASKS; i += 1009) sum += factors[i];
  printf("krist, %s: %.2f us a kernel, %.6g\n", what, took / TASKS * 1e6, sum);
}
