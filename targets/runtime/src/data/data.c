/* data.c: the effects of data clauses on entry, on exit and in update. */
#include "data/data.h"
#include "data/attach.h"
#include "data/check.h"
#include "data/counts.h"
#include "data/memory.h"
#include "data/present.h"
#include "data/pieces.h"
#include "launch/queue.h"
#include "launch/steps.h"
#include "report/tool.h"
#include "data/transfer.h"
#include <stdlib.h>

/* A directive in progress: the device is locked. */
struct directive {
  struct arc_device *device;
  struct arc_queue *queue;
  const arc_site *site;
  struct arc_counting counting;
  acc_event_t event; /* its start, for tools, */
  void *told;        /* and what they keep until its end */
};

static struct arc_tool_place place_of(const struct directive *directive) {
  return (struct arc_tool_place){directive->device, directive->queue, directive->site,
                                 .implicit = arc_tool_is_compute(directive->site)};
}

static const char *const map_names[] = {
    [ARC_COPY] = "copy",
    [ARC_COPYIN] = "copyin",
    [ARC_COPYOUT] = "copyout",
    [ARC_CREATE] = "create",
    [ARC_PRESENT] = "present",
    [ARC_NO_CREATE] = "no_create",
    [ARC_DELETE] = "delete",
    [ARC_ATTACH] = "attach",
    [ARC_DETACH] = "detach",
    [ARC_DEVICEPTR] = "deviceptr",
    [ARC_UPDATE_SELF] = "update self",
    [ARC_UPDATE_DEVICE] = "update device",
    [ARC_DEVICE_RESIDENT] = "device_resident",
    [ARC_LINK] = "link",
};

static struct arc_transfer transfer_of(const struct directive *directive, const arc_item *item) {
  return (struct arc_transfer){.site = directive->site, .name = item->name, .action = map_names[item->map],
                               .implicit = item->flags & ARC_IMPLICIT};
}

/* Nothing to map: a null pointer, device memory, data that is mapped elsewhere. */
static bool maps_nothing(const arc_item *item) {
  return !item->host || !item->map || item->map == ARC_DEVICEPTR || item->map == ARC_LINK;
}

static bool copies_in(const arc_item *item) { return item->map == ARC_COPY || item->map == ARC_COPYIN; }
static bool copies_out(const arc_item *item) { return item->map == ARC_COPY || item->map == ARC_COPYOUT; }

/* Up to this size, copying the host's bytes is cheaper than waiting for their transfer. */
enum { small = 16384 };

/* The transfer of an item, piece by piece. */
struct moving {
  struct directive *directive;
  const arc_item *item;
  struct arc_entry *entry;
  bool first; /* the entry is new */
};

static void write_piece(void *context, char *host, size_t bytes) {
  const struct moving *moving = context;
  struct directive *directive = moving->directive;
  struct arc_device *device = directive->device;
  struct arc_entry *entry = moving->entry;
  struct arc_transfer transfer = transfer_of(directive, moving->item);
  arc_check_write(device, &transfer, entry, host, bytes, moving->first);
  transfer.held = moving->first && directive->queue == device->sync && bytes <= small && !entry->unified;
  if (transfer.held) {
    /* Nothing can be attached inside a new entry. */
    const void *held = arc_queue_hold(directive->queue, host, bytes);
    struct arc_place place = arc_place_at(entry->place, host - (char *)moving->item->host);
    arc_transfer_write(device, directive->queue, &transfer, place, held, bytes);
  } else {
    arc_attach_write(device, directive->queue, &transfer, entry, host, bytes);
  }
  arc_check_moved(device, entry, host, bytes);
}

static void copy_in(struct directive *directive, const arc_item *item, struct arc_entry *entry, bool first) {
  arc_pieces_each(item, write_piece, &(struct moving){directive, item, entry, first});
}

static void read_piece(void *context, char *host, size_t bytes) {
  const struct moving *moving = context;
  struct directive *directive = moving->directive;
  struct arc_transfer transfer = transfer_of(directive, moving->item);
  arc_check_read(directive->device, &transfer, moving->entry, host, bytes);
  arc_attach_read(directive->device, directive->queue, &transfer, moving->entry, host, bytes);
  arc_check_moved(directive->device, moving->entry, host, bytes);
}

static void copy_out(struct directive *directive, const arc_item *item, struct arc_entry *entry) {
  arc_pieces_each(item, read_piece, &(struct moving){directive, item, entry, false});
}

/* The pointer to attach, or NULL. */
static void **attached(const arc_item *item) { return item->flags & ARC_BASED ? NULL : item->pointer; }

/* A section without bytes; a `place` always has some. */
static bool is_empty(const arc_item *item) { return !item->size && !(item->flags & ARC_PLACE); }

