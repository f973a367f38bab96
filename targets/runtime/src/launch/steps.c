/*
 * steps.c: a launch makes a limited number of steps, from one array to the other. Afterwards the arrays must contain
 * what the program expects: the last step in one array and the step before it in the other. The last step is therefore
 * a separate launch, preceded by as many launches as bring its input into place.
 */
#include "launch/steps.h"
#include "report/crash.h"
#include "launch/queue.h"
#include "report/spans.h"
#include "report/tool.h"
#include <stdlib.h>
#include <string.h>

/* Limit of deferred steps, in launches, so that the device has work while the program continues. */
enum { most_launches = 16 };

struct arc_steps {
  struct arc_kept *first;
  struct arc_queue *queue;
  int64_t count; /* 1 or more */
};

static bool same(const struct arc_pass *one, const struct arc_pass *other) {
  if (one->is_place != other->is_place || one->before != other->before || one->extent != other->extent) return false;
  if (one->is_place)
    return one->place.buffer == other->place.buffer && one->place.offset == other->place.offset;
  return one->size == other->size && memcmp(one->bytes, other->bytes, one->size) == 0;
}

/* Index of a parameter's argument among those of the first launch, after `made` steps. */
static size_t in_turn(const struct arc_steps_record *record, size_t k, int64_t made) {
  if (made % 2 == 0) return k;
  return k == record->input ? record->output : k == record->output ? record->input : k;
}

/* Whether the launch makes the step after the deferred ones. */
static bool goes_on(const struct arc_steps *steps, const struct arc_queue *queue, const struct arc_kept *kept) {
  const struct arc_kept *first = steps->first;
  if (kept->region != first->region || queue != steps->queue) return false;
  for (size_t k = 0; k < kept->start.n; k++)
    if (!same(&kept->start.passes[k],
              &first->start.passes[in_turn(&kept->region->record->steps, k, steps->count)]))
      return false;
  return true;
}

/* Launches `count` steps after `made` others. */
static void start(struct arc_device *device, const struct arc_steps *steps, int64_t made, int64_t count) {
  const struct arc_kept *first = steps->first;
  const struct arc_region_record *record = first->region->record;
  const char *kernel = record->kernels[0].name;
  struct arc_pass *passes = arc_allocate((first->start.n + 1) * sizeof *passes);
  for (size_t k = 0; k < first->start.n; k++)
    passes[k] = first->start.passes[in_turn(&record->steps, k, made)];
  passes[record->steps.count] = (struct arc_pass){.bytes = &count, .size = sizeof count};
  void *told = NULL, *begin = arc_span_begin(device, steps->queue);
  const struct arc_tool_place place = {.device = device, .queue = steps->queue, .site = first->site};
  arc_tool_launch(acc_ev_enqueue_launch_start, place, kernel, first->start.grid, first->start.group, &told);
  arc_crash_begin(steps->queue->flight, first->site, kernel);
  arc_device_unlock(device); /* the kernel itself may run in this thread */
  bool good = device->backend->launch(device, steps->queue, first->start.kernel, first->start.grid,
                                      first->start.group, first->start.n, passes);
  arc_device_lock(device);
  free(passes);
  if (!good)
    arc_device_fail(device, first->site, "launch", NULL, "kernel %s does not start on %s: %s", kernel,
                    device->name, arc_reason());
  arc_queue_count(steps->queue);
  steps->queue->awaited = true;
  steps->queue->launched = first->site ? *first->site : (arc_site){0};
  steps->queue->kernel = kernel;
  if (begin)
    arc_span_launch(device, steps->queue, first->site, record->name, kernel, first->start.grid,
                    first->start.group, first->start.n, first->start.passes, (struct arc_operations){0}, begin);
  arc_tool_launch(acc_ev_enqueue_launch_end, place, kernel, first->start.grid, first->start.group, &told);
}

/* Results of launches alternate between the two arrays, like those of steps. */
static void advance(struct arc_device *device, const struct arc_steps *steps, int64_t left) {
  int64_t most = steps->first->region->record->steps.most;
  int64_t launches = (left + most - 1) / most;
  launches += (launches ^ left) & 1;
  for (int64_t k = 0; k < launches; k++) {
    int64_t spare = left - (launches - 1 - k), count = spare < most ? spare : most;
    start(device, steps, k, count);
    left -= count;
  }
}

void arc_steps_make(struct arc_device *device) {
  struct arc_steps *steps = device->steps;
  if (!steps) return;
  device->steps = NULL;
  advance(device, steps, steps->count - 1);
  start(device, steps, steps->count - 1, 1);
  arc_queue_finish(device, steps->queue, steps->first->site);
  free(steps->first);
  free(steps);
}

void arc_steps_put_off(struct arc_device *device, struct arc_queue *queue, struct arc_kept *kept) {
  while (device->steps && !goes_on(device->steps, queue, kept)) arc_steps_make(device);
  if (!device->steps) {
    device->steps = arc_allocate(sizeof *device->steps);
    *device->steps = (struct arc_steps){.first = kept, .queue = queue, .count = 1};
    return;
  }
  struct arc_steps *steps = device->steps;
  free(kept);
  steps->count++;
  int64_t waiting = most_launches * steps->first->region->record->steps.most;
  if (steps->count <= waiting) return;
  /* An even number of steps: the rest continues from where the first launch began. */
  steps->count -= waiting;
  device->steps = NULL;
  advance(device, steps, waiting);
  device->steps = steps;
}
