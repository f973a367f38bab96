/* queue.c: async numbers, waiting. */
#include "launch/queue.h"
#include "report/crash.h"
#include "data/memory.h"
#include "launch/steps.h"
#include "report/spans.h"
#include "report/tool.h"
#include "report/trace.h"
#include <stdlib.h>
#include <string.h>

/* Beyond this, the next directive without async waits, so that memory held by a queue is freed. */
enum { most_held = 1 << 20 };
/* Likewise: the device is far behind, and errors have not been seen yet. */
enum { most_under_way = 1024 };

/* acc-default-async-var: per host thread. */
static _Thread_local int default_async = ARC_NOVAL;

/* A program may do with it what it does with numbers of its own, so the queue without a number has one, too. */
int arc_default_async(void) { return default_async == ARC_NOVAL ? arc_queue_numbers : default_async; }
void arc_set_default_async(const arc_site *site, int async) {
  if (async < ARC_SYNC)
    arc_fail(site, "async-number", "use a number from 0, acc_async_noval or acc_async_sync", "%d is no async queue",
             async);
  default_async = async;
}

static struct arc_queue **slot(struct arc_device *device, const arc_site *site, int async) {
  if (async == ARC_NOVAL) async = default_async;
  if (async == ARC_SYNC || async == ARC_JOINED) return &device->sync;
  if (async == ARC_NOVAL || async == arc_queue_numbers) return &device->queues[arc_queue_numbers];
  if (async <= ARC_LANE(0) && async > ARC_LANE(arc_lanes)) return &device->lanes[ARC_LANE(0) - async];
  if (async < 0)
    arc_device_fail(device, site, "async-number", "use a number from 0, acc_async_noval or acc_async_sync",
                    "%d is no async queue", async);
  /* Higher numbers share queues, which only adds ordering. */
  return &device->queues[async % arc_queue_numbers];
}

struct arc_queue *arc_queue_if_used(struct arc_device *device, const arc_site *site, int async) {
  return *slot(device, site, async);
}

/* A failed kernel is noticed here, by the first waiter. */
static _Noreturn void queue_failed(struct arc_device *device, struct arc_queue *queue, const arc_site *site) {
  if (queue->kernel)
    arc_device_fail(
        device, queue->launched.file ? &queue->launched : site, "device-failed",
        "look for an index outside of the kernel's arrays, or data that no clause put on the device; ARC_WAIT=each "
        "waits for every kernel, and names the one that fails",
        "work on %s failed: %s; the last kernel queued was %s", device->name, arc_reason(), queue->kernel);
  arc_device_fail(device, site, "device-failed", NULL, "work on %s failed: %s", device->name, arc_reason());
}

/* Where a queue is among those of async numbers; -1: it is none of them. */
static int index_of(const struct arc_queue *queue) {
  return queue->async >= 0 ? queue->async : queue->async == ARC_NOVAL ? arc_queue_numbers : -1;
}

bool arc_queue_is_async(const struct arc_queue *queue) {
  return index_of(queue) >= 0 && !queue->foreign && !queue->shown;
}

bool arc_queue_is_after(const struct arc_device *device, const struct arc_queue *later, const struct arc_queue *earlier,
                        uint64_t operation) {
  const int index = index_of(earlier);
  return later == earlier || index < 0 || earlier->finished >= operation || later->after[index] >= operation ||
         device->awaited[index] >= operation;
}

/* What comes before work of `earlier` also comes before that of `later`. */
static void come_after(struct arc_queue *later, const struct arc_queue *earlier) {
  for (int i = 0; i < arc_async_queues; i++)
    if (later->after[i] < earlier->after[i]) later->after[i] = earlier->after[i];
  const int index = index_of(earlier);
  if (index >= 0) later->after[index] = earlier->queued;
}

/* Work queued in `later` from now on starts after that in `earlier`. */
static void follow(struct arc_device *device, struct arc_queue *later, struct arc_queue *earlier,
                   const arc_site *site) {
  if (!earlier || earlier == later) return;
  come_after(later, earlier);
  if (earlier->finished >= earlier->queued) return;
  if (!device->backend->follow(device, later, earlier)) queue_failed(device, earlier, site);
  arc_queue_count(later);
}