/* Whether a missing section gets a copy. */
static bool makes(const arc_item *item) { return item->map != ARC_PRESENT && item->map != ARC_NO_CREATE; }

/* Whether the entry has only a part of what the item names, or not the place that it names. */
static bool is_part(const arc_item *item, const struct arc_entry *entry) {
  return !arc_range_holds(&entry->range, (uintptr_t)item->host, item->flags & ARC_PLACE ? 1 : item->size);
}

static struct arc_entry *present(const struct directive *directive, const arc_item *item) {
  if (item->flags & ARC_PLACE) {
    struct arc_entry *entry = arc_present_at(directive->device, item->host);
    if (entry || arc_present_is_empty(directive->device, item->host)) return entry;
    return arc_present_beside(directive->device, directive->site, item->name, item->host, item->size);
  }
  if (item->flags & ARC_IN_PART && item->structure)
    return arc_present_members(directive->device, directive->site, item->name, item->host, item->size, item->structure);
  if (item->flags & ARC_IN_PART)
    return arc_present_piece(directive->device, directive->site, item->name, item->host, item->size);
  return arc_present_section(directive->device, directive->site, item->name, item->host, item->size);
}

/* What the item began to refer to: other parts may be present since, of which the directive leaves some, too. */
static struct arc_entry *referred(const struct directive *directive, const arc_item *item) {
  bool may_be_part = item->flags & (ARC_IN_PART | ARC_PLACE) || directive->device->shared;
  struct arc_entry *part = may_be_part ? arc_present_part(directive->device, item->host) : NULL;
  return part ? part : present(directive, item);
}

/* One that the directive has made for another member of the structure of the item at `at`, or NULL. */
static struct arc_entry *new_sibling(const struct directive *directive, const arc_item *items, size_t at) {
  for (size_t i = at; items[at].structure && i-- > 0;) {
    if (items[i].structure != items[at].structure) continue;
    struct arc_entry *other = arc_present_at(directive->device, items[i].host);
    if (other && arc_count_is_new(&directive->counting, other)) return other;
  }
  return NULL;
}

/* Of the types of C and OpenCL. */
enum { most_aligned = 128 };

/* Memory for the item at `at`. Members of one structure have it together, so that regions can use the structure. */
static struct arc_place memory_for(struct directive *directive, const struct arc_flat *flat, size_t at) {
  const arc_item *item = &flat->items[at];
  struct arc_device *device = directive->device;
  if (item->flags & ARC_PIPE) return (struct arc_place){NULL, 0};
  const struct arc_entry *sibling = item->structure ? new_sibling(directive, flat->items, at) : NULL;
  if (sibling && sibling->place.buffer && sibling->place.buffer != &device->whole) {
    sibling->place.buffer->sharers++;
    return arc_place_at(sibling->place, (int64_t)((uintptr_t)item->host - sibling->range.start));
  }
  uintptr_t start = (uintptr_t)item->host, end = start + item->size;
  for (size_t i = 0; item->structure && i < flat->count; i++) {
    const arc_item *other = &flat->items[i];
    if (other->structure != item->structure) continue;
    if ((uintptr_t)other->host < start) start = (uintptr_t)other->host;
    if ((uintptr_t)other->host + other->size > end) end = (uintptr_t)other->host + other->size;
  }
  /* The copy is aligned as the structure is. */
  if (item->structure) start &= ~(uintptr_t)(most_aligned - 1);
  struct arc_buffer *buffer = arc_memory_allocate(device, directive->queue, directive->site, end - start, item->name);
  return (struct arc_place){buffer, (int64_t)((uintptr_t)item->host - start)};
}

static struct arc_entry *create(struct directive *directive, const struct arc_flat *flat, size_t at) {
  struct arc_device *device = directive->device;
  const arc_item *item = &flat->items[at];
  struct arc_place place = {&device->whole, (int64_t)(uintptr_t)item->host};
  bool apart = !device->shared || item->flags & ARC_CAPTURE;
  if (apart) place = memory_for(directive, flat, at);
  struct arc_entry *entry =
      arc_present_insert(device, directive->site, item->name, item->host, item->size, place, apart);
  if (item->flags & ARC_BASED) entry->base = (uintptr_t)item->pointer;
  arc_check_created(device, entry);
  struct arc_transfer transfer = transfer_of(directive, item);
  if (copies_in(item))
    copy_in(directive, item, entry, true);
  else if (item->flags & ARC_ZERO)
    arc_transfer_fill(device, directive->queue, &transfer, place, 0, item->size);
  return entry;
}

