/* transfer.c: transfers, through aligned memory where the device needs it. */
#define _POSIX_C_SOURCE 200809L
#include "data/transfer.h"
#include "data/memory.h"
#include "launch/queue.h"
#include "launch/steps.h"
#include "report/spans.h"
#include "report/tool.h"
#include <stdlib.h>
#include <string.h>

static _Noreturn void transfer_failed(struct arc_device *device, const struct arc_transfer *transfer,
                                      size_t bytes) {
  arc_device_fail(device, transfer->site, "transfer", NULL, "%s of %s (%zu bytes) on %s failed: %s",
                  transfer->action, transfer->name, bytes, device->name, arc_reason());
}

static void done(struct arc_device *device, struct arc_queue *queue, const struct arc_transfer *transfer,
                 const char *direction, size_t bytes, bool bounced, void *begin) {
  arc_queue_count(queue);
  if (begin)
    arc_span_transfer(device, queue, direction, transfer->site, transfer->action, transfer->name, bytes,
                       bounced, begin);
  if (arc_verbosity() > 1)
    arc_note("%s:%d: %s %s: %zu bytes%s", transfer->site && transfer->site->file ? transfer->site->file : "-",
             transfer->site ? transfer->site->line : 0, transfer->action, transfer->name, bytes,
             bounced ? " through aligned memory" : "");
}

/* Records that a read in the queue will write to host memory. */
static void note_filling(struct arc_queue *queue, const void *host, size_t bytes) {
  struct arc_filling *filling = &queue->filling;
  uintptr_t start = (uintptr_t)host, end = start + bytes;
  size_t last = arc_filling_ranges - 1;
  if (filling->count <= last) {
    filling->ranges[filling->count].start = start;
    filling->ranges[filling->count++].end = end;
    return;
  }
  if (start < filling->ranges[last].start) filling->ranges[last].start = start;
  if (end > filling->ranges[last].end) filling->ranges[last].end = end;
}

static bool will_fill(const struct arc_queue *queue, const void *host, size_t bytes) {
  for (size_t i = 0; i < queue->filling.count; i++)
    if ((uintptr_t)host < queue->filling.ranges[i].end &&
        queue->filling.ranges[i].start < (uintptr_t)host + bytes)
      return true;
  return false;
}

static bool finish_filling(struct arc_device *device, struct arc_queue *queue, const void *host,
                           size_t bytes) {
  if (!queue || !will_fill(queue, host, bytes)) return true;
  queue->filling.count = 0;
  return device->backend->finish(device, queue);
}

/*
 * NVIDIA's OpenCL copies the source of small writes immediately, even if an earlier read in the same queue has not
 * filled it yet.
 */
static bool await_source(struct arc_device *device, const void *host, size_t bytes) {
  if (!device->eager) return true;
  bool good = finish_filling(device, device->sync, host, bytes);
  for (int i = 0; i <= arc_queue_numbers && good; i++)
    good = finish_filling(device, device->queues[i], host, bytes);
  return good;
}

/*
 * A device whose DMA needs aligned addresses gets an aligned host buffer and, if its own end is not aligned either, an
 * aligned device buffer. Such transfers are synchronous.
 */
struct bounce {
  void *host;
  struct arc_buffer *device; /* NULL: the place itself is aligned */
  struct arc_place place;
};

static bool misaligned(struct arc_device *device, struct arc_place place, const void *host) {
  return device->alignment > 1 &&
         ((uintptr_t)host % device->alignment != 0 || (uint64_t)place.offset % device->alignment != 0);
}

static struct bounce open_bounce(struct arc_device *device, struct arc_queue *queue,
                                 const struct arc_transfer *transfer, struct arc_place place, size_t bytes) {
  struct bounce bounce = {.place = place};
  if (posix_memalign(&bounce.host, device->alignment, bytes))
    arc_device_fail(device, transfer->site, "host-memory", NULL, "no host memory for an aligned copy of %s",
                    transfer->name);
  if ((uint64_t)place.offset % device->alignment != 0) {
    bounce.device = arc_memory_allocate(device, queue, transfer->site, bytes, "an aligned copy");
    bounce.place = (struct arc_place){bounce.device, 0};
  }
  return bounce;
}

static void close_bounce(struct arc_device *device, struct bounce *bounce) {
  free(bounce->host);
  if (bounce->device) arc_memory_recycle(device, bounce->device);
}

