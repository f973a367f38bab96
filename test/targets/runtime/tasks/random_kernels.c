/*
 * Random programs of tasks that run on the host or on a device, over sections that meet in all ways: both must see each
 * other's latest bytes. Prints "right", or the number of the first program that was not.
 *
 *     random_kernels FIRST COUNT [TASKS [opencl|cuda|both [DEVICES [tiles]]]]
 *
 * With a number of devices of a kind, tasks ask for one of them now and then. With `tiles` sections are equal or apart, and
 * nearly all tasks are kernels: most of them wait for kernels.
 */
#include "arctask.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 2048 };

static uint32_t cells[CELLS];
static int serial;

static uint64_t state;
static unsigned below(unsigned bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % bound;
}

struct section {
  uint32_t *start;
  int rows, columns, stride;
};

struct work {
  uint32_t *to;
  const uint32_t *from;
  int rows, columns, stride;
  uint32_t id;
  int from_columns, from_stride, keeps;
  long geometry[7];
};

static const char source[] =
    "__kernel void touch(__global uint *to, __global const uint *from, int rows, int columns, int stride, uint id,\n"
    "                    int from_columns, int from_stride, int keeps) {\n"
    "  int c = get_global_id(0), r = get_global_id(1);\n"
    "  if (c >= columns || r >= rows) return;\n"
    "  uint old = keeps ? to[r * stride + c] * 3 : 0;\n"
    "  to[r * stride + c] = old + from[r * from_stride + c % from_columns] + id;\n"
    "}\n";

static const char cuda_source[] =
    "__global__ void touch(unsigned *to, const unsigned *from, int rows, int columns, int stride, unsigned id,\n"
    "                      int from_columns, int from_stride, int keeps) {\n"
    "  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  if (c >= columns || r >= rows) return;\n"
    "  unsigned old = keeps ? to[r * stride + c] * 3 : 0;\n"
    "  to[r * stride + c] = old + from[r * from_stride + c % from_columns] + id;\n"
    "}\n";

static void body(void *argument) {
  const struct work *w = argument;
  for (int r = 0; r < w->rows; r++)
    for (int c = 0; c < w->columns; c++) {
      uint32_t old = w->keeps ? w->to[r * w->stride + c] * 3 : 0;
      w->to[r * w->stride + c] = old + w->from[r * w->from_stride + c % w->from_columns] + w->id;
    }
}

#define VALUE(member) {ARC_TASK_VALUE, offsetof(struct work, member), sizeof(((struct work *)0)->member)}
#define MEMORY(member) {ARC_TASK_MEMORY, offsetof(struct work, member), 0}
static const arc_task_parameter parameters[] = {
    MEMORY(to), MEMORY(from), VALUE(rows), VALUE(columns), VALUE(stride), VALUE(id),
    VALUE(from_columns), VALUE(from_stride), VALUE(keeps)};
static const arc_task_kernel kernel = {"opencl", "touch", "random_kernels.c", 0, source, sizeof source - 1,
                                       offsetof(struct work, geometry), 9, parameters};
static const arc_task_kernel cuda_kernel = {"cuda", "touch", "random_kernels.c", 0, cuda_source, sizeof cuda_source - 1,
                                            offsetof(struct work, geometry), 9, parameters};
static const arc_task_type on_cuda = {{"random_kernels.c", 3, "task"}, {"cuda", 0, &cuda_kernel, 0}, 0, 0};
static const char *kinds = "opencl";
static unsigned devices;
static const arc_task_type on_host = {{"random_kernels.c", 1, "task"}, {"host", body, 0, 0}, 0, 0};
static const arc_task_type on_device = {{"random_kernels.c", 2, "task"}, {"device", 0, &kernel, 0}, 0, 0};

static bool tiles;

static struct section somewhere(void) {
  struct section s;
  if (tiles) return (struct section){cells + 128 * below(CELLS / 2 / 128), 4, 32, 32};
  s.stride = below(2) ? 64 : 32;
  s.rows = below(3) ? 1 + (int)below(4) : 4;
  s.columns = below(3) ? 16 : 1 + (int)below(24);
  int column = s.columns == 16 ? 16 * (int)below((unsigned)s.stride / 16) : (int)below((unsigned)(s.stride - s.columns));
  s.start = cells + (int)below((unsigned)(CELLS / 2 / s.stride - 5)) * s.stride + column;
  return s;
}

static arc_task_access access_of(const struct section *s, int mode, arc_task_rows *row) {
  *row = (arc_task_rows){s->rows, (size_t)s->stride * sizeof *cells};
  return (arc_task_access){"cells", s->start, s->columns * (long)sizeof *cells, row, 1, (uint8_t)mode, 0};
}

static void program(uint64_t seed, unsigned tasks) {
  state = seed * 2654435761u + 7;
  for (int i = 0; i < CELLS; i++) cells[i] = (uint32_t)i;
  unsigned count = 1 + below(tasks);
  for (unsigned i = 0; i < count; i++) {
    /* Some are used again as they are. */
    static struct section known[6];
    struct section to = i > 5 && below(2) ? known[below(6)] : somewhere(), from = somewhere();
    if (i < 6 || below(8) == 0) known[i < 6 ? i : below(6)] = to;
    /* What is read lies in the other half of the cells, now and then; two sections of one kernel never meet. */
    if (i % 2) to.start += CELLS / 2;
    else from.start += CELLS / 2;
    from.rows = to.rows;
    struct work w = {to.start, from.start, to.rows, to.columns, to.stride, i, from.columns, from.stride, (int)below(3), {0}};
    w.geometry[6] = devices && below(3) && !(tiles && devices == 1) ? (long)below(devices) : -1;
    w.geometry[0] = to.columns, w.geometry[1] = to.rows, w.geometry[2] = 1;
    if (below(2)) w.geometry[3] = 8, w.geometry[4] = 2, w.geometry[5] = 1;
    const arc_task_type *type = below(tiles ? 16 : 2) ? &on_device : &on_host;
    bool cuda = strcmp(kinds, "cuda") == 0 || (strcmp(kinds, "both") == 0 && below(2));
    if (type == &on_device && cuda) type = &on_cuda;
    unsigned event = below(tiles ? 64 : 16);
    if (serial) {
      body(&w);
    } else {
      arc_task_rows rows[2];
      const arc_task_access accesses[] = {access_of(&to, w.keeps ? ARC_TASK_INOUT : ARC_TASK_OUT, &rows[0]),
                                          access_of(&from, ARC_TASK_IN, &rows[1])};
      arc_task_create(type, &w, sizeof w, 2, accesses, event == 0 ? ARC_TASK_UNDEFERRED : 0, 0);
    }
    if (event == 1 && !serial) arc_task_wait(&on_host.site);
    if (event == 1) cells[below(CELLS)] += 5;
    if (event == 2 && !serial) arc_task_wait_noflush(&on_host.site);
  }
  if (!serial) arc_task_wait(&on_host.site);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  static uint32_t expected[CELLS];
  uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
  unsigned tasks = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 40;
  if (argc > 4) kinds = argv[4];
  if (argc > 5) devices = (unsigned)strtoul(argv[5], NULL, 10);
  tiles = argc > 6;
  for (uint64_t seed = first; seed < first + count; seed++) {
    serial = 1;
    program(seed, tasks);
    memcpy(expected, cells, sizeof cells);
    serial = 0;
    program(seed, tasks);
    if (memcmp(expected, cells, sizeof cells) == 0) continue;
    printf("program %llu is wrong\n", (unsigned long long)seed);
    return 1;
  }
  puts("right");
  return 0;
}
