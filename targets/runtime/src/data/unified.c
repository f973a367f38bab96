/*
 * unified.c: memory with the same address on host and device. It stays in the present table as its own copy, so that
 * every data clause finds it present and transfers nothing.
 */
#include "data/memory.h"
#include "openacc.h"
#include "data/present.h"
#include "launch/queue.h"
#include <stdlib.h>
#include <string.h>

static arc_site called(const char *routine) { return (arc_site){.what = routine}; }

/* Ordinary host memory that the routines returned because the device has no unified memory. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arc_range_map substitutes;
static bool warned;

static void *substitute(const arc_site *site, const struct arc_device *device, size_t size) {
  pthread_mutex_lock(&lock);
  struct arc_range *range = arc_allocate(sizeof *range);
  void *memory = arc_allocate(size);
  *range = (struct arc_range){.start = (uintptr_t)memory, .size = size};
  arc_range_insert(&substitutes, range);
  bool first = !warned;
  warned = true;
  pthread_mutex_unlock(&lock);
  if (first)
    arc_warn(site, "no-unified-memory",
             "%s has no unified memory; host memory is used, which data clauses map", device->name);
  return memory;
}

static bool unified_allowed(const struct arc_device *device) {
  const char *text = getenv("ARC_UNIFIED");
  return device->backend->allocate_unified && (!text || strcmp(text, "0") != 0);
}

static void *create(const arc_site *site, size_t size) {
  struct arc_device *device = arc_device_current(site);
  if (!size) return NULL;
  struct arc_buffer *buffer = unified_allowed(device) ? arc_allocate(sizeof *buffer) : NULL;
  if (buffer) {
    buffer->bytes = buffer->range.size = size;
    arc_device_lock(device);
    if (!device->backend->allocate_unified(device, buffer)) {
      free(buffer);
      buffer = NULL;
    } else {
      void *memory = (void *)(uintptr_t)buffer->range.start;
      struct arc_place place = {&device->whole, (int64_t)buffer->range.start};
      struct arc_entry *entry = arc_present_insert(device, site, site->what, memory, size, place, false);
      entry->dynamic = ARC_FOREVER;
      entry->allocation = buffer;
    }
    arc_device_unlock(device);
  }
  return buffer ? (void *)(uintptr_t)buffer->range.start : substitute(site, device, size);
}

/* Whether these routines returned the address: unified memory, or its substitute. */
static bool given_out(const arc_site *site, const void *host) {
  struct arc_device *device = arc_device_current(site);
  arc_device_lock(device);
  const struct arc_entry *entry = arc_present_at(device, host);
  bool known = entry && entry->allocation;
  arc_device_unlock(device);
  pthread_mutex_lock(&lock);
  known = known || arc_range_at(&substitutes, (uintptr_t)host);
  pthread_mutex_unlock(&lock);
  return known;
}

void *acc_create_unified(void *host, size_t size) {
  arc_site site = called("acc_create_unified");
  (void)host;
  return create(&site, size);
}

void *acc_pcreate_unified(void *host, size_t size) {
  arc_site site = called("acc_pcreate_unified");
  return host && given_out(&site, host) ? host : create(&site, size);
}

void *acc_copyin_unified(void *host, size_t size) {
  arc_site site = called("acc_copyin_unified");
  void *memory = create(&site, size);
  if (host && memory) memcpy(memory, host, size);
  return memory;
}

void *acc_pcopyin_unified(void *host, size_t size) {
  arc_site site = called("acc_pcopyin_unified");
  return host && given_out(&site, host) ? host : acc_copyin_unified(host, size);
}

void *acc_present_or_create_unified(void *host, size_t size) { return acc_pcreate_unified(host, size); }
void *acc_present_or_copyin_unified(void *host, size_t size) { return acc_pcopyin_unified(host, size); }

/* Removes the block from the table; NULL if it is not in it. */
static void *take_substitute(void *memory) {
  pthread_mutex_lock(&lock);
  struct arc_range *range = arc_range_at(&substitutes, (uintptr_t)memory);
  if (range) arc_range_remove(&substitutes, range);
  pthread_mutex_unlock(&lock);
  if (!range) return NULL;
  void *start = (void *)(uintptr_t)range->start;
  free(range);
  return start;
}

void acc_delete_unified(void *memory, size_t size) {
  arc_site site = called("acc_delete_unified");
  (void)size;
  if (!memory) return;
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  struct arc_entry *entry = arc_present_at(device, memory);
  bool unified = entry && entry->allocation;
  if (unified) {
    arc_queue_finish_all(device, &site); /* kernels may still use it */
    arc_present_remove(device, device->sync, entry);
  }
  arc_device_unlock(device);
  if (unified) return;
  void *start = take_substitute(memory);
  free(start ? start : memory);
}

void acc_copyout_unified(void *memory, size_t size) {
  acc_wait_all(); /* its contents are the host's already, once kernels are done */
  acc_delete_unified(memory, size);
}
