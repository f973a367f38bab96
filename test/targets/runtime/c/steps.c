/* Runs the steps that argv[1] lists, for counting what each costs. */
#include "check.h"
#include <string.h>

enum { length = 1000 };
static int a[length];

static void region(int async) {
  const arc_item item = ITEM(COPY, a, length);
  arc_data_begin(SITE("data"), async, 1, &item);
  add(a, length, 1, async);
  arc_data_end(SITE("data"), async, 1, &item);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const arc_item item = ITEM(COPYIN, a, length), present = ITEM(COPY, a, length);
  for (char *step = strtok(argv[1], " "); step; step = strtok(NULL, " ")) {
    if (strcmp(step, "region") == 0) region(ARC_SYNC);
    if (strcmp(step, "async") == 0) region(1);
    if (strcmp(step, "inside") == 0) arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &item);
    if (strcmp(step, "nested") == 0) {
      arc_data_begin(SITE("data"), ARC_SYNC, 1, &present);
      arc_data_end(SITE("data"), ARC_SYNC, 1, &present);
    }
    /* Someone else's kernel would see the data: the stand-in's device memory is the host's to read. */
    if (strcmp(step, "foreign") == 0) {
      a[3] = 33;
      arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &item);
      CHECK(((int *)acc_deviceptr(a))[3] == 33);
      acc_delete(a, sizeof a);
      arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &item);
      CHECK(((int *)arc_use_device(SITE("host_data"), a, "a", 0))[3] == 33);
    }
    if (strcmp(step, "big") == 0) {
      void *big = acc_malloc(1048576 - 65536);
      CHECK(big);
      acc_free(big);
    }
  }
  acc_wait_all();
  return 0;
}
