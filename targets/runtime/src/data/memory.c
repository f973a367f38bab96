/* memory.c: device memory and its addresses. Freed buffers wait in bins by size. */
#include "data/memory.h"
#include "launch/queue.h"
#include "launch/steps.h"
#include "report/trace.h"
#include <stdlib.h>

enum { poison = 0xa5 };

/* Sizes are rounded so that nearly equal ones share buffers: by less than an eighth, and less than 2 MiB. */
static uint64_t rounded(uint64_t bytes) {
  uint64_t step = 256, largest_step = (uint64_t)2 << 20;
  while (bytes / step >= 16 && step < largest_step) step *= 2;
  return (bytes + step - 1) / step * step;
}

static size_t bin_of(uint64_t bytes) { return (size_t)((bytes * 0x9e3779b97f4a7c15u) >> 58); }

static struct arc_buffer *take(struct arc_buffer **list, uint64_t bytes) {
  for (; *list; list = &(*list)->next) {
    if ((*list)->bytes != bytes) continue;
    struct arc_buffer *buffer = *list;
    *list = buffer->next;
    buffer->next = NULL;
    return buffer;
  }
  return NULL;
}

static void destroy(struct arc_device *device, struct arc_buffer *buffer) {
  if (buffer->addressed) arc_range_remove(&device->addresses, &buffer->range);
  device->backend->release(device, buffer);
  free(buffer);
}

void arc_memory_recycle(struct arc_device *device, struct arc_buffer *list) {
  while (list) {
    struct arc_buffer *buffer = list;
    list = buffer->next;
    if (buffer->sharers) {
      buffer->sharers--;
      continue;
    }
    if (!device->pooled || device->pool_bytes + buffer->bytes > device->pool_limit) {
      destroy(device, buffer);
      continue;
    }
    struct arc_buffer **bin = &device->pool[bin_of(buffer->bytes)];
    buffer->next = *bin;
    *bin = buffer;
    device->pool_bytes += buffer->bytes;
  }
}

void arc_memory_trim(struct arc_device *device) {
  for (size_t i = 0; i < arc_pool_bins; i++) {
    while (device->pool[i]) {
      struct arc_buffer *buffer = device->pool[i];
      device->pool[i] = buffer->next;
      destroy(device, buffer);
    }
  }
  device->pool_bytes = 0;
}

static struct arc_buffer *reuse(struct arc_device *device, struct arc_queue *queue, uint64_t bytes) {
  struct arc_buffer *buffer = take(&queue->released, bytes);
  if (buffer) return buffer;
  buffer = take(&device->pool[bin_of(bytes)], bytes);
  if (buffer) device->pool_bytes -= bytes;
  return buffer;
}

static struct arc_buffer *fresh(struct arc_device *device, const arc_site *site, uint64_t bytes) {
  struct arc_buffer *buffer = arc_allocate(sizeof *buffer);
  buffer->bytes = bytes;
  if (!device->backend->allocate(device, buffer)) {
    /* Freed memory that is kept, or that waits for its queue, may suffice. */
    arc_queue_finish_all(device, site);
    arc_memory_trim(device);
    if (!device->backend->allocate(device, buffer)) {
      free(buffer);
      return NULL;
    }
  }
  buffer->range.size = bytes;
  return buffer;
}

struct arc_buffer *arc_memory_try(struct arc_device *device, struct arc_queue *queue, const arc_site *site,
                                  size_t bytes, const char *what) {
  uint64_t size = device->pooled ? rounded(bytes) : bytes;
  struct arc_buffer *buffer = reuse(device, queue, size);
  bool reused = buffer;
  if (!buffer) buffer = fresh(device, site, size);
  if (!buffer) return NULL;
  if (device->poisoned) {
    device->backend->fill(device, queue, (struct arc_place){buffer, 0}, poison, buffer->bytes);
    arc_queue_count(queue);
  }
  arc_trace_allocation(device, site, what, bytes, reused);
  return buffer;
}

struct arc_buffer *arc_memory_allocate(struct arc_device *device, struct arc_queue *queue,
                                       const arc_site *site, size_t bytes, const char *what) {
  struct arc_buffer *buffer = arc_memory_try(device, queue, site, bytes, what);
  if (!buffer)
    arc_device_fail(device, site, "device-memory",
                    "map less at a time, end data regions earlier, or run on a device with more memory",
                    "%s has no room for %s (%zu bytes): %s", device->name, what, bytes, arc_reason());
  return buffer;
}

void arc_memory_release(struct arc_device *device, struct arc_queue *queue, struct arc_buffer *buffer) {
  arc_steps_make(device);
  if (buffer->sharers) {
    buffer->sharers--;
    return;
  }
  if (queue->finished >= queue->queued) {
    arc_memory_recycle(device, buffer);
    return;
  }
  buffer->next = queue->released;
  queue->released = buffer;
}

uint64_t arc_memory_address(struct arc_device *device, const arc_site *site, struct arc_place place) {
  struct arc_buffer *buffer = place.buffer;
  if (buffer == &device->whole) return (uint64_t)place.offset;
  if (!buffer->range.start && device->backend->address && !device->backend->address(device, buffer))
    arc_device_fail(device, site, "device-address", NULL, "%s does not give the address of its memory: %s",
                    device->name, arc_reason());
  if (!buffer->addressed) {
    arc_queue_start_all(device, site);
    arc_range_insert(&device->addresses, &buffer->range);
    buffer->addressed = true;
  }
  return buffer->range.start + (uint64_t)place.offset;
}

bool arc_memory_place(struct arc_device *device, uint64_t address, struct arc_place *place) {
  struct arc_range *range = arc_range_at(&device->addresses, address);
  if (range) {
    *place = (struct arc_place){(struct arc_buffer *)range, (int64_t)(address - range->start)};
    return true;
  }
  /* Memory that the program allocated elsewhere (cudaMalloc), where only the address is needed. */
  *place = (struct arc_place){&device->whole, (int64_t)address};
  return !device->backend->address;
}
