/*
 * copies.c: the directory of copies. One lock guards it, also while bytes move.
 *
 * A copy is of one section. It is `valid` if it has the section's latest bytes, and `dirty` if the host has not: then no
 * other copy has a byte of it. Sections that meet without being equal take turns: the latest bytes go by way of the host.
 */
#include "tasks/copies.h"
#include "data/memory.h"
#include "launch/queue.h"
#include "report/spans.h"
#include <stdlib.h>
#include <string.h>

struct arc_copy {
  struct arc_copy *next;
  struct arc_device *device;
  struct arc_buffer *buffer;
  struct arc_box box;
  const char *name; /* as the task that first used it writes it */
  bool valid, dirty;
  unsigned users;
  uint64_t used; /* when it was taken last */
  arc_task_rows rows[];
};

static struct {
  pthread_mutex_t lock;
  struct arc_copy *first;
  uint64_t time;
  atomic_bool used;
} copies = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool arc_copies_used(void) { return atomic_load_explicit(&copies.used, memory_order_relaxed); }

struct arc_buffer *arc_copy_buffer(const struct arc_copy *copy) { return copy->buffer; }

static bool same(const struct arc_box *a, const struct arc_box *b) {
  return a->start == b->start && a->size == b->size && a->dims == b->dims &&
         memcmp(a->rows, b->rows, a->dims * sizeof *a->rows) == 0;
}

/* ---------------------------------------------------------------- moving bytes */

typedef bool move(struct arc_device *, struct arc_queue *, struct arc_place, char *host, size_t bytes);

static bool write_run(struct arc_device *device, struct arc_queue *queue, struct arc_place place, char *host,
                      size_t bytes) {
  return device->backend->write(device, queue, place, host, bytes);
}

static bool read_run(struct arc_device *device, struct arc_queue *queue, struct arc_place place, char *host,
                     size_t bytes) {
  return device->backend->read(device, queue, host, place, bytes);
}

/* Every run of the section: the gaps between its rows belong to others. */
static bool each_run(const struct arc_copy *copy, struct arc_queue *queue, unsigned dim, uintptr_t at, move *what) {
  if (dim == copy->box.dims) {
    struct arc_place place = {copy->buffer, (int64_t)(at - copy->box.start)};
    return what(copy->device, queue, place, (char *)at, copy->box.size);
  }
  const arc_task_rows *row = &copy->box.rows[dim];
  for (long i = 0; i < row->count; i++)
    if (!each_run(copy, queue, dim + 1, at + (uintptr_t)i * row->stride, what)) return false;
  return true;
}

void arc_copies_tell(struct arc_device *device, struct arc_queue *queue) {
  arc_device_lock(device);
  struct arc_span *spans = arc_span_take(queue);
  if (spans) arc_span_tell(device, spans);
  arc_device_unlock(device);
}

static void transfer(const arc_site *site, struct arc_copy *copy, move *what, const char *how) {
  struct arc_device *device = copy->device;
  if (arc_verbosity() > 1)
    arc_note("%s:%d: task: %zu bytes %s %s", site->file, site->line, copy->box.extent, how, device->name);
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_SYNC);
  void *begin = arc_span_begin(device, queue);
  bool good = each_run(copy, queue, 0, copy->box.start, what);
  if (begin && good)
    arc_span_transfer(device, queue, what == write_run ? "in" : "out", site, how, copy->name, copy->box.extent, false,
                      begin);
  arc_device_unlock(device);
  /* The host's bytes are given back to the program. */
  if (!good || !device->backend->finish(device, queue))
    arc_fail(site, "transfer-failed", NULL, "moving %zu bytes %s %s: %s", copy->box.extent, how, device->name,
             arc_reason());
  if (begin) arc_copies_tell(device, queue);
}

static void write_back(const arc_site *site, struct arc_copy *copy) {
  if (!copy->dirty) return;
  transfer(site, copy, read_run, "from");
  copy->dirty = false;
}

/* ---------------------------------------------------------------- the directory */

static void drop(struct arc_copy **at, const arc_site *site) {
  struct arc_copy *copy = *at;
  *at = copy->next;
  arc_device_lock(copy->device);
  arc_memory_release(copy->device, arc_queue_of(copy->device, site, ARC_SYNC), copy->buffer);
  arc_device_unlock(copy->device);
  free(copy);
}

