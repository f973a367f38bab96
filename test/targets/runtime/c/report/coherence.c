/* Programs for ARC_CHECK=transfers: argv[1] names one. */
#include "check.h"
#include <string.h>

enum { length = 100, rounds = 3 };
static int a[length], b[length];

static void update(enum arc_map map) {
  const arc_item item = {.name = "a[0:n]", .host = a, .size = sizeof a, .map = (uint16_t)map};
  arc_update(SITE("update"), ARC_SYNC, 1, &item);
}

/* A compute construct with both arrays, which changes one. */
static void construct(int *changed, enum arc_map map_a, enum arc_map map_b) {
  static const arc_site site = {"listing.c", 5, "parallel loop"};
  const arc_item items[] = {{.name = "a[0:n]", .host = a, .size = sizeof a, .map = (uint16_t)map_a},
                            {.name = "b[0:n]", .host = b, .size = sizeof b, .map = (uint16_t)map_b}};
  arc_data_begin(&site, ARC_SYNC, 2, items);
  add(changed, length, 1, ARC_SYNC);
  arc_data_end(&site, ARC_SYNC, 2, items);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "each kernel copies all") == 0) {
    for (int k = 0; k < rounds; k++) {
      construct(a, ARC_COPY, ARC_COPY);
      construct(b, ARC_COPY, ARC_COPY);
    }
    return 0;
  }
  if (strcmp(what, "one data region") == 0) {
    const arc_item items[] = {{.name = "a[0:n]", .host = a, .size = sizeof a, .map = ARC_CREATE},
                              {.name = "b[0:n]", .host = b, .size = sizeof b, .map = ARC_COPY}};
    arc_data_begin(SITE("data"), ARC_SYNC, 2, items);
    for (int k = 0; k < rounds; k++) {
      construct(a, ARC_PRESENT, ARC_PRESENT);
      construct(b, ARC_PRESENT, ARC_PRESENT);
    }
    arc_data_end(SITE("data"), ARC_SYNC, 2, items);
    return 0;
  }
  const arc_item in = {.name = "a[0:n]", .host = a, .size = sizeof a, .map = ARC_COPYIN};
  if (strcmp(what, "lost result") == 0) {
    arc_data_begin(SITE("data"), ARC_SYNC, 1, &in);
    add(a, length, 1, ARC_SYNC);
    arc_data_end(SITE("data"), ARC_SYNC, 1, &in);
    return 0;
  }
  if (strcmp(what, "copyout of nothing") == 0) {
    const arc_item out = {.name = "a[0:n]", .host = a, .size = sizeof a, .map = ARC_COPYOUT};
    arc_data_begin(SITE("data"), ARC_SYNC, 1, &out);
    arc_data_end(SITE("data"), ARC_SYNC, 1, &out);
    return 0;
  }
  arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &in);
  if (strcmp(what, "update of what is there") == 0) {
    update(ARC_UPDATE_DEVICE);
  } else if (strcmp(what, "stale kernel") == 0) {
    a[7] = 1;
    add(a, length, 1, ARC_SYNC);
  } else if (strcmp(what, "stale device") == 0) {
    a[7] = 1;
    update(ARC_UPDATE_SELF);
  } else if (strcmp(what, "stale host") == 0) {
    add(a, length, 1, ARC_SYNC);
    update(ARC_UPDATE_DEVICE);
  } else if (strcmp(what, "right") == 0) {
    for (int k = 0; k < rounds; k++) {
      a[k] = 10 * k + 5;
      update(ARC_UPDATE_DEVICE);
      add(a, length, 1, ARC_SYNC);
      update(ARC_UPDATE_SELF);
    }
  }
  acc_delete(a, sizeof a);
  return 0;
}
