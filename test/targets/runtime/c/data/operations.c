/*
 * Carries out data directives read from stdin, on four arrays of 16 ints, and prints what host and device
 * hold: one line per operation. Arrays lie in one block, so sections of neighbours can touch.
 *
 *   enter|exit|begin MAP ARRAY LOW COUNT [finalize|zero|place] [once] [member]   MAP as in a clause; place:
 *                                                          of no known size; once: one reference count, OpenMP's;
 *                                                          member: the array is a structure, and this is a part
 *   also MAP ARRAY LOW COUNT ...                           one more item, in front, of the next of these
 *   end                                                    the last begin that is open
 *   update self|device ARRAY LOW COUNT
 *   set ARRAY INDEX VALUE                                  on the host
 *   add ARRAY LOW COUNT VALUE                              a kernel
 *   show                                                   P or - for each element, then the host's values
 */
#include "arcrt.h"
#include <stdint.h>
#include "openacc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { arrays = 4, length = 16, deepest = 64, widest = 8 };
static int block[arrays * length];
static const arc_site site = {"operations", 1, "test"};

static int *element(int array, int index) { return block + array * length + index; }

static uint16_t map_named(const char *name) {
  static const struct {
    const char *name;
    uint16_t map;
  } maps[] = {{"copy", ARC_COPY},     {"copyin", ARC_COPYIN},    {"copyout", ARC_COPYOUT},
              {"create", ARC_CREATE}, {"present", ARC_PRESENT},  {"no_create", ARC_NO_CREATE},
              {"delete", ARC_DELETE}, {"self", ARC_UPDATE_SELF}, {"device", ARC_UPDATE_DEVICE}};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    if (strcmp(maps[i].name, name) == 0) return maps[i].map;
  abort();
}

static arc_item read_item(void) {
  static char names[4096][32];
  static int next;
  char map[32], rest[64];
  int array, low, count;
  if (scanf("%31s %d %d %d", map, &array, &low, &count) != 4 || !fgets(rest, sizeof rest, stdin)) abort();
  char *name = names[next++ % 4096];
  snprintf(name, sizeof names[0], "%c[%d:%d]", "abcd"[array % arrays], low, count);
  return (arc_item){.name = name,
                    .host = element(array, low),
                    .size = strstr(rest, "place") ? 0 : (size_t)count * sizeof(int),
                    .map = map_named(map),
                    .flags = (uint16_t)((strstr(rest, "finalize") ? ARC_FINALIZE : 0) |
                                        (strstr(rest, "once") ? ARC_ONE_COUNT : 0) |
                                        (strstr(rest, "place") ? ARC_PLACE : 0) |
                                        (strstr(rest, "zero") ? ARC_ZERO : 0)),
                    .structure = strstr(rest, "member") ? element(array, 0) : NULL};
}

struct directive {
  size_t count;
  arc_item items[widest];
};

/* The items that were read since the directive before. */
static struct directive next;

static void also(void) {
  if (next.count == widest) abort();
  next.items[next.count++] = read_item();
}

static struct directive read_directive(void) {
  also();
  struct directive directive = next;
  next.count = 0;
  return directive;
}

static void add(void) {
  int array, low, count, value;
  if (scanf("%d %d %d %d", &array, &low, &count, &value) != 4) abort();
  const int64_t trips[] = {count};
  const arc_launch_config config = {.async = ARC_SYNC, .ntrips = 1, .trips = trips};
  const arc_arg args[] = {{.name = "p", .host = element(array, low), .kind = ARC_ARG_BUFFER},
                          {.name = "value", .host = &value, .size = sizeof value, .kind = ARC_ARG_VALUE}};
  arc_launch(&site, "add", &config, 2, args);
}

static void show(void) {
  for (int i = 0; i < arrays * length; i++) putchar(acc_is_present(&block[i], sizeof(int)) ? 'P' : '-');
  for (int i = 0; i < arrays * length; i++) printf(" %d", block[i]);
  putchar('\n');
}

int main(void) {
  struct directive open[deepest];
  int depth = 0;
  char word[32];
  for (int i = 0; i < arrays * length; i++) block[i] = i;
  while (scanf("%31s", word) == 1) {
    if (strcmp(word, "also") == 0) {
      also();
    } else if (strcmp(word, "enter") == 0) {
      struct directive enter = read_directive();
      arc_enter_data(&site, ARC_SYNC, enter.count, enter.items);
    } else if (strcmp(word, "exit") == 0) {
      struct directive exit = read_directive();
      arc_exit_data(&site, ARC_SYNC, exit.count, exit.items);
    } else if (strcmp(word, "begin") == 0) {
      struct directive *begin = &open[depth++];
      *begin = read_directive();
      arc_data_begin(&site, ARC_SYNC, begin->count, begin->items);
    } else if (strcmp(word, "end") == 0) {
      struct directive *begin = &open[--depth];
      arc_data_end(&site, ARC_SYNC, begin->count, begin->items);
    } else if (strcmp(word, "update") == 0) {
      arc_item item = read_item();
      arc_update(&site, ARC_SYNC, 1, &item);
    } else if (strcmp(word, "set") == 0) {
      int array, index, value;
      if (scanf("%d %d %d", &array, &index, &value) != 3) abort();
      *element(array, index) = value;
    } else if (strcmp(word, "add") == 0) {
      add();
    } else if (strcmp(word, "show") == 0) {
      show();
    } else {
      abort();
    }
  }
  return 0;
}
