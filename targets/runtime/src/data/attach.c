/* attach.c: attached pointers. */
#include "data/attach.h"
#include "launch/queue.h"
#include <stdlib.h>
#include <string.h>

struct attachment {
  struct arc_range range; /* the host pointer's own bytes */
  const void *target;     /* what it pointed to when it was attached */
  uint64_t address;       /* what its device copy points to */
  size_t count;
};

static struct attachment *find(struct arc_device *device, void *const *pointer) {
  struct arc_range *range = arc_range_at(&device->present->attachments, (uintptr_t)pointer);
  return range && range->start == (uintptr_t)pointer ? (struct attachment *)range : NULL;
}

static void write_pointer(struct arc_device *device, struct arc_queue *queue,
                          const struct arc_transfer *transfer, struct arc_entry *holder,
                          void *const *pointer, uint64_t value) {
  uintptr_t bits = (uintptr_t)value;
  const void *bytes = arc_queue_hold(queue, &bits, sizeof bits);
  arc_transfer_write(device, queue, transfer, arc_present_place(device, queue, holder, pointer), bytes, sizeof bits);
}

void arc_attach(struct arc_device *device, struct arc_queue *queue, const arc_site *site, const char *name,
                void **pointer, const void *at) {
  struct arc_entry *holder = arc_present_at(device, pointer);
  struct arc_entry *target = holder && *pointer ? arc_present_at(device, at) : NULL;
  if (!target || (holder->unified && target->unified)) return;
  struct attachment *attachment = find(device, pointer);
  if (!attachment) {
    attachment = arc_allocate(sizeof *attachment);
    attachment->range = (struct arc_range){.start = (uintptr_t)pointer, .size = sizeof *pointer};
    arc_range_insert(&device->present->attachments, &attachment->range);
  }
  attachment->count++;
  uint64_t address = arc_memory_address(device, site, arc_present_place(device, queue, target, at)) -
                     (uint64_t)((uintptr_t)at - (uintptr_t)*pointer);
  if (attachment->target == *pointer && attachment->address == address) return;
  attachment->target = *pointer;
  attachment->address = address;
  struct arc_transfer transfer = {.site = site, .name = name, .action = "attach", .held = true};
  write_pointer(device, queue, &transfer, holder, pointer, address);
}

static void forget(struct arc_device *device, struct attachment *attachment) {
  arc_range_remove(&device->present->attachments, &attachment->range);
  free(attachment);
}

void arc_detach(struct arc_device *device, struct arc_queue *queue, const arc_site *site, const char *name,
                void **pointer, bool finalize) {
  struct attachment *attachment = find(device, pointer);
  if (!attachment || (--attachment->count && !finalize)) return;
  struct arc_entry *holder = arc_present_at(device, pointer);
  struct arc_transfer transfer = {.site = site, .name = name, .action = "detach", .held = true};
  if (holder) write_pointer(device, queue, &transfer, holder, pointer, (uintptr_t)attachment->target);
  forget(device, attachment);
}

static struct attachment *first_in(struct arc_device *device, uint64_t start, uint64_t end) {
  struct arc_range *range = arc_range_after(&device->present->attachments, start);
  return range && range->start < end ? (struct attachment *)range : NULL;
}

void arc_attach_forget(struct arc_device *device, const struct arc_entry *entry) {
  uint64_t end = entry->range.start + entry->range.size;
  for (struct attachment *attachment; (attachment = first_in(device, entry->range.start, end));)
    forget(device, attachment);
}

/* The pieces of [start, end) between attached pointers. */
struct pieces {
  struct arc_device *device;
  uint64_t at, end;
};

static bool next_piece(struct pieces *pieces, uint64_t *start, size_t *bytes) {
  while (pieces->at < pieces->end) {
    const struct arc_range *pointer =
        arc_range_touching(&pieces->device->present->attachments, pieces->at, pieces->end - pieces->at);
    uint64_t stop = pointer ? pointer->start : pieces->end;
    bool between = pieces->at < stop;
    *start = pieces->at;
    *bytes = between ? (size_t)(stop - pieces->at) : 0;
    pieces->at = pointer ? pointer->start + pointer->size : stop;
    if (between) return true;
  }
  return false;
}

void arc_attach_write(struct arc_device *device, struct arc_queue *queue, const struct arc_transfer *transfer,
                      struct arc_entry *entry, const void *host, size_t bytes) {
  if (entry->unified) return;
  struct pieces pieces = {device, (uintptr_t)host, (uintptr_t)host + bytes};
  uint64_t start;
  for (size_t part; next_piece(&pieces, &start, &part);) {
    const char *from = (const char *)host + (start - (uintptr_t)host);
    arc_transfer_write(device, queue, transfer, arc_present_place(device, queue, entry, from), from, part);
  }
}

void arc_attach_read(struct arc_device *device, struct arc_queue *queue, const struct arc_transfer *transfer,
                     struct arc_entry *entry, void *host, size_t bytes) {
  if (entry->unified) return;
  struct pieces pieces = {device, (uintptr_t)host, (uintptr_t)host + bytes};
  uint64_t start;
  for (size_t part; next_piece(&pieces, &start, &part);) {
    char *to = (char *)host + (start - (uintptr_t)host);
    arc_transfer_read(device, queue, transfer, to, arc_present_place(device, queue, entry, to), part);
  }
}

void arc_attach_mask(struct arc_device *device, unsigned char *bytes, const void *host, size_t size) {
  uint64_t start = (uintptr_t)host, end = start + size;
  for (struct attachment *attachment; (attachment = first_in(device, start, end));) {
    size_t offset = (size_t)(attachment->range.start - (uintptr_t)host);
    size_t length = size - offset < sizeof(void *) ? size - offset : sizeof(void *);
    memcpy(bytes + offset, (const char *)host + offset, length);
    start = attachment->range.start + 1;
  }
}

void arc_attach_close(struct arc_device *device) {
  while (device->present->attachments.root)
    forget(device, (struct attachment *)device->present->attachments.root);
}