/* Enters the item at `at` of the directive's. */
static void enter(struct directive *directive, const struct arc_flat *flat, size_t at) {
  const arc_item *item = &flat->items[at];
  struct arc_device *device = directive->device;
  if (item->map == ARC_ATTACH) {
    if (item->pointer)
      arc_attach(device, directive->queue, directive->site, item->name, item->pointer, *item->pointer);
    return;
  }
  if (maps_nothing(item)) return;
  bool place = item->flags & ARC_PLACE;
  struct arc_entry *entry = is_empty(item) ? NULL : present(directive, item);
  bool nothing = place && !entry && (arc_present_is_empty(device, item->host) || (!item->size && makes(item)));
  if (is_empty(item) || nothing) {
    arc_present_empty_enter(device, item->host);
    return;
  }
  if (!entry) {
    if (item->map == ARC_PRESENT)
      arc_present_missing(device, directive->site, item->name, item->host, item->size);
    if (item->map == ARC_NO_CREATE) return;
    struct arc_entry *sibling = new_sibling(directive, flat->items, at);
    entry = create(directive, flat, at);
    arc_count_begin(&directive->counting, entry);
    /* What a construct maps of a structure stays together. */
    if (sibling) arc_count_join(sibling, entry);
  } else if (item->flags & ARC_ALWAYS_IN) {
    copy_in(directive, item, entry, false);
  }
  if (is_part(item, entry)) arc_present_part_enter(device, item->host, entry);
  arc_count_up(&directive->counting, item, entry);
  if (attached(item))
    arc_attach(device, directive->queue, directive->site, item->name, item->pointer, item->host);
}

/* What is left to do for an item of an exit when all references are counted. */
struct leaving {
  arc_item item; /* of what is present */
  struct arc_entry *entry; /* NULL: nothing */
  bool last;               /* nothing refers to it any more, */
  bool removes;            /* because of this item */
};

/* Counts an item's references, and detaches its pointer. */
static struct leaving settle(struct directive *directive, const arc_item *item) {
  struct arc_device *device = directive->device;
  struct leaving leaving = {.item = *item};
  if (item->map == ARC_ATTACH || item->map == ARC_DETACH) {
    if (item->pointer)
      arc_detach(device, directive->queue, directive->site, item->name, item->pointer,
                 item->flags & ARC_FINALIZE);
    return leaving;
  }
  if (maps_nothing(item)) return leaving;
  if (is_empty(item)) {
    arc_present_empty_exit(device, item->host);
    return leaving;
  }
  /* Data that was absent at entry may be partly present since, because of inner directives. */
  struct arc_entry *entry = item->map == ARC_NO_CREATE && !(item->flags & ARC_PLACE)
                                ? arc_present_whole(device, item->host, item->size)
                                : referred(directive, item);
  if (!entry) {
    if (item->flags & ARC_PLACE) arc_present_empty_exit(device, item->host);
    return leaving;
  }
  if (attached(item))
    arc_detach(device, directive->queue, directive->site, item->name, item->pointer,
               item->flags & ARC_FINALIZE);
  if (is_part(item, entry)) {
    arc_present_part_exit(device, item->host);
    leaving.item.host = (void *)(uintptr_t)entry->range.start;
    leaving.item.size = entry->range.size;
  }
  leaving.entry = entry;
  bool counted = !arc_count_is_zero(entry);
  arc_count_down(&directive->counting, item, entry);
  leaving.last = arc_count_is_zero(entry);
  leaving.removes = counted && leaving.last;
  return leaving;
}

static void bring_back(struct directive *directive, const struct leaving *leaving) {
  const arc_item *item = &leaving->item;
  if ((leaving->last && copies_out(item)) || item->flags & ARC_ALWAYS_OUT)
    copy_out(directive, item, leaving->entry);
}

static void await_siblings(struct directive *directive, struct arc_entry *entry) {
  struct arc_entry *each = entry;
  do {
    arc_present_await(directive->device, directive->queue, directive->site, each);
    each = each->sibling;
  } while (each != entry);
}

/* Removes an entry, and the siblings that go with it. */
static void remove_siblings(struct directive *directive, const arc_item *item, struct arc_entry *entry) {
  struct arc_transfer transfer = transfer_of(directive, item);
  while (entry) {
    struct arc_entry *next = arc_count_leave(entry);
    arc_check_removed(directive->device, &transfer, entry, item->map != ARC_COPYIN);
    arc_present_remove(directive->device, directive->queue, entry);
    entry = next;
  }
}

/*
 * Several items may name parts of one piece of data, so all of them are counted before the first is brought back, and
 * brought back before the first is removed.
 */
static void leave_all(struct directive *directive, size_t n, const arc_item *items) {
  enum { few = 16 };
  struct leaving some[few], *all = n <= few ? some : arc_allocate(n * sizeof *all);
  for (size_t i = n; i-- > 0;) all[i] = settle(directive, &items[i]);
  for (size_t i = n; i-- > 0;)
    if (all[i].removes) await_siblings(directive, all[i].entry);
  for (size_t i = n; i-- > 0;)
    if (all[i].entry) bring_back(directive, &all[i]);
  for (size_t i = n; i-- > 0;)
    if (all[i].removes) remove_siblings(directive, &all[i].item, all[i].entry);
  if (all != some) free(all);
}

