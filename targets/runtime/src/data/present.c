/* present.c: the present table. */
#include "data/present.h"
#include "data/attach.h"
#include "data/check.h"
#include "launch/queue.h"
#include "report/text.h"
#include "report/tool.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mark {
  struct arc_range range; /* one byte long, only to be found */
  size_t count;
  uint64_t part; /* of `parts`: an address in the entry */
};

static void describe(struct arc_text *text, const struct arc_entry *entry) {
  arc_text_add(text, "%s (%zu bytes at %p", entry->name, (size_t)entry->range.size,
               (void *)(uintptr_t)entry->range.start);
  if (entry->site.file) arc_text_add(text, ", mapped at %s:%d", entry->site.file, entry->site.line);
  arc_text_add(text, ")");
}

static _Noreturn void partly_present(struct arc_device *device, const arc_site *site, const char *name,
                                     const void *host, size_t bytes, const struct arc_entry *entry) {
  uint64_t start = (uintptr_t)host, end = start + bytes, entry_end = entry->range.start + entry->range.size;
  uint64_t shared =
      (end < entry_end ? end : entry_end) - (start > entry->range.start ? start : entry->range.start);
  struct arc_text text = {0};
  describe(&text, entry);
  arc_device_fail(device, site, "partly-present",
                  "map the whole range once, in the outermost data region, or map ranges that do not overlap",
                  "%s (%zu bytes at %p) is only partly present on %s: %llu of its bytes belong to %s", name,
                  bytes, host, device->name, (unsigned long long)shared, arc_text_string(&text));
}

struct arc_entry *arc_present_before(const struct arc_device *device, const void *host) {
  struct arc_range *range = arc_range_before(&device->present->entries, (uintptr_t)host);
  return range && range->start + range->size == (uintptr_t)host ? (struct arc_entry *)range : NULL;
}

struct arc_entry *arc_present_whole(struct arc_device *device, const void *host, size_t bytes) {
  struct arc_range *range = arc_range_touching(&device->present->entries, (uintptr_t)host, bytes);
  return range && arc_range_holds(range, (uintptr_t)host, bytes) ? (struct arc_entry *)range : NULL;
}

struct arc_entry *arc_present_section(struct arc_device *device, const arc_site *site, const char *name,
                                      const void *host, size_t bytes) {
  struct arc_range *range = arc_range_touching(&device->present->entries, (uintptr_t)host, bytes);
  struct arc_entry *entry = (struct arc_entry *)range;
  /* Of memory that the device shares, nothing is missing. */
  if (!entry || entry->unified || arc_range_holds(range, (uintptr_t)host, bytes)) return entry;
  partly_present(device, site, name, host, bytes, entry);
}

/* Whether the copies of two entries are as far apart as what they are copies of. */
static bool is_one_piece(const struct arc_entry *one, const struct arc_entry *other) {
  return one->place.buffer && one->place.buffer == other->place.buffer &&
         (uint64_t)(other->place.offset - one->place.offset) == other->range.start - one->range.start;
}

struct arc_entry *arc_present_piece(struct arc_device *device, const arc_site *site, const char *name,
                                    const void *host, size_t bytes) {
  const struct arc_range_map *entries = &device->present->entries;
  const uint64_t end = (uintptr_t)host + bytes;
  struct arc_entry *entry = (struct arc_entry *)arc_range_touching(entries, (uintptr_t)host, bytes);
  for (const struct arc_range *next = entry ? &entry->range : NULL; next; ) {
    next = arc_range_after(entries, next->start + 1);
    if (!next || next->start >= end) break;
    if (!is_one_piece(entry, (const struct arc_entry *)next)) partly_present(device, site, name, host, bytes, entry);
  }
  return entry;
}

struct arc_entry *arc_present_members(struct arc_device *device, const arc_site *site, const char *name,
                                      const void *host, size_t bytes, const arc_ends *ends) {
  const struct arc_range_map *entries = &device->present->entries;
  struct arc_entry *entry = arc_present_piece(device, site, name, host, bytes);
  if (!entry || entry->unified) return entry;
  if (!arc_range_touching(entries, (uintptr_t)host, ends->first) ||
      !arc_range_touching(entries, (uintptr_t)host + bytes - ends->last, ends->last))
    partly_present(device, site, name, host, bytes, entry);
  return entry;
}

static _Noreturn void ambiguous(struct arc_device *device, const arc_site *site, const char *name, const void *base,
                                const struct arc_entry *one, const struct arc_entry *other) {
  struct arc_text text = {0};
  describe(&text, one);
  arc_text_add(&text, " and ");
  describe(&text, other);
  arc_device_fail(device, site, "ambiguous-pointer", "name the section that is meant in a clause of this construct",
                  "%s (%p) leads to nothing on %s itself, and to more than one section: %s", name, base, device->name,
                  arc_text_string(&text));
}

