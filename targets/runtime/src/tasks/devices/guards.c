/* guards.c: detects kernel writes that clauses do not declare. */
#include "tasks/devices/guards.h"
#include "launch/queue.h"
#include "report/error.h"
#include "watch/suspects.h"
#include <stdlib.h>
#include <string.h>

enum { GUARD = 4096, PATTERN = 0xa5 };

size_t arc_guard_bytes(void) { return arc_suspects() ? GUARD : 0; }

static struct arc_place behind(const struct arc_held_section *held) {
  return (struct arc_place){held->buffer, (int64_t)held->box->extent};
}

void arc_guard_set(const arc_site *site, const struct arc_held_section *held) {
  if (!arc_suspects()) return;
  struct arc_device *device = held->device;
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_LANE(ARC_LANE_BACK));
  bool good = device->backend->fill(device, queue, behind(held), PATTERN, GUARD);
  arc_device_unlock(device);
  if (!good || !arc_lane_finish(site, device, ARC_LANE_BACK))
    arc_fail(site, "transfer-failed", NULL, "marking the end of %s on %s: %s", held->name, device->name, arc_reason());
}

static void read_back(const arc_site *site, const struct arc_held_section *held, struct arc_place from, void *to, size_t bytes) {
  struct arc_device *device = held->device;
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_LANE(ARC_LANE_BACK));
  bool good = device->backend->read(device, queue, to, from, bytes);
  arc_device_unlock(device);
  if (!good || !arc_lane_finish(site, device, ARC_LANE_BACK))
    arc_fail(site, "transfer-failed", NULL, "reading %s of %s: %s", held->name, device->name, arc_reason());
}

void arc_guard_check(const struct arc_task *task, const struct arc_task_part *part, const struct arc_held_section *held,
                     bool same) {
  const arc_site *site = &task->type->site;
  unsigned char guard[GUARD];
  if (!arc_suspects() || !task->suspect) return;
  read_back(site, held, behind(held), guard, GUARD);
  size_t last = GUARD;
  while (last > 0 && guard[last - 1] == PATTERN) last--;
  if (last > 0) {
    arc_suspect_beyond(task->suspect, part, last);
    arc_guard_set(site, held);
  }
  /* The gaps between the rows belong to other data. */
  if (part->mode != ARC_TASK_IN || !same || held->box->dims > 0) return;
  unsigned char *now = arc_allocate(held->box->size);
  read_back(site, held, (struct arc_place){held->buffer, 0}, now, held->box->size);
  if (memcmp(now, (const void *)held->box->start, held->box->size) != 0) arc_suspect_written(task->suspect, part);
  free(now);
}
