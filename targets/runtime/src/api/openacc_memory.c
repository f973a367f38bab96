/* openacc_memory.c: the OpenACC routines for memory: the data directives without a directive. */
#include "data/attach.h"
#include "data/memory.h"
#include "openacc.h"
#include "data/present.h"
#include "launch/queue.h"
#include "launch/steps.h"
#include "data/transfer.h"
#include "report/tool.h"
#include <stdlib.h>

static arc_site called(const char *routine) { return (arc_site){.what = routine}; }

static arc_item item_of(void *host, size_t size, enum arc_map map, unsigned flags) {
  return (arc_item){
      .name = "its argument", .host = host, .size = size, .map = (uint16_t)map, .flags = (uint16_t)flags};
}

static void enter(const char *routine, void *host, size_t size, enum arc_map map, int async) {
  arc_site site = called(routine);
  arc_item item = item_of(host, size, map, 0);
  arc_enter_data(&site, async, 1, &item);
}

static void leave(const char *routine, void *host, size_t size, enum arc_map map, unsigned flags, int async) {
  arc_site site = called(routine);
  arc_item item = item_of(host, size, map, flags);
  arc_exit_data(&site, async, 1, &item);
}

static void update(const char *routine, void *host, size_t size, enum arc_map map, int async) {
  arc_site site = called(routine);
  arc_item item = item_of(host, size, map, 0);
  arc_update(&site, async, 1, &item);
}

/* ---- allocation ---- */

void *acc_malloc(size_t size) {
  arc_site site = called("acc_malloc");
  if (!size) return NULL;
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  struct arc_buffer *buffer =
      arc_memory_try(device, arc_queue_of(device, &site, ARC_SYNC), &site, size, "acc_malloc");
  void *address = NULL;
  if (buffer) address = (void *)(uintptr_t)arc_memory_address(device, &site, (struct arc_place){buffer, 0});
  const struct arc_tool_place at = {.device = device, .site = &site};
  if (buffer) arc_tool_data(acc_ev_alloc, at, NULL, NULL, (struct arc_place){buffer, 0}, size, NULL);
  arc_queue_settle(device, device->sync, &site);
  arc_device_unlock(device);
  return address;
}

void acc_free(void *address) {
  arc_site site = called("acc_free");
  if (!address) return;
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  struct arc_place place;
  if (!arc_memory_place(device, (uintptr_t)address, &place) || place.offset != 0 ||
      place.buffer == &device->whole)
    arc_device_fail(device, &site, "device-pointer",
                    "pass what acc_malloc returned, once, on the same device", "%p is no allocation of %s",
                    address, device->name);
  arc_steps_make(device);
  const struct arc_tool_place at = {.device = device, .site = &site};
  arc_tool_data(acc_ev_free, at, NULL, NULL, place, (size_t)place.buffer->bytes, NULL);
  arc_memory_recycle(device, place.buffer);
  arc_device_unlock(device);
}

/* ---- mapping ---- */

void *acc_deviceptr(void *host) {
  arc_site site = called("acc_deviceptr");
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  arc_steps_make(device);
  arc_queue_finish(device, device->sync, &site); /* as for host_data */
  struct arc_entry *entry = arc_present_at(device, host);
  uint64_t address = entry ? arc_memory_address(device, &site, arc_present_place(device, device->sync, entry, host)) : 0;
  arc_device_unlock(device);
  return (void *)(uintptr_t)address;
}

void *acc_copyin(void *host, size_t size) {
  enter("acc_copyin", host, size, ARC_COPYIN, ARC_SYNC);
  return acc_deviceptr(host);
}
void *acc_create(void *host, size_t size) {
  enter("acc_create", host, size, ARC_CREATE, ARC_SYNC);
  return acc_deviceptr(host);
}
void acc_copyin_async(void *host, size_t size, int async) {
  enter("acc_copyin_async", host, size, ARC_COPYIN, async);
}
void acc_create_async(void *host, size_t size, int async) {
  enter("acc_create_async", host, size, ARC_CREATE, async);
}
void *acc_present_or_copyin(void *host, size_t size) { return acc_copyin(host, size); }
void *acc_present_or_create(void *host, size_t size) { return acc_create(host, size); }
void *acc_pcopyin(void *host, size_t size) { return acc_copyin(host, size); }
void *acc_pcreate(void *host, size_t size) { return acc_create(host, size); }

