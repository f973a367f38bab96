/* counts.c: reference counts. */
#include "data/counts.h"

struct arc_counting arc_count_directive(struct arc_device *device, bool structured) {
  return (struct arc_counting){++device->present->directives, structured};
}

void arc_count_begin(const struct arc_counting *counting, struct arc_entry *entry) {
  entry->made = counting->directive;
}

bool arc_count_is_new(const struct arc_counting *counting, const struct arc_entry *entry) {
  return entry->made == counting->directive;
}

void arc_count_join(struct arc_entry *entry, struct arc_entry *alone) {
  alone->sibling = entry->sibling;
  entry->sibling = alone;
}

struct arc_entry *arc_count_leave(struct arc_entry *entry) {
  struct arc_entry *next = entry->sibling, *before = next;
  if (next == entry) return NULL;
  while (before->sibling != entry) before = before->sibling;
  before->sibling = next;
  entry->sibling = entry;
  return next;
}

typedef void change(const struct arc_counting *, const arc_item *, struct arc_entry *);

/* Applies the change to all that the item counts, unless the directive has counted it. */
static void count(const struct arc_counting *counting, const arc_item *item, struct arc_entry *entry, change *change) {
  if (!(item->flags & ARC_ONE_COUNT)) {
    change(counting, item, entry);
    return;
  }
  struct arc_entry *each = entry;
  do {
    if (each->counted != counting->directive) change(counting, item, each);
    each->counted = counting->directive;
    each = each->sibling;
  } while (each != entry);
}

static void increment(const struct arc_counting *counting, const arc_item *item, struct arc_entry *entry) {
  (void)item;
  if (counting->structured)
    entry->structured++;
  else if (entry->dynamic != ARC_FOREVER)
    entry->dynamic++;
}

void arc_count_up(const struct arc_counting *counting, const arc_item *item, struct arc_entry *entry) {
  count(counting, item, entry, increment);
}

/* Takes a reference of the kind that the directive moves, if there is any; OpenMP's one count is both. */
static void decrement(const struct arc_counting *counting, const arc_item *item, struct arc_entry *entry) {
  bool either = item->flags & ARC_ONE_COUNT, structured = counting->structured;
  if (entry->dynamic == ARC_FOREVER) {
    if (structured && entry->structured) entry->structured--;
  } else if (structured ? entry->structured != 0 : !entry->dynamic && either && entry->structured) {
    entry->structured--;
  } else if (entry->dynamic && (!structured || either)) {
    entry->dynamic--;
  }
}

static void clear(struct arc_entry *entry, bool either) {
  if (entry->dynamic == ARC_FOREVER) return;
  entry->dynamic = 0;
  if (either) entry->structured = 0;
}

void arc_count_down(const struct arc_counting *counting, const arc_item *item, struct arc_entry *entry) {
  if (counting->structured || !(item->flags & ARC_FINALIZE)) {
    count(counting, item, entry, decrement);
    return;
  }
  /* `delete` leaves no reference, whatever other items of the directive count. */
  bool either = item->flags & ARC_ONE_COUNT;
  struct arc_entry *each = entry;
  do {
    clear(each, either);
    each = each->sibling;
  } while (either && each != entry);
}