/* Orders the queue after pending work of directives without async. */
static void come_after_sync(struct arc_device *device, struct arc_queue *queue, const arc_site *site) {
  struct arc_queue *sync = device->sync;
  if (!sync || queue == sync || queue->behind == sync->queued) return;
  queue->behind = sync->queued;
  follow(device, queue, sync, site);
}

struct arc_queue *arc_queue_of(struct arc_device *device, const arc_site *site, int async) {
  struct arc_queue **place = slot(device, site, async);
  if (*place) {
    come_after_sync(device, *place, site);
    return *place;
  }
  struct arc_queue *queue = arc_allocate(sizeof *queue);
  bool is_lane = place >= device->lanes && place < device->lanes + arc_lanes;
  queue->async = place == &device->sync                        ? ARC_SYNC
                 : place == &device->queues[arc_queue_numbers] ? ARC_NOVAL
                 : is_lane                                     ? async
                                                               : (int)(place - device->queues);
  if (!device->backend->open_queue(device, queue))
    arc_device_fail(device, site, "queue", NULL, "%s cannot open a queue: %s", device->name, arc_reason());
  if (device->in_process) queue->flight = arc_crash_open(device->name);
  *place = queue;
  arc_trace_queue(device, queue);
  come_after_sync(device, queue, site);
  return queue;
}

void *arc_queue_hold(struct arc_queue *queue, const void *bytes, size_t size) {
  struct arc_held *held = arc_allocate(sizeof *held + size);
  memcpy(held->bytes, bytes, size);
  held->next = queue->held;
  queue->held = held;
  queue->held_bytes += size;
  if (queue->held_bytes > most_held) queue->awaited = true;
  return held->bytes;
}

static void free_held(struct arc_held *held) {
  while (held) {
    struct arc_held *next = held->next;
    free(held);
    held = next;
  }
}

/* The program has waited for what a queue came after. */
static void note_awaited(struct arc_device *device, const uint64_t after[arc_async_queues]) {
  for (int i = 0; i < arc_async_queues; i++)
    if (device->awaited[i] < after[i]) device->awaited[i] = after[i];
}

void arc_queue_finish(struct arc_device *device, struct arc_queue *queue, const arc_site *site) {
  uint64_t queued = queue->queued, after[arc_async_queues];
  memcpy(after, queue->after, sizeof after);
  struct arc_buffer *released = queue->released;
  struct arc_held *held = queue->held;
  struct arc_span *spans = arc_span_take(queue);
  queue->released = NULL;
  queue->held = NULL;
  queue->held_bytes = 0;
  queue->filling.count = 0;
  queue->awaited = false;
  if (queue->finished < queued) {
    double begin = arc_tracing() ? arc_trace_now() : 0;
    arc_device_unlock(device);
    bool good = device->backend->finish(device, queue);
    arc_device_lock(device);
    if (!good) queue_failed(device, queue, site);
    if (queue->finished < queued) queue->finished = queued;
    arc_trace_wait(device, queue, site, begin);
  }
  note_awaited(device, after);
  if (queue->finished >= queue->queued) arc_crash_end(queue->flight);
  if (spans) arc_span_tell(device, spans);
  arc_memory_recycle(device, released);
  free_held(held);
}

enum arc_waiting arc_queue_waiting(void) {
  static _Thread_local int known = -1;
  if (known < 0) {
    const char *text = getenv("ARC_WAIT");
    known = text && strcmp(text, "each") == 0   ? (int)ARC_WAIT_EACH
            : text && strcmp(text, "late") == 0 ? ARC_WAIT_LATE
                                                : ARC_WAIT_SEEN;
  }
  return known;
}

void arc_queue_settle(struct arc_device *device, struct arc_queue *queue, const arc_site *site) {
  if (queue->async != ARC_SYNC) return;
  const uint64_t under_way = queue->queued - queue->finished;
  if (!(queue->awaited || queue->released || under_way == 0 || under_way > most_under_way)) return;
  void *told = NULL;
  const struct arc_tool_place place = {device, queue, site, .implicit = true};
  if (under_way) arc_tool_other(acc_ev_wait_start, place, &told);
  arc_queue_finish(device, queue, site);
  if (under_way) arc_tool_other(acc_ev_wait_end, place, &told);
}