static void update(struct directive *directive, const arc_item *item) {
  struct arc_device *device = directive->device;
  if (!item->host || !item->size) return;
  struct arc_entry *entry = arc_present_section(device, directive->site, item->name, item->host, item->size);
  if (!entry) {
    if (item->flags & ARC_IF_PRESENT) return;
    arc_present_missing(device, directive->site, item->name, item->host, item->size);
  }
  if (item->map == ARC_UPDATE_SELF)
    copy_out(directive, item, entry);
  else
    copy_in(directive, item, entry, false);
}

/* The directive's own events, and the lock around its work. */
static struct directive begin(const arc_site *site, int async, bool structured, acc_event_t event) {
  struct arc_device *device = arc_device_current(site);
  arc_device_lock(device);
  struct directive directive = {device, arc_queue_of(device, site, async), site, arc_count_directive(device, structured),
                                event, NULL};
  arc_tool_other(event, place_of(&directive), &directive.told);
  return directive;
}

static void end(struct directive *directive, bool waits) {
  /* The event of the end follows that of the start. */
  arc_tool_other(directive->event + 1, place_of(directive), &directive->told);
  if (waits) arc_queue_settle(directive->device, directive->queue, directive->site);
  arc_device_unlock(directive->device);
}

void arc_data_begin(const arc_site *site, int async, size_t n, const arc_item *items) {
  if (arc_tool_is_compute(site)) arc_tool_enter_compute(arc_device_current(site), site);
  struct directive directive = begin(site, async, true, acc_ev_enter_data_start);
  struct arc_flat flat = arc_flatten(ARC_ENTERS, n, items);
  for (size_t i = 0; i < flat.count; i++) enter(&directive, &flat, i);
  arc_flat_free(&flat);
  end(&directive, async != ARC_JOINED);
}

void arc_data_end(const arc_site *site, int async, size_t n, const arc_item *items) {
  struct directive directive = begin(site, async, true, acc_ev_exit_data_start);
  struct arc_flat flat = arc_flatten(ARC_LEAVES, n, items);
  leave_all(&directive, flat.count, flat.items);
  arc_flat_free(&flat);
  end(&directive, true);
  if (arc_tool_in_compute() && arc_tool_is_compute(site)) arc_tool_leave_compute(directive.device, site);
}

void arc_enter_data(const arc_site *site, int async, size_t n, const arc_item *items) {
  struct directive directive = begin(site, async, false, acc_ev_enter_data_start);
  struct arc_flat flat = arc_flatten(ARC_ENTERS, n, items);
  for (size_t i = 0; i < flat.count; i++) enter(&directive, &flat, i);
  arc_flat_free(&flat);
  end(&directive, true);
}

void arc_exit_data(const arc_site *site, int async, size_t n, const arc_item *items) {
  struct directive directive = begin(site, async, false, acc_ev_exit_data_start);
  struct arc_flat flat = arc_flatten(ARC_LEAVES, n, items);
  leave_all(&directive, flat.count, flat.items);
  arc_flat_free(&flat);
  end(&directive, true);
}

void arc_update(const arc_site *site, int async, size_t n, const arc_item *items) {
  struct directive directive = begin(site, async, false, acc_ev_update_start);
  struct arc_flat flat = arc_flatten(ARC_UPDATES, n, items);
  for (size_t i = 0; i < flat.count; i++) update(&directive, &flat.items[i]);
  arc_flat_free(&flat);
  end(&directive, true);
}

void arc_data_require(struct arc_device *device, const arc_site *site, size_t n, const arc_item *items) {
  const struct directive directive = {.device = device, .site = site};
  for (size_t i = 0; i < n; i++) {
    const arc_item *item = &items[i];
    if (maps_nothing(item) || is_empty(item) || present(&directive, item)) continue;
    if (item->flags & ARC_PLACE && arc_present_is_empty(device, item->host)) continue;
    arc_present_missing(device, site, item->name, item->host, item->size);
  }
}

void *arc_use_device(const arc_site *site, const void *host, const char *name, int if_present) {
  struct arc_device *device = arc_device_current(site);
  arc_device_lock(device);
  arc_steps_make(device);
  arc_queue_finish(device, device->sync, site); /* the address may go to a library with queues of its own */
  struct arc_entry *entry = arc_present_at(device, host);
  if (!entry) entry = arc_present_based(device, site, name, host);
  if (!entry && !if_present && !arc_present_is_empty(device, host))
    arc_present_missing(device, site, name, host, 0);
  void *address = (void *)host;
  if (entry) address = (void *)(uintptr_t)arc_memory_address(device, site, arc_present_place(device, device->sync, entry, host));
  arc_device_unlock(device);
  return address;
}
