/*
 * One region, called as the arguments say: launch REGION NARGS TRIPS [SIZE]. Every argument is the same
 * array of SIZE bytes (default 4096), mapped by copy. Prints the sum of its bytes.
 */
#include "arcrt.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static const arc_site site = {"launch.c", 7, "parallel"};
  size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  size_t size = argc > 4 ? strtoul(argv[4], NULL, 10) : 4096;
  unsigned char *data = calloc(1, size);
  arc_arg args[8];
  for (size_t i = 0; i < n; i++) args[i] = (arc_arg){.name = "data", .host = data, .kind = ARC_ARG_BUFFER};
  const int64_t trips[] = {argc > 3 ? strtol(argv[3], NULL, 10) : 1};
  const arc_launch_config config = {.async = ARC_SYNC, .ntrips = 1, .trips = trips};
  const arc_item item = {.name = "data[0:size]", .host = data, .size = size, .map = ARC_COPY};
  arc_data_begin(&site, ARC_SYNC, 1, &item);
  arc_launch(&site, argc > 1 ? argv[1] : "region", &config, n, args);
  arc_data_end(&site, ARC_SYNC, 1, &item);
  long sum = 0;
  for (size_t i = 0; i < size; i++) sum += data[i];
  printf("%ld\n", sum);
  free(data);
  return 0;
}
