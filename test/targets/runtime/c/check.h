/* check.h: what the test programs share. */
#ifndef CHECK_H
#define CHECK_H
#include "arcrt.h"
#include <stddef.h>
#include <stdint.h>
#include "openacc.h"
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      exit(2);                                                     \
    }                                                              \
  } while (0)

#define SITE(text) (&(const arc_site){__FILE__, __LINE__, text})
#define ITEM(kind, array, count)                                                             \
  {                                                                                          \
    .name = #array "[0:" #count "]", .host = array, .size = (size_t)(count) * sizeof *array, \
    .map = ARC_##kind                                                                        \
  }

/* The runtime's own: whether all of it was mapped, also where the device shares the memory. */
int arc_is_mapped(const void *host, size_t);

/* p[i] += value for i below count, on a queue. */
static inline void add(int *p, int count, int value, int async) {
  const int64_t trips[] = {count};
  const arc_launch_config config = {.async = async, .ntrips = 1, .trips = trips};
  const arc_arg args[] = {{.name = "p", .host = p, .kind = ARC_ARG_BUFFER},
                          {.name = "value", .host = &value, .size = sizeof value, .kind = ARC_ARG_VALUE},
                          {.name = "count", .host = &count, .size = sizeof count, .kind = ARC_ARG_VALUE}};
  arc_launch(SITE("parallel loop"), "add", &config, 3, args);
}

#endif
