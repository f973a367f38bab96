/*
 * Random programs of tasks, each run twice: as tasks, and one task after the other. Both must leave the same numbers.
 * What tasks do to memory depends on all that they read, so that a missing order shows as a wrong number, and to the
 * thread sanitizer as a race. Prints "right", or the number of the first program that was not.
 *
 *     random_graphs FIRST COUNT [TASKS]
 */
#include "arctask.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 4096, MOST_ACCESSES = 4 };

static uint64_t cells[CELLS];
static uint64_t seen; /* what the program itself reads between tasks */
static int serial;

static uint64_t state;
static uint64_t next(void) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static unsigned below(unsigned bound) { return (unsigned)(next() % bound); }
static uint64_t mix(uint64_t a, uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15u + (a >> 29); }

/* Boxes of up to three dimensions: `rows` times `columns` cells in planes. */
struct section {
  int mode, dims;
  int start, plane, row;
  int planes, rows, columns;
};

struct work {
  uint64_t number;
  int count;
  int children; /* how many tasks share the first section, which is one that the task changes */
  int waits;
  struct section sections[MOST_ACCESSES];
};

typedef void visit(uint64_t *cell, uint64_t value);

static void each(const struct section *s, visit *what, uint64_t value) {
  for (int p = 0; p < s->planes; p++)
    for (int r = 0; r < s->rows; r++)
      for (int c = 0; c < s->columns; c++) what(&cells[s->start + p * s->plane + r * s->row + c], value);
}

static _Thread_local uint64_t read_so_far;
static void read_cell(uint64_t *cell, uint64_t value) { read_so_far = mix(read_so_far, *cell + value); }
static void write_cell(uint64_t *cell, uint64_t value) { *cell = mix(value, (uint64_t)(cell - cells)); }
static void add(uint64_t *cell, uint64_t value) { *cell += value; }
static void add_atomically(uint64_t *cell, uint64_t value) { __atomic_fetch_add(cell, value, __ATOMIC_RELAXED); }

static struct arc_task_access access_of(const struct section *s, arc_task_rows rows[2]) {
  rows[0] = (arc_task_rows){s->planes, (size_t)s->plane * sizeof *cells};
  rows[1] = (arc_task_rows){s->rows, (size_t)s->row * sizeof *cells};
  return (arc_task_access){"cells", &cells[s->start], s->columns * (long)sizeof *cells,
                           rows + 2 - s->dims, (uint8_t)s->dims, (uint8_t)s->mode, (uint8_t)(s->start & 1)};
}

static void body(void *argument);
static const arc_task_type type = {{"random_graphs.c", 1, "task"}, {"random", body, 0, 0}, 0, 0};

static void create(const struct work *work, unsigned flags, int priority) {
  struct work copy = *work;
  if (serial) {
    body(&copy);
    return;
  }
  arc_task_rows rows[MOST_ACCESSES][2];
  arc_task_access accesses[MOST_ACCESSES];
  for (int i = 0; i < work->count; i++) accesses[i] = access_of(&work->sections[i], rows[i]);
  arc_task_create(&type, &copy, sizeof copy, (size_t)work->count, accesses, flags, priority);
  memset(&copy, 0xa5, sizeof copy);
}

/* The first section in slices of its rows, twice over, so that tasks below tasks wait for each other. */
static void share(const struct work *work) {
  struct section whole = work->sections[0];
  for (int turn = 0; turn < 2; turn++)
    for (int r = 0; r < whole.rows; r++) {
      struct work child = {.number = mix(work->number, (uint64_t)(turn * 64 + r)), .count = 1};
      child.sections[0] = whole;
      child.sections[0].mode = turn || r % 2 ? ARC_TASK_INOUT : ARC_TASK_OUT;
      child.sections[0].start = whole.start + r * whole.row;
      child.sections[0].rows = turn && r + 1 < whole.rows ? 2 : 1;
      create(&child, 0, 0);
    }
  if (!work->waits) return;
  if (!serial) arc_task_wait(&type.site);
  each(&whole, add, 1);
}