void arc_queue_adopt(struct arc_device *device, struct arc_queue *queue, void *handle, const arc_site *site) {
  arc_queue_finish(device, queue, site);
  if (queue->handle == handle) return;
  if (!queue->foreign) device->backend->close_queue(device, queue);
  queue->batch = NULL;
  queue->handle = handle;
  queue->foreign = true;
}

void arc_queue_finish_all(struct arc_device *device, const arc_site *site) {
  if (device->sync) arc_queue_finish(device, device->sync, site);
  for (int i = 0; i <= arc_queue_numbers; i++)
    if (device->queues[i]) arc_queue_finish(device, device->queues[i], site);
  for (int i = 0; i < arc_lanes; i++)
    if (device->lanes[i]) arc_queue_finish(device, device->lanes[i], site);
}

bool arc_queue_test(struct arc_device *device, struct arc_queue *queue, const arc_site *site) {
  if (queue->finished >= queue->queued) return true;
  int done = device->backend->test(device, queue);
  if (done < 0) queue_failed(device, queue, site);
  if (done) arc_queue_finish(device, queue, site);
  return done;
}

static void start(struct arc_device *device, struct arc_queue *queue, const arc_site *site) {
  if (queue && queue->batch && device->backend->test(device, queue) < 0) queue_failed(device, queue, site);
}

void *arc_queue_show(struct arc_device *device, struct arc_queue *queue, const arc_site *site) {
  start(device, queue, site);
  queue->shown = true;
  return queue->handle;
}

void arc_queue_start_all(struct arc_device *device, const arc_site *site) {
  start(device, device->sync, site);
  for (int i = 0; i <= arc_queue_numbers; i++) start(device, device->queues[i], site);
  for (int i = 0; i < arc_lanes; i++) start(device, device->lanes[i], site);
}

static void close_queue(struct arc_device *device, struct arc_queue **place) {
  struct arc_queue *queue = *place;
  if (!queue) return;
  *place = NULL;
  if (!queue->foreign) device->backend->close_queue(device, queue);
  arc_memory_recycle(device, queue->released);
  free_held(queue->held);
  arc_crash_close(queue->flight);
  free(queue);
}

void arc_queues_close(struct arc_device *device) {
  for (int i = 0; i < arc_async_queues; i++) {
    close_queue(device, &device->queues[i]);
    device->awaited[i] = 0;
  }
  for (int i = 0; i < arc_lanes; i++) close_queue(device, &device->lanes[i]);
  close_queue(device, &device->sync);
}

void arc_queue_wait(struct arc_device *device, const arc_site *site, int async, size_t n, const int *queues) {
  arc_device_lock(device);
  arc_steps_make(device);
  struct arc_queue *later = async == ARC_SYNC ? NULL : arc_queue_of(device, site, async);
  if (later && later->async == ARC_SYNC) later = NULL;
  size_t count = n ? n : arc_queue_numbers + 1;
  void *told = NULL;
  struct arc_tool_place place = {.device = device, .queue = later, .site = site};
  if (!later && n == 1) place.queue = arc_queue_if_used(device, site, queues[0]);
  arc_tool_other(acc_ev_wait_start, place, &told);
  for (size_t i = 0; i < count; i++) {
    struct arc_queue *earlier = n ? arc_queue_if_used(device, site, queues[i]) : device->queues[i];
    if (!earlier) continue;
    if (later)
      follow(device, later, earlier, site);
    else
      arc_queue_finish(device, earlier, site);
  }
  /* After waiting for everything, the program may read a clock. */
  if (!n && !later && device->sync) arc_queue_finish(device, device->sync, site);
  arc_tool_other(acc_ev_wait_end, place, &told);
  arc_device_unlock(device);
}

void arc_wait(const arc_site *site, int async, size_t n, const int *queues) {
  arc_queue_wait(arc_device_current(site), site, async, n, queues);
}