struct arc_entry *arc_present_based(struct arc_device *device, const arc_site *site, const char *name,
                                    const void *base) {
  struct arc_entry *found = NULL;
  uint64_t at = 0;
  for (struct arc_range *range; base && (range = arc_range_after(&device->present->entries, at)); at = range->start + 1) {
    struct arc_entry *entry = (struct arc_entry *)range;
    if (entry->base != (uintptr_t)base) continue;
    /* All are in the memory that the device shares. */
    if (device->shared) return entry;
    if (found) ambiguous(device, site, name, base, found, entry);
    found = entry;
  }
  return found;
}

struct arc_entry *arc_present_beside(struct arc_device *device, const arc_site *site, const char *name,
                                     const void *host, size_t bytes) {
  struct arc_entry *entry = arc_present_based(device, site, name, host);
  if (entry || !bytes) return entry;
  /* All are in the memory that the device shares. */
  if (device->shared)
    return (struct arc_entry *)arc_range_touching(&device->present->entries, (uintptr_t)host, bytes);
  return arc_present_piece(device, site, name, host, bytes);
}

static bool has_memory(const struct arc_device *device, const struct arc_entry *entry) {
  return entry->owned && entry->place.buffer && entry->place.buffer != &device->whole;
}

struct arc_entry *arc_present_insert(struct arc_device *device, const arc_site *site, const char *name,
                                     const void *host, size_t bytes, struct arc_place place, bool owned) {
  struct arc_entry *entry = arc_allocate(sizeof *entry);
  entry->range = (struct arc_range){.start = (uintptr_t)host, .size = bytes};
  entry->place = place;
  entry->sibling = entry;
  entry->owned = owned;
  entry->unified = place.buffer == &device->whole && (uint64_t)place.offset == (uintptr_t)host;
  entry->name = name;
  if (site) entry->site = *site;
  arc_range_insert(&device->present->entries, &entry->range);
  const struct arc_tool_place at = {.device = device, .site = site, .implicit = true};
  if (has_memory(device, entry)) arc_tool_data(acc_ev_alloc, at, name, host, place, bytes, NULL);
  arc_tool_data(acc_ev_create, at, name, host, place, bytes, NULL);
  return entry;
}

/* More queues than there are places for: what is forgotten is the use that most likely is over. */
static void note_use(struct arc_entry *entry, const struct arc_queue *queue) {
  if (!arc_queue_is_async(queue)) return;
  struct arc_use *place = &entry->uses[0];
  for (int i = 0; i < arc_uses; i++) {
    struct arc_use *use = &entry->uses[i];
    if (!use->queue || use->queue == queue) {
      place = use;
      break;
    }
    if (use->queue->finished >= use->operation) place = use;
  }
  *place = (struct arc_use){queue, queue->queued + 1};
}

void arc_present_await(struct arc_device *device, struct arc_queue *queue, const arc_site *site,
                       struct arc_entry *entry) {
  if (!has_memory(device, entry)) return;
  for (int i = 0; i < arc_uses; i++) {
    struct arc_use *use = &entry->uses[i];
    if (!use->queue) break;
    struct arc_queue *busy = arc_queue_if_used(device, site, use->queue->async);
    if (busy != use->queue || !arc_queue_is_async(busy) || arc_queue_is_after(device, queue, busy, use->operation))
      continue;
    char number[32] = "without a number";
    if (busy->async >= 0) snprintf(number, sizeof number, "%d", busy->async);
    arc_warn(site, "removed-in-use",
             "%s is removed while work of async queue %s may still use it%s%s: nothing says which comes first, so this "
             "waits; write wait(%s) before it, or async(%s) on it",
             entry->name, number, busy->kernel ? ", such as kernel " : "", busy->kernel ? busy->kernel : "",
             busy->async >= 0 ? number : "acc_async_noval", busy->async >= 0 ? number : "acc_async_noval");
    use->operation = 0;
    arc_queue_finish(device, busy, site);
  }
}

struct arc_place arc_present_place(struct arc_device *device, struct arc_queue *queue,
                                   struct arc_entry *entry, const void *host) {
  note_use(entry, queue);
  if (!entry->place.buffer)
    entry->place.buffer =
        arc_memory_allocate(device, queue, &entry->site, (size_t)entry->range.size, entry->name);
  return arc_place_at(entry->place, (int64_t)((uintptr_t)host - entry->range.start));
}

static void tell_removal(const struct arc_device *device, const struct arc_queue *queue,
                         const struct arc_entry *entry) {
  const struct arc_tool_place at = {.device = device, .queue = queue, .site = &entry->site, .implicit = true};
  const void *host = (void *)(uintptr_t)entry->range.start;
  const size_t bytes = (size_t)entry->range.size;
  arc_tool_data(acc_ev_delete, at, entry->name, host, entry->place, bytes, NULL);
  if (has_memory(device, entry)) arc_tool_data(acc_ev_free, at, entry->name, host, entry->place, bytes, NULL);
}

/* Frees what belongs to an entry besides its copy. */
static void free_belongings(struct arc_device *device, struct arc_entry *entry) {
  arc_check_free(entry);
  if (!entry->allocation) return;
  device->backend->release(device, entry->allocation);
  free(entry->allocation);
}

