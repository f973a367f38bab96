/* staging.c: pinned memory that small transfers go through. */
#include "tasks/devices/staging.h"
#include <stdlib.h>
#include <string.h>

enum { USUAL = 8 << 20, STEP = 256 };

/* A device in the program's own process gains nothing from pinned memory. */
static size_t wanted(const struct arc_device *device) {
  const char *text = getenv("ARC_TASK_STAGING");
  if (text && *text) return strtoull(text, NULL, 0) / STEP * STEP;
  return device->in_process ? 0 : USUAL;
}

void arc_staging_open(struct arc_staging *staging, struct arc_device *device, struct arc_queue *queue) {
  if (staging->is_open) return;
  staging->is_open = true;
  const size_t size = device->backend->pin ? wanted(device) : 0;
  /* Without staging memory transfers only take longer. */
  if (size > 0 && device->backend->pin(device, queue, size, &staging->pinned)) staging->size = size;
}

void arc_staging_close(struct arc_staging *staging, struct arc_device *device, struct arc_queue *queue) {
  if (staging->size > 0) device->backend->unpin(device, queue, &staging->pinned);
  *staging = (struct arc_staging){0};
}

static uint64_t rounded(uint64_t bytes) { return (bytes + STEP - 1) / STEP * STEP; }

/* Larger pieces gain nothing: the copy takes longer than the wait. */
static size_t largest(const struct arc_staging *staging) { return staging->size / 4; }

char *arc_staging_take(struct arc_staging *staging, size_t bytes) {
  if (bytes > largest(staging)) return NULL;
  uint64_t at = staging->taken;
  /* A piece does not wrap around the end of the ring. */
  if (at % staging->size + bytes > staging->size) at = (at / staging->size + 1) * staging->size;
  const uint64_t end = at + rounded(bytes);
  if (end - atomic_load_explicit(&staging->given, memory_order_acquire) > staging->size) return NULL;
  staging->taken = end;
  return (char *)staging->pinned.bytes + at % staging->size;
}

bool arc_staging_fits(const struct arc_staging *staging, size_t bytes, size_t pieces) {
  if (bytes > largest(staging)) return false;
  const uint64_t used = staging->taken - atomic_load_explicit(&staging->given, memory_order_acquire);
  /* Up to the size of the largest piece may be lost at the ring's end. */
  return used + bytes + STEP * (uint64_t)pieces + largest(staging) <= staging->size;
}

void arc_staging_give(struct arc_staging *staging, uint64_t taken) {
  atomic_store_explicit(&staging->given, taken, memory_order_release);
}

void arc_landings_add(struct arc_landings *landings, char *to, const char *from, size_t bytes) {
  if (landings->count == landings->room) {
    landings->room = 2 * landings->room + 4;
    landings->list = arc_resize(landings->list, landings->room * sizeof *landings->list);
  }
  landings->list[landings->count++] = (struct arc_landing){to, from, bytes};
}

void arc_landings_copy(struct arc_landings *landings) {
  for (size_t i = 0; i < landings->count; i++)
    memcpy(landings->list[i].to, landings->list[i].from, landings->list[i].bytes);
  free(landings->list);
  *landings = (struct arc_landings){0};
}
