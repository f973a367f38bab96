/* What a task costs: the same programs for arc's runtime and for gcc's. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 1024, TASKS = 200000 };

static double cells[CELLS + 4];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints the shorter of two runs' nanoseconds for a task: of its creation, and until it is complete. */
static void report(const char *name, void (*create)(void), void (*wait)(void)) {
  double created = 1e9, complete = 1e9;
  for (int run = 0; run < 5; run++) {
    double start = now();
    create();
    double middle = now();
    wait();
    double end = now();
    if (middle - start < created) created = middle - start;
    if (end - start < complete) complete = end - start;
  }
  printf("%s %.0f %.0f\n", name, created / TASKS * 1e9, complete / TASKS * 1e9);
}
