/*
 * declare.c: data that lives on every device for the whole program. Constructors register it before any device is
 * known; each device maps it when it is opened.
 */
#include "data/declare.h"
#include "data/memory.h"
#include "data/present.h"
#include "launch/queue.h"
#include "data/transfer.h"
#include <string.h>

struct declaration {
  struct declaration *next;
  arc_site site;
  arc_item item;
  const void *initial; /* the bytes that devices begin with; NULL: the host's at the time */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct declaration *declarations, **last = &declarations;

/* OpenMP's variables begin with their initializer on each device, whatever the program has done to the host's since. */
static bool keeps_initial(const arc_item *item) { return item->flags & ARC_ONE_COUNT && item->map == ARC_COPYIN; }

static const void *initial_of(const arc_item *item) {
  if (!keeps_initial(item) || item->flags & ARC_ZERO || !item->size) return NULL;
  return memcpy(arc_allocate(item->size), item->host, item->size);
}

void arc_declare(const arc_site *site, size_t n, const arc_item *items) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < n; i++) {
    struct declaration *declaration = arc_allocate(sizeof *declaration);
    declaration->site = *site;
    declaration->item = items[i];
    declaration->initial = initial_of(&items[i]);
    *last = declaration;
    last = &declaration->next;
  }
  pthread_mutex_unlock(&lock);
}

static void map(struct arc_device *device, struct arc_queue *queue, const struct declaration *declaration) {
  const arc_item *item = &declaration->item;
  const arc_site *site = &declaration->site;
  bool created = item->map == ARC_COPYIN || item->map == ARC_CREATE || item->map == ARC_DEVICE_RESIDENT ||
                 item->map == ARC_COPY || item->map == ARC_COPYOUT;
  /* The same variable may be declared by several translation units. */
  if (!created || !item->host || !item->size ||
      arc_present_section(device, site, item->name, item->host, item->size))
    return;
  struct arc_place place = {&device->whole, (int64_t)(uintptr_t)item->host};
  if (!device->shared)
    place = (struct arc_place){arc_memory_allocate(device, queue, site, item->size, item->name), 0};
  struct arc_entry *entry =
      arc_present_insert(device, site, item->name, item->host, item->size, place, !device->shared);
  entry->dynamic = ARC_FOREVER;
  if (entry->unified || (item->map != ARC_COPYIN && item->map != ARC_COPY)) return;
  struct arc_transfer transfer = {.site = site, .name = item->name, .action = "declare copyin"};
  if (keeps_initial(item) && !declaration->initial)
    arc_transfer_fill(device, queue, &transfer, place, 0, item->size);
  else
    arc_transfer_write(device, queue, &transfer, place, declaration->initial ? declaration->initial : item->host,
                       item->size);
}

void arc_declare_on(struct arc_device *device) {
  pthread_mutex_lock(&lock);
  const struct declaration *first = declarations;
  pthread_mutex_unlock(&lock);
  struct arc_queue *queue = device->sync;
  for (const struct declaration *declaration = first; declaration; declaration = declaration->next)
    map(device, queue, declaration);
  arc_queue_finish(device, queue, NULL);
}