void arc_present_remove(struct arc_device *device, struct arc_queue *queue, struct arc_entry *entry) {
  tell_removal(device, queue, entry);
  arc_attach_forget(device, entry);
  arc_range_remove(&device->present->entries, &entry->range);
  if (has_memory(device, entry)) arc_memory_release(device, queue, entry->place.buffer);
  free_belongings(device, entry);
  free(entry);
}

static struct mark *mark(struct arc_range_map *marks, const void *host) {
  struct mark *mark = (struct mark *)arc_range_at(marks, (uintptr_t)host);
  if (!mark) {
    mark = arc_allocate(sizeof *mark);
    mark->range = (struct arc_range){.start = (uintptr_t)host, .size = 1};
    arc_range_insert(marks, &mark->range);
  }
  mark->count++;
  return mark;
}

static void unmark(struct arc_range_map *marks, const void *host) {
  struct mark *mark = (struct mark *)arc_range_at(marks, (uintptr_t)host);
  if (!mark || --mark->count) return;
  arc_range_remove(marks, &mark->range);
  free(mark);
}

static void close_marks(struct arc_range_map *marks) {
  while (marks->root) {
    struct arc_range *mark = marks->root;
    arc_range_remove(marks, mark);
    free(mark);
  }
}

void arc_present_empty_enter(struct arc_device *device, const void *host) {
  mark(&device->present->empties, host);
}

void arc_present_empty_exit(struct arc_device *device, const void *host) {
  unmark(&device->present->empties, host);
}

bool arc_present_is_empty(const struct arc_device *device, const void *host) {
  return arc_range_at(&device->present->empties, (uintptr_t)host);
}

void arc_present_part_enter(struct arc_device *device, const void *host, const struct arc_entry *entry) {
  mark(&device->present->parts, host)->part = entry->range.start;
}

void arc_present_part_exit(struct arc_device *device, const void *host) {
  unmark(&device->present->parts, host);
}

struct arc_entry *arc_present_part(const struct arc_device *device, const void *host) {
  const struct mark *part = (const struct mark *)arc_range_at(&device->present->parts, (uintptr_t)host);
  return part ? arc_present_at(device, (const void *)(uintptr_t)part->part) : NULL;
}

/* "a" of "a[0:n]", "p->q" of "p->q[i]". */
static size_t base_length(const char *name) { return strcspn(name, "["); }

/* Entries with the same base name first, then the neighbours in memory. */
static void describe_candidates(struct arc_device *device, struct arc_text *text, const char *name,
                                const void *host) {
  const struct arc_range_map *entries = &device->present->entries;
  if (!entries->count) {
    arc_text_add(text, "nothing else is present there");
    return;
  }
  size_t length = base_length(name), named = 0;
  uint64_t at = 0;
  for (struct arc_range *range; named < 3 && (range = arc_range_after(entries, at)); at = range->start + 1) {
    const struct arc_entry *entry = (const struct arc_entry *)range;
    if (base_length(entry->name) != length || strncmp(entry->name, name, length) != 0) continue;
    arc_text_add(text, named++ ? ", " : "what is called so and present is ");
    describe(text, entry);
  }
  struct arc_entry *before = (struct arc_entry *)arc_range_before(entries, (uintptr_t)host);
  struct arc_entry *after = (struct arc_entry *)arc_range_after(entries, (uintptr_t)host);
  arc_text_add(text, named ? "; nearest in memory: " : "nearest in memory: ");
  if (before) describe(text, before);
  if (before && after) arc_text_add(text, " below and ");
  if (after) describe(text, after);
  if (before && after)
    arc_text_add(text, " above");
  else
    arc_text_add(text, before ? " below" : " above");
}

void arc_present_missing(struct arc_device *device, const arc_site *site, const char *name, const void *host,
                         size_t bytes) {
  struct arc_text text = {0};
  describe_candidates(device, &text, name, host);
  char section[48];
  if (bytes)
    snprintf(section, sizeof section, "%zu bytes at %p", bytes, host);
  else
    snprintf(section, sizeof section, "at %p", host);
  arc_device_fail(
      device, site, "not-present",
      "enclose this in a data region that maps it, add an 'enter data' before it, or use copy instead "
      "of present",
      "%s (%s) is not present on %s; %s", name, section, device->name, arc_text_string(&text));
}

void arc_present_close(struct arc_device *device) {
  struct arc_present *present = device->present;
  if (!present) return;
  arc_attach_close(device);
  arc_check_close(device);
  while (present->entries.root) {
    struct arc_entry *entry = (struct arc_entry *)present->entries.root;
    tell_removal(device, NULL, entry);
    arc_range_remove(&present->entries, &entry->range);
    if (has_memory(device, entry)) arc_memory_recycle(device, entry->place.buffer);
    free_belongings(device, entry);
    free(entry);
  }
  close_marks(&present->empties);
  close_marks(&present->parts);
  free(present);
  device->present = NULL;
}