/* The copy that was not used for longest makes room. */
static bool evict(const arc_site *site, const struct arc_device *device) {
  struct arc_copy **oldest = NULL;
  for (struct arc_copy **at = &copies.first; *at; at = &(*at)->next)
    if ((*at)->device == device && (*at)->users == 0 && (!oldest || (*at)->used < (*oldest)->used)) oldest = at;
  if (!oldest) return false;
  write_back(site, *oldest);
  drop(oldest, site);
  return true;
}

static struct arc_copy *make(struct arc_device *device, const arc_site *site, const struct arc_task_part *part) {
  const struct arc_box *box = &part->box;
  struct arc_copy *copy = arc_allocate(sizeof *copy + box->dims * sizeof *box->rows);
  memcpy(copy->rows, box->rows, box->dims * sizeof *box->rows);
  copy->device = device;
  copy->box = *box;
  copy->name = part->name;
  copy->box.rows = copy->rows;
  do {
    arc_device_lock(device);
    copy->buffer = arc_memory_try(device, arc_queue_of(device, site, ARC_SYNC), site, box->extent, "a task's data");
    arc_device_unlock(device);
  } while (!copy->buffer && evict(site, device));
  if (!copy->buffer)
    arc_fail(site, "out-of-memory", "let each task use less memory",
             "%s has no room for %zu bytes that a task uses, beside what its other tasks use now: %s", device->name,
             box->extent, arc_reason());
  copy->next = copies.first;
  return copies.first = copy;
}

static bool reads(const struct arc_task_part *part) { return part->mode != ARC_TASK_OUT; }
static bool writes(const struct arc_task_part *part) { return part->mode != ARC_TASK_IN; }

/* What others have of the memory: the latest bytes are the host's afterwards, and theirs are not if `changes`. */
static void settle(const arc_site *site, const struct arc_box *box, bool changes, const struct arc_copy *but) {
  for (struct arc_copy **at = &copies.first; *at;) {
    struct arc_copy *copy = *at;
    if (copy == but || !arc_boxes_meet(&copy->box, box)) {
      at = &copy->next;
      continue;
    }
    write_back(site, copy);
    if (changes) copy->valid = false;
    if (changes && copy->users == 0) drop(at, site);
    else at = &copy->next;
  }
}

static struct arc_copy *of(const struct arc_device *device, const struct arc_box *box) {
  for (struct arc_copy *copy = copies.first; copy; copy = copy->next)
    if (copy->device == device && same(&copy->box, box)) return copy;
  return NULL;
}

size_t arc_copies_on(const struct arc_device *device, const struct arc_box *box) {
  pthread_mutex_lock(&copies.lock);
  const struct arc_copy *copy = of(device, box);
  size_t bytes = copy && copy->valid ? box->extent : 0;
  pthread_mutex_unlock(&copies.lock);
  return bytes;
}

struct arc_copy *arc_copies_take(struct arc_device *device, const struct arc_task *task,
                                 const struct arc_task_part *part) {
  const arc_site *site = &task->type->site;
  pthread_mutex_lock(&copies.lock);
  atomic_store(&copies.used, true);
  struct arc_copy *copy = of(device, &part->box);
  settle(site, &part->box, writes(part), copy);
  if (!copy) copy = make(device, site, part);
  copy->users++;
  copy->used = ++copies.time;
  if (!copy->valid && reads(part)) transfer(site, copy, write_run, "to");
  copy->valid = true;
  if (writes(part)) copy->dirty = true;
  pthread_mutex_unlock(&copies.lock);
  return copy;
}

void arc_copies_let_go(struct arc_copy *copy) {
  pthread_mutex_lock(&copies.lock);
  copy->users--;
  pthread_mutex_unlock(&copies.lock);
}

void arc_copies_to_host(const arc_site *site, const struct arc_task_part *part) {
  pthread_mutex_lock(&copies.lock);
  settle(site, &part->box, writes(part), NULL);
  pthread_mutex_unlock(&copies.lock);
}

/* Copies keep their memory, and lose what is in it: the program may change its own without a word. */
void arc_copies_all_to_host(const arc_site *site) {
  pthread_mutex_lock(&copies.lock);
  for (struct arc_copy *copy = copies.first; copy; copy = copy->next) {
    if (copy->users > 0) continue;
    write_back(site, copy);
    copy->valid = false;
  }
  pthread_mutex_unlock(&copies.lock);
}
