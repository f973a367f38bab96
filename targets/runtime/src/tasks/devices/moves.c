/* moves.c: transfers of sections between host and device memory. */
#include "tasks/devices/moves.h"
#include "launch/queue.h"
#include "report/spans.h"
#include <string.h>

struct moving {
  const struct arc_held_section *section;
  struct arc_queue *queue;
  enum arc_direction direction;
  struct arc_stage stage;
  size_t bytes, pieces; /* so far */
};

typedef bool piece(struct moving *, uintptr_t low, uintptr_t high);

static bool move(struct moving *moving, uintptr_t low, uintptr_t high) {
  const struct arc_held_section *section = moving->section;
  struct arc_device *device = section->device;
  struct arc_place place = {section->buffer, (int64_t)(low - section->box->start)};
  const size_t bytes = high - low;
  char *staged = moving->stage.staging ? arc_staging_take(moving->stage.staging, bytes) : NULL;
  char *host = staged ? staged : (char *)low;
  moving->bytes += bytes;
  if (moving->direction == ARC_TO_DEVICE) {
    if (staged) memcpy(staged, (const char *)low, bytes);
    return device->backend->write(device, moving->queue, place, host, bytes);
  }
  if (staged) arc_landings_add(moving->stage.landings, (char *)low, staged, bytes);
  return device->backend->read(device, moving->queue, host, place, bytes);
}

static bool count(struct moving *moving, uintptr_t low, uintptr_t high) {
  moving->bytes += high - low;
  moving->pieces++;
  return true;
}

/* Each contiguous run of the section in [low, high): the gaps between its rows belong to other data. */
static bool each_run(struct moving *moving, const struct arc_box *box, unsigned dim, uintptr_t at, uintptr_t low,
                     uintptr_t high, piece *what) {
  if (dim == box->dims) {
    uintptr_t end = at + box->size;
    if (low < at) low = at;
    if (high > end) high = end;
    return low >= high || what(moving, low, high);
  }
  const arc_task_rows *row = &box->rows[dim];
  for (long i = 0; i < row->count; i++)
    if (!each_run(moving, box, dim + 1, at + (uintptr_t)i * row->stride, low, high, what)) return false;
  return true;
}

size_t arc_move_size(const struct arc_box *box, uintptr_t low, uintptr_t high, size_t *pieces) {
  struct moving counted = {0};
  each_run(&counted, box, 0, box->start, low, high, count);
  *pieces = counted.pieces;
  return counted.bytes;
}

static void (*_Atomic suspect)(struct arc_device *);

void arc_moves_suspect(void (*call)(struct arc_device *)) { atomic_store(&suspect, call); }

void arc_moves_look_back(struct arc_device *device) {
  void (*call)(struct arc_device *) = atomic_load(&suspect);
  if (call) call(device);
}

static _Noreturn void failed(const arc_site *site, struct arc_device *device, const char *name) {
  arc_moves_look_back(device);
  arc_fail(site, "transfer-failed", NULL, "moving %s %s %s: %s", name ? name : "a task's data", "to or from", device->name,
           arc_reason());
}

void arc_move(const arc_site *site, const struct arc_held_section *section, int lane, enum arc_direction direction,
              uintptr_t low, uintptr_t high, struct arc_stage stage) {
  struct arc_device *device = section->device;
  const char *how = direction == ARC_TO_DEVICE ? "to" : "from";
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_LANE(lane));
  struct moving moving = {.section = section, .queue = queue, .direction = direction, .stage = stage};
  void *begin = arc_span_begin(device, queue);
  bool good = each_run(&moving, section->box, 0, section->box->start, low, high, move);
  if (begin)
    arc_span_transfer(device, queue, direction == ARC_TO_DEVICE ? "in" : "out", site, how, section->name, moving.bytes,
                      false, begin);
  arc_device_unlock(device);
  if (!good) failed(site, device, section->name);
  if (arc_verbosity() > 1)
    arc_note("%s:%d: task: %zu bytes %s %s", site->file, site->line, moving.bytes, how, device->name);
}

bool arc_move_across(const arc_site *site, const struct arc_held_section *to, int lane, const struct arc_held_section *from) {
  struct arc_device *device = to->device;
  if (from->device->backend != device->backend || !device->backend->copy_across) return false;
  size_t bytes = to->box->extent;
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_LANE(lane));
  void *begin = arc_span_begin(device, queue);
  bool good = device->backend->copy_across(device, queue, (struct arc_place){to->buffer, 0}, from->device,
                                           (struct arc_place){from->buffer, 0}, bytes);
  if (begin) arc_span_transfer(device, queue, "across", site, "across", to->name, bytes, false, begin);
  arc_device_unlock(device);
  if (!good) failed(site, device, to->name);
  if (arc_verbosity() > 1)
    arc_note("%s:%d: task: %zu bytes across from %s to %s", site->file, site->line, bytes, from->device->name, device->name);
  return true;
}

bool arc_lane_finish(const arc_site *site, struct arc_device *device, int lane) {
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_LANE(lane));
  /* Work that other threads queue meanwhile is not waited for. */
  struct arc_span *spans = arc_span_take(queue);
  arc_device_unlock(device);
  if (!device->backend->finish(device, queue)) return false;
  if (!spans) return true;
  arc_device_lock(device);
  arc_span_tell(device, spans);
  arc_device_unlock(device);
  return true;
}

void arc_moves_end(const arc_site *site, struct arc_device *device, int lane) {
  if (!arc_lane_finish(site, device, lane)) failed(site, device, NULL);
}
