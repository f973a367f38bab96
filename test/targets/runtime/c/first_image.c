/* A data region, then a launch of the region "say" if there is an argument. Says when it is where. */
#include "arcrt.h"
#include <stdio.h>

int main(int argc, char **argv) {
  static const arc_site site = {"first_image.c", 5, "data"};
  (void)argv;
  int x[4] = {0};
  const arc_item item = {.name = "x", .host = x, .size = sizeof x, .map = ARC_COPY};
  const arc_arg arg = {.name = "x", .host = x, .kind = ARC_ARG_BUFFER};
  const arc_launch_config config = {.async = ARC_SYNC};
  setvbuf(stdout, NULL, _IONBF, 0);
  puts("start");
  arc_data_begin(&site, ARC_SYNC, 1, &item);
  puts("data");
  if (argc > 1) arc_launch(&site, "say", &config, 1, &arg);
  arc_data_end(&site, ARC_SYNC, 1, &item);
  return 0;
}
