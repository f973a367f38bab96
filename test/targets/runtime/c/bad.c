/* Programs that go wrong: argv[1] says how. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <signal.h>
#include <stdbool.h>
#include <string.h>

enum { length = 64 };
static int temperature[length], other[length];

/* A handler that is gone once it has run: the second thread of a kernel that crashes kills the program at once. */
static bool answered_once(void) {
  struct sigaction action;
  sigaction(SIGSEGV, NULL, &action);
  return action.sa_flags & SA_RESETHAND;
}

static void at_exit(void) { puts("exit handlers ran"); }

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  static const arc_site data = {"heat.c", 31, "data"}, loop = {"heat.c", 40, "parallel loop"};
  atexit(at_exit);
  if (getenv("TYPE")) acc_set_device_type((acc_device_t)atoi(getenv("TYPE")));
  const arc_item there = {.name = "other[0:64]", .host = other, .size = sizeof other, .map = ARC_COPYIN};
  arc_enter_data(&data, ARC_SYNC, 1, &there);
  arc_item item = {
      .name = "temperature[0:n]", .host = temperature, .size = sizeof temperature, .map = ARC_PRESENT};
  if (strcmp(how, "absent") == 0) {
    arc_data_begin(&loop, ARC_SYNC, 1, &item);
  } else if (strcmp(how, "absent-update") == 0) {
    item.map = ARC_UPDATE_SELF;
    arc_update(&loop, ARC_SYNC, 1, &item);
  } else if (strcmp(how, "overlap") == 0) {
    item.name = "other[32:64]";
    item.host = other + length / 2;
    item.map = ARC_COPY;
    arc_data_begin(&loop, ARC_SYNC, 1, &item);
  } else if (strcmp(how, "two-sections") == 0) {
    /* Sections through one pointer, and then the pointer alone. */
    arc_item parts[] = {item, item};
    for (int i = 0; i < 2; i++) {
      parts[i].name = i ? "temperature[24:8]" : "temperature[8:8]";
      parts[i].host = temperature + (i ? 24 : 8);
      parts[i].size = 8 * sizeof *temperature;
      parts[i].map = ARC_COPYIN;
      parts[i].flags = ARC_ONE_COUNT | ARC_BASED;
      parts[i].pointer = (void **)(void *)temperature;
    }
    arc_enter_data(&data, ARC_SYNC, 2, parts);
    item.name = "temperature";
    item.map = ARC_COPY;
    item.flags = ARC_IMPLICIT | ARC_PLACE | ARC_ONE_COUNT;
    arc_data_begin(&loop, ARC_SYNC, 1, &item);
  } else if (strcmp(how, "huge") == 0) {
    item.size = (size_t)1 << 46;
    item.map = ARC_CREATE;
    arc_data_begin(&loop, ARC_SYNC, 1, &item);
  } else if (strcmp(how, "queue") == 0) {
    arc_data_begin(&loop, -7, 0, NULL);
  } else if (strcmp(how, "default-queue") == 0) {
    acc_set_default_async(-7);
  } else if (strcmp(how, "free") == 0) {
    acc_free(other);
  } else if (strncmp(how, "removed", strlen("removed")) == 0) {
    static const arc_site out = {"heat.c", 50, "exit data"};
    const int three = 3, four = 4;
    item = there;
    item.map = ARC_UPDATE_DEVICE;
    arc_update(&loop, 3, 1, &item);
    item.map = ARC_DELETE;
    if (strcmp(how, "removed-behind") == 0) arc_wait(&loop, 4, 1, &three);
    if (strcmp(how, "removed-awaited") == 0) {
      arc_wait(&loop, 4, 1, &three);
      arc_wait(&loop, ARC_SYNC, 1, &four);
    }
    arc_exit_data(&out, strcmp(how, "removed-behind") == 0 ? 4 : ARC_SYNC, 1, &item);
  } else if (strcmp(how, "null") == 0) {
    item.host = NULL;
    item.map = ARC_COPY;
    arc_data_begin(&loop, ARC_SYNC, 1, &item);
    arc_data_end(&loop, ARC_SYNC, 1, &item);
  } else {
    int size = argc > 2 ? atoi(argv[2]) : length;
    const int64_t trips[] = {size};
    const arc_launch_config config = {.async = ARC_SYNC, .ntrips = 1, .trips = trips};
    const arc_arg args[] = {{.name = "other", .host = other, .kind = ARC_ARG_BUFFER}};
    arc_launch(&loop, how, &config, 1, args);
    if (answered_once()) puts("only the first crash is answered");
  }
  puts("done");
  return 0;
}
