/*
 * Two regions that run together, inside a data region: "give" adds to x from a value that the program changes
 * right after its launch, "take" comes last. argv[1]: rounds. Prints x, y. With "alone" as argv[2], "take" is
 * launched without its partner.
 */
#include "arcrt.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  static const arc_site site = {"together.c", 9, "serial loop"};
  int x[64] = {0}, y[64] = {0};
  const arc_item items[] = {{.name = "x", .host = x, .size = sizeof x, .map = ARC_COPY},
                            {.name = "y", .host = y, .size = sizeof y, .map = ARC_COPY}};
  const arc_launch_config config = {.async = ARC_SYNC};
  arc_data_begin(&site, ARC_SYNC, 2, items);
  for (int round = 0; round < atoi(argv[1]); round++) {
    int value = round + 1;
    const arc_arg give[] = {{.name = "x", .host = x, .kind = ARC_ARG_BUFFER},
                            {.name = "value", .host = &value, .size = sizeof value, .kind = ARC_ARG_VALUE}};
    const arc_arg take[] = {{.name = "y", .host = y, .kind = ARC_ARG_BUFFER}};
    if (argc < 3 || strcmp(argv[2], "alone") != 0) arc_launch(&site, "give", &config, 2, give);
    value = -100;
    arc_launch(&site, "take", &config, 1, take);
  }
  arc_data_end(&site, ARC_SYNC, 2, items);
  printf("%d %d\n", x[0], y[0]);
  return 0;
}
