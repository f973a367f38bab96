/* Launches for ARC_CHECK=kernels, between calls as translated host code makes them; argv[1] names what the host computes. */
#include "check.h"
#include <string.h>

enum { length = 100, rows = 20, columns = 5, rounds = 3 };
static int a[rows][columns];

static const char *const shapes[] = {"5|4|i32@0*1:;", NULL, NULL};

/* p[i] += 1, of which the host makes what `own` does. */
static void compared(int *p, int count, void (*own)(int *, int), int async) {
  const arc_site *site = SITE("parallel loop");
  int value = 1;
  const arc_arg args[] = {{.name = "a", .host = p, .kind = ARC_ARG_BUFFER},
                          {.name = "value", .host = &value, .size = sizeof value, .kind = ARC_ARG_VALUE},
                          {.name = "count", .host = &count, .size = sizeof count, .kind = ARC_ARG_VALUE}};
  const int64_t trips[] = {count};
  const arc_launch_config config = {.async = async, .ntrips = 1, .trips = trips};
  void *reference = arc_reference_begin(site, "add", 3, args, shapes, 0);
  CHECK(!!reference == (getenv("ARC_CHECK") != NULL));
  if (reference) {
    own(p, count);
    arc_reference_take(reference);
  }
  arc_launch(site, "add", &config, 3, args);
  if (reference) arc_reference_compare(reference);
}

static void right(int *p, int count) {
  for (int i = 0; i < count; i++) p[i]++;
}
static void other(int *p, int count) {
  right(p, count);
  p[17] += 2;
  p[42]--;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "right";
  int *p = &a[0][0];
  const arc_item item = {.name = "a", .host = a, .size = sizeof a, .map = ARC_COPYIN};
  arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &item);
  for (int i = 0; i < length; i++) p[i] = 1000; /* the host's own, older or newer: a region sees the device's */
  for (int k = 0; k < rounds; k++) compared(p, length, strcmp(what, "other") == 0 ? other : right, k ? 2 : ARC_SYNC);
  if (strcmp(what, "not built for it") == 0) add(p, length, 1, ARC_SYNC);
  CHECK(p[17] == 1000);
  const arc_item back = {.name = "a", .host = a, .size = sizeof a, .map = ARC_COPYOUT};
  arc_wait(SITE("wait"), ARC_SYNC, 0, NULL);
  arc_exit_data(SITE("exit data"), ARC_SYNC, 1, &back);
  for (int i = 0; i < length; i++) CHECK(p[i] == rounds + (strcmp(what, "not built for it") == 0));
  printf("done\n");
  return 0;
}