static bool write_bounced(struct arc_device *device, struct arc_queue *queue,
                          const struct arc_transfer *transfer, struct arc_place place, const void *host,
                          size_t bytes) {
  const struct arc_backend *backend = device->backend;
  struct bounce bounce = open_bounce(device, queue, transfer, place, bytes);
  memcpy(bounce.host, host, bytes);
  bool good = backend->write(device, queue, bounce.place, bounce.host, bytes) &&
              (!bounce.device || backend->copy(device, queue, place, bounce.place, bytes)) &&
              backend->finish(device, queue);
  close_bounce(device, &bounce);
  return good;
}

static bool read_bounced(struct arc_device *device, struct arc_queue *queue,
                         const struct arc_transfer *transfer, void *host, struct arc_place place,
                         size_t bytes) {
  const struct arc_backend *backend = device->backend;
  struct bounce bounce = open_bounce(device, queue, transfer, place, bytes);
  bool good = (!bounce.device || backend->copy(device, queue, bounce.place, place, bytes)) &&
              backend->read(device, queue, bounce.host, bounce.place, bytes) &&
              backend->finish(device, queue);
  if (good) memcpy(host, bounce.host, bytes);
  close_bounce(device, &bounce);
  return good;
}

static void tell(acc_event_t event, const struct arc_device *device, const struct arc_queue *queue,
                 const struct arc_transfer *transfer, const void *host, struct arc_place place, size_t bytes,
                 void **told) {
  const struct arc_tool_place at = {device, queue, transfer->site, transfer->implicit};
  arc_tool_data(event, at, transfer->name, host, place, bytes, told);
}

void arc_transfer_write(struct arc_device *device, struct arc_queue *queue,
                        const struct arc_transfer *transfer, struct arc_place place, const void *host,
                        size_t bytes) {
  if (!bytes) return;
  arc_steps_make(device);
  void *told = NULL, *begin = arc_span_begin(device, queue);
  tell(acc_ev_enqueue_upload_start, device, queue, transfer, host, place, bytes, &told);
  bool bounced = misaligned(device, place, host);
  bool good = await_source(device, host, bytes) &&
              (bounced ? write_bounced(device, queue, transfer, place, host, bytes)
                       : device->backend->write(device, queue, place, host, bytes));
  if (!good) transfer_failed(device, transfer, bytes);
  if (!transfer->held) queue->awaited = true;
  done(device, queue, transfer, "host to device", bytes, bounced, begin);
  tell(acc_ev_enqueue_upload_end, device, queue, transfer, host, place, bytes, &told);
}

void arc_transfer_read(struct arc_device *device, struct arc_queue *queue,
                       const struct arc_transfer *transfer, void *host, struct arc_place place,
                       size_t bytes) {
  if (!bytes) return;
  arc_steps_make(device);
  void *told = NULL, *begin = arc_span_begin(device, queue);
  tell(acc_ev_enqueue_download_start, device, queue, transfer, host, place, bytes, &told);
  bool bounced = misaligned(device, place, host);
  bool good = bounced ? read_bounced(device, queue, transfer, host, place, bytes)
                      : device->backend->read(device, queue, host, place, bytes);
  if (!good) transfer_failed(device, transfer, bytes);
  queue->awaited = true;
  if (device->eager) note_filling(queue, host, bytes);
  done(device, queue, transfer, "device to host", bytes, bounced, begin);
  tell(acc_ev_enqueue_download_end, device, queue, transfer, host, place, bytes, &told);
}

void arc_transfer_copy(struct arc_device *device, struct arc_queue *queue,
                       const struct arc_transfer *transfer, struct arc_place to, struct arc_place from,
                       size_t bytes) {
  if (!bytes) return;
  arc_steps_make(device);
  void *begin = arc_span_begin(device, queue);
  if (!device->backend->copy(device, queue, to, from, bytes)) transfer_failed(device, transfer, bytes);
  queue->awaited = true;
  done(device, queue, transfer, "within device", bytes, false, begin);
}

void arc_transfer_fill(struct arc_device *device, struct arc_queue *queue,
                       const struct arc_transfer *transfer, struct arc_place place, unsigned char byte,
                       size_t bytes) {
  if (!bytes) return;
  arc_steps_make(device);
  void *begin = arc_span_begin(device, queue);
  if (!device->backend->fill(device, queue, place, byte, bytes)) transfer_failed(device, transfer, bytes);
  done(device, queue, transfer, "fill", bytes, false, begin);
}
