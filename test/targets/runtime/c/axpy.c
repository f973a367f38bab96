/* y += a * x in a data region and a compute region, as translated host code does it. argv[1]: n. */
#include "arcrt.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  float a = 2.5f, *x = malloc(n * sizeof *x + 1), *y = malloc(n * sizeof *y + 1);
  for (size_t i = 0; i < n; i++) {
    x[i] = (float)i;
    y[i] = 1.0f;
  }
  static const arc_site site = {"axpy.c", 12, "parallel loop"};
  const arc_item items[] = {{.name = "x[0:n]", .host = x, .size = n * sizeof *x, .map = ARC_COPYIN},
                            {.name = "y[0:n]", .host = y, .size = n * sizeof *y, .map = ARC_COPY}};
  const int64_t trips[] = {(int64_t)n};
  int count = (int)n;
  const arc_launch_config config = {.async = ARC_SYNC, .ntrips = 1, .trips = trips};
  const arc_arg args[] = {{.name = "x", .host = x, .kind = ARC_ARG_BUFFER},
                          {.name = "y", .host = y, .kind = ARC_ARG_BUFFER},
                          {.name = "a", .host = &a, .size = sizeof a, .kind = ARC_ARG_VALUE},
                          {.name = "n", .host = &count, .size = sizeof count, .kind = ARC_ARG_VALUE}};
  arc_data_begin(&site, ARC_SYNC, 2, items);
  arc_launch(&site, "axpy", &config, 4, args);
  arc_data_end(&site, ARC_SYNC, 2, items);
  for (size_t i = 0; i < n; i++) {
    if (y[i] == 1.0f + 2.5f * (float)i) continue;
    printf("y[%zu] = %g\n", i, y[i]);
    return 1;
  }
  printf("%zu right\n", n);
  free(x);
  free(y);
}