void acc_copyout(void *host, size_t size) { leave("acc_copyout", host, size, ARC_COPYOUT, 0, ARC_SYNC); }
void acc_copyout_async(void *host, size_t size, int async) {
  leave("acc_copyout_async", host, size, ARC_COPYOUT, 0, async);
}
void acc_copyout_finalize(void *host, size_t size) {
  leave("acc_copyout_finalize", host, size, ARC_COPYOUT, ARC_FINALIZE, ARC_SYNC);
}
void acc_copyout_finalize_async(void *host, size_t size, int async) {
  leave("acc_copyout_finalize_async", host, size, ARC_COPYOUT, ARC_FINALIZE, async);
}
void acc_delete(void *host, size_t size) { leave("acc_delete", host, size, ARC_DELETE, 0, ARC_SYNC); }
void acc_delete_async(void *host, size_t size, int async) {
  leave("acc_delete_async", host, size, ARC_DELETE, 0, async);
}
void acc_delete_finalize(void *host, size_t size) {
  leave("acc_delete_finalize", host, size, ARC_DELETE, ARC_FINALIZE, ARC_SYNC);
}
void acc_delete_finalize_async(void *host, size_t size, int async) {
  leave("acc_delete_finalize_async", host, size, ARC_DELETE, ARC_FINALIZE, async);
}

void acc_update_device(void *host, size_t size) {
  update("acc_update_device", host, size, ARC_UPDATE_DEVICE, ARC_SYNC);
}
void acc_update_device_async(void *host, size_t size, int async) {
  update("acc_update_device_async", host, size, ARC_UPDATE_DEVICE, async);
}
void acc_update_self(void *host, size_t size) {
  update("acc_update_self", host, size, ARC_UPDATE_SELF, ARC_SYNC);
}
void acc_update_self_async(void *host, size_t size, int async) {
  update("acc_update_self_async", host, size, ARC_UPDATE_SELF, async);
}

void acc_map_data(void *host, void *address, size_t size) {
  arc_site site = called("acc_map_data");
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  struct arc_place place;
  if (!arc_memory_place(device, (uintptr_t)address, &place))
    arc_device_fail(device, &site, "device-pointer", "pass what acc_malloc returned",
                    "%p is no address in the memory of %s", address, device->name);
  if (arc_present_section(device, &site, "its argument", host, size))
    arc_device_fail(device, &site, "already-present", "delete the data first", "%p is present on %s already",
                    host, device->name);
  if (size) arc_present_insert(device, &site, "mapped data", host, size, place, false)->dynamic = ARC_FOREVER;
  arc_device_unlock(device);
}

void acc_unmap_data(void *host) {
  arc_site site = called("acc_unmap_data");
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  struct arc_entry *entry = arc_present_at(device, host);
  if (!entry || entry->owned || entry->dynamic != ARC_FOREVER)
    arc_device_fail(device, &site, "not-mapped", "pass the host address that acc_map_data got",
                    "%p was not mapped by acc_map_data", host);
  arc_present_remove(device, device->sync, entry);
  arc_device_unlock(device);
}

void *acc_hostptr(void *address) {
  arc_site site = called("acc_hostptr");
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  struct arc_place place;
  void *host = NULL;
  if (arc_memory_place(device, (uintptr_t)address, &place)) {
    const struct arc_range_map *entries = &device->present->entries;
    for (struct arc_range *range = arc_range_after(entries, 0); range && !host;
         range = arc_range_after(entries, range->start + 1)) {
      const struct arc_entry *entry = (const struct arc_entry *)range;
      int64_t offset = place.offset - entry->place.offset;
      if (entry->place.buffer == place.buffer && offset >= 0 && (uint64_t)offset < range->size)
        host = (void *)(uintptr_t)(range->start + (uint64_t)offset);
    }
  }
  arc_device_unlock(device);
  return host;
}

/* Whether a directive or routine mapped all of it. */
static bool is_mapped(const struct arc_device *device, const void *host, size_t size) {
  const struct arc_range *range = arc_range_at(&device->present->entries, (uintptr_t)host);
  return range && arc_range_holds(range, (uintptr_t)host, size);
}

/* For openmp.c. */
int arc_is_mapped(const void *host, size_t size);
int arc_is_mapped(const void *host, size_t size) {
  arc_site site = called("omp_target_is_present");
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  bool mapped = is_mapped(device, host, size);
  arc_device_unlock(device);
  return mapped;
}

/* OpenACC asks whether the device can access it, so what lies in memory that it shares is there, mapped or not. */
int acc_is_present(void *host, size_t size) {
  arc_site site = called("acc_is_present");
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  bool present = (device->shared && host) || is_mapped(device, host, size);
  arc_device_unlock(device);
  return present;
}

/* ---- copies ---- */

static struct arc_place place_of(struct arc_device *device, const arc_site *site, void *address) {
  struct arc_place place;
  if (!arc_memory_place(device, (uintptr_t)address, &place))
    arc_device_fail(device, site, "device-pointer", "pass what acc_malloc or acc_deviceptr returned",
                    "%p is no address in the memory of %s", address, device->name);
  return place;
}