static void body(void *argument) {
  const struct work *work = argument;
  read_so_far = work->number;
  for (int i = 0; i < work->count; i++)
    if (work->sections[i].mode == ARC_TASK_IN || work->sections[i].mode == ARC_TASK_INOUT)
      each(&work->sections[i], read_cell, (uint64_t)i);
  uint64_t value = read_so_far;
  for (int i = 0; i < work->count; i++) {
    const struct section *s = &work->sections[i];
    switch (s->mode) {
    case ARC_TASK_OUT:
    case ARC_TASK_INOUT: each(s, write_cell, value); break;
    case ARC_TASK_CONCURRENT: each(s, add_atomically, work->number); break;
    case ARC_TASK_COMMUTATIVE: each(s, add, work->number); break;
    case ARC_TASK_REDUCTION:
      if (!serial) arc_task_combine_begin();
      each(s, add, work->number);
      if (!serial) arc_task_combine_end();
      break;
    }
  }
  if (work->children) share(work);
}

static struct section random_section(void) {
  static const int row_lengths[] = {64, 64, 64, 32, 48};
  struct section s = {.dims = (int)below(3), .planes = 1, .rows = 1, .columns = 1};
  unsigned mode = below(12);
  s.mode = mode < 4 ? ARC_TASK_IN : mode < 5 ? ARC_TASK_OUT : mode < 9 ? ARC_TASK_INOUT : (int)mode - 5;
  s.row = row_lengths[below(5)];
  if (s.dims == 0) {
    /* Blocks that many tasks use, and pieces that fit none of them. */
    s.columns = below(3) ? 64 : 1 + (int)below(200);
    s.start = s.columns == 64 ? 64 * (int)below(CELLS / 64) : (int)below((unsigned)(CELLS - s.columns));
    return s;
  }
  s.plane = 8 * s.row;
  s.columns = below(2) ? 8 : 1 + (int)below(16);
  s.rows = 1 + (int)below(8);
  if (s.dims == 2) s.planes = 1 + (int)below(3);
  int column = s.columns == 8 ? 8 * (int)below((unsigned)s.row / 8) : (int)below((unsigned)(s.row - s.columns));
  int last = (s.planes - 1) * s.plane + (s.rows - 1) * s.row;
  int room = (CELLS - last - s.row) / s.row;
  s.start = (int)below((unsigned)room) * s.row + column;
  return s;
}

static void program(uint64_t seed, unsigned tasks) {
  state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int i = 0; i < CELLS; i++) cells[i] = (uint64_t)i;
  seen = 0;
  unsigned count = 1 + below(tasks);
  arc_task_group group;
  int grouped = 0;
  for (unsigned i = 0; i < count; i++) {
    struct work work = {.number = next(), .count = 1 + (int)below(MOST_ACCESSES)};
    for (int k = 0; k < work.count; k++) work.sections[k] = random_section();
    work.children = work.sections[0].mode == ARC_TASK_INOUT && below(6) == 0;
    work.waits = (int)below(2);
    unsigned event = below(48);
    unsigned flags = event == 0 ? ARC_TASK_UNDEFERRED : event == 1 ? ARC_TASK_FINAL : 0;
    if (event == 2 && !grouped) {
      grouped = 1;
      if (!serial) arc_task_group_begin(&group);
    }
    create(&work, flags, below(8) == 0 ? (int)below(5) : 0);
    if (event == 3) {
      struct section s = random_section();
      s.mode = ARC_TASK_INOUT;
      arc_task_rows rows[2];
      arc_task_access access = access_of(&s, rows);
      if (!serial) arc_task_wait_on(&type.site, 1, &access);
      read_so_far = seen;
      each(&s, read_cell, 7);
      seen = read_so_far;
      each(&s, write_cell, seen);
    } else if (event == 4 || (event == 5 && grouped)) {
      if (!serial && event == 4) arc_task_wait(&type.site);
      if (event == 5) {
        grouped = 0;
        if (!serial) arc_task_group_end(&type.site, &group);
      } else {
        for (int c = 0; c < CELLS; c++) seen = mix(seen, cells[c]);
      }
    } else if (event == 6 && !serial) {
      arc_task_yield();
    }
  }
  if (serial) return;
  if (grouped) arc_task_group_end(&type.site, &group);
  arc_task_wait(&type.site);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
  unsigned tasks = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 200;
  static uint64_t expected[CELLS];
  for (uint64_t seed = first; seed < first + count; seed++) {
    serial = 1;
    program(seed, tasks);
    memcpy(expected, cells, sizeof cells);
    uint64_t expected_seen = seen;
    serial = 0;
    program(seed, tasks);
    if (memcmp(expected, cells, sizeof cells) == 0 && seen == expected_seen) continue;
    printf("program %llu is wrong\n", (unsigned long long)seed);
    return 1;
  }
  puts("right");
  return 0;
}