enum direction { TO_DEVICE, FROM_DEVICE, WITHIN_DEVICE };

static void copy(const char *routine, enum direction direction, void *to, void *from, size_t size,
                 int async) {
  arc_site site = called(routine);
  struct arc_device *device = arc_device_current(&site);
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, &site, async);
  struct arc_transfer transfer = {.site = &site, .name = "memory", .action = routine};
  if (size && direction == TO_DEVICE)
    arc_transfer_write(device, queue, &transfer, place_of(device, &site, to), from, size);
  if (size && direction == FROM_DEVICE)
    arc_transfer_read(device, queue, &transfer, to, place_of(device, &site, from), size);
  if (size && direction == WITHIN_DEVICE)
    arc_transfer_copy(device, queue, &transfer, place_of(device, &site, to), place_of(device, &site, from),
                      size);
  arc_queue_settle(device, queue, &site);
  arc_device_unlock(device);
}

void acc_memcpy_to_device(void *to, void *from, size_t size) {
  copy("acc_memcpy_to_device", TO_DEVICE, to, from, size, ARC_SYNC);
}
void acc_memcpy_to_device_async(void *to, void *from, size_t size, int async) {
  copy("acc_memcpy_to_device_async", TO_DEVICE, to, from, size, async);
}
void acc_memcpy_from_device(void *to, void *from, size_t size) {
  copy("acc_memcpy_from_device", FROM_DEVICE, to, from, size, ARC_SYNC);
}
void acc_memcpy_from_device_async(void *to, void *from, size_t size, int async) {
  copy("acc_memcpy_from_device_async", FROM_DEVICE, to, from, size, async);
}
void acc_memcpy_device(void *to, void *from, size_t size) {
  copy("acc_memcpy_device", WITHIN_DEVICE, to, from, size, ARC_SYNC);
}
void acc_memcpy_device_async(void *to, void *from, size_t size, int async) {
  copy("acc_memcpy_device_async", WITHIN_DEVICE, to, from, size, async);
}

static void *device_copy(const arc_site *site, void *host) {
  void *address = acc_deviceptr(host);
  if (!address) {
    struct arc_device *device = arc_device_current(site);
    arc_device_lock(device);
    arc_present_missing(device, site, "its argument", host, 0);
  }
  return address;
}

/* Two devices can only exchange data through the host, which is done on return. */
static void copy_across(const char *routine, void *to, void *from, size_t size, int to_number,
                        int from_number) {
  arc_site site = called(routine);
  void *between = arc_allocate(size);
  struct arc_selection before = arc_device_selection();
  arc_device_select(-1, from_number);
  copy(routine, FROM_DEVICE, between, device_copy(&site, from), size, ARC_SYNC);
  arc_device_select(-1, to_number);
  copy(routine, TO_DEVICE, device_copy(&site, to), between, size, ARC_SYNC);
  arc_device_restore(before);
  free(between);
}

void acc_memcpy_d2d(void *to, void *from, size_t size, int to_number, int from_number) {
  copy_across("acc_memcpy_d2d", to, from, size, to_number, from_number);
}
void acc_memcpy_d2d_async(void *to, void *from, size_t size, int to_number, int from_number, int async) {
  acc_wait(async); /* what is queued comes first */
  copy_across("acc_memcpy_d2d_async", to, from, size, to_number, from_number);
}

/* ---- attach ---- */

static void attach(const char *routine, void **pointer, enum arc_map map, unsigned flags, int async) {
  arc_site site = called(routine);
  arc_item item = item_of(pointer ? *pointer : NULL, 0, map, flags);
  item.pointer = pointer;
  if (map == ARC_ATTACH)
    arc_enter_data(&site, async, 1, &item);
  else
    arc_exit_data(&site, async, 1, &item);
}

void acc_attach(void **pointer) { attach("acc_attach", pointer, ARC_ATTACH, 0, ARC_SYNC); }
void acc_attach_async(void **pointer, int async) {
  attach("acc_attach_async", pointer, ARC_ATTACH, 0, async);
}
void acc_detach(void **pointer) { attach("acc_detach", pointer, ARC_DETACH, 0, ARC_SYNC); }
void acc_detach_async(void **pointer, int async) {
  attach("acc_detach_async", pointer, ARC_DETACH, 0, async);
}
void acc_detach_finalize(void **pointer) {
  attach("acc_detach_finalize", pointer, ARC_DETACH, ARC_FINALIZE, ARC_SYNC);
}
void acc_detach_finalize_async(void **pointer, int async) {
  attach("acc_detach_finalize_async", pointer, ARC_DETACH, ARC_FINALIZE, async);
}
