/*
 * copies.c: the directory of copies. Its lock is released while bytes move: the copy is then `moving`, and other users wait.
 * A copy's state is the one after all tasks queued on its device have ended. Until then `writing` counts those that write
 * it, and `returning` says that its bytes are being transferred to the host. Work on the same device is queued behind
 * them; the host and other devices wait.
 *
 * Each copy holds one section. `valid`: it has the section's latest bytes. `dirty`: the host does not, and must get them
 * from this copy; then no other copy has newer bytes of the section. Sections that overlap without being equal are never
 * current on two devices at once: the latest bytes pass through the host, and only those needed. `fresh` lists the parts
 * of a dirty copy that the host has too. The task graph gives a writing task exclusive access to its memory.
 */
#include "tasks/devices/copies.h"
#include "tasks/devices/fresh.h"
#include "tasks/devices/guards.h"
#include "data/memory.h"
#include "launch/queue.h"
#include "tasks/devices/moves.h"
#include <stdlib.h>
#include <string.h>

struct arc_copy {
  struct arc_held_section held;
  struct arc_box box;
  bool valid, dirty, moving, returning;
  unsigned users;   /* unfinished tasks */
  unsigned writing; /* those of `users` that write */
  int written_in;   /* lane of the last writer; `written_by`: its number there */
  uint64_t written_by, used_by[ARC_KERNEL_LANES];
  uint64_t used; /* time of the last use */
  struct arc_fresh fresh;
  arc_task_rows rows[];
};

/* Sorted by start address; no copy is longer than `longest`. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed; /* signalled when a copy was moved or released */
  struct arc_copy **all;
  size_t count, room, longest;
  uint64_t time;
} directory = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

atomic_bool arc_copies_ever;

static uintptr_t end_of(const struct arc_box *box) { return box->start + box->extent; }

static void wait_for_change(void) { pthread_cond_wait(&directory.changed, &directory.lock); }

static bool same(const struct arc_box *a, const struct arc_box *b) {
  return a->start == b->start && a->size == b->size && a->dims == b->dims &&
         memcmp(a->rows, b->rows, a->dims * sizeof *a->rows) == 0;
}

static bool reads(const struct arc_task_part *part) { return part->mode != ARC_TASK_OUT; }
static bool writes(const struct arc_task_part *part) { return part->mode != ARC_TASK_IN; }

/* ---------------------------------------------------------------- the list */

/* The first copy that starts at or after `start`. */
static size_t first_from(uintptr_t start) {
  size_t low = 0, high = directory.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (directory.all[middle]->box.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The first copy that may overlap the section. */
static size_t first_near(const struct arc_box *box) {
  return first_from(box->start > directory.longest ? box->start - directory.longest : 0);
}

static void insert(struct arc_copy *copy) {
  if (directory.count == directory.room) {
    directory.room = directory.room ? 2 * directory.room : 64;
    directory.all = arc_resize(directory.all, directory.room * sizeof *directory.all);
  }
  size_t at = first_from(copy->box.start);
  memmove(&directory.all[at + 1], &directory.all[at], (directory.count++ - at) * sizeof *directory.all);
  directory.all[at] = copy;
  if (copy->box.extent > directory.longest) directory.longest = copy->box.extent;
}

static void drop(size_t at, const arc_site *site) {
  struct arc_copy *copy = directory.all[at];
  struct arc_device *device = copy->held.device;
  memmove(&directory.all[at], &directory.all[at + 1], (--directory.count - at) * sizeof *directory.all);
  arc_device_lock(device);
  arc_memory_release(device, arc_queue_of(device, site, ARC_SYNC), copy->held.buffer);
  arc_device_unlock(device);
  free(copy);
}

static struct arc_copy *of(const struct arc_device *device, const struct arc_box *box) {
  for (size_t i = first_from(box->start); i < directory.count && directory.all[i]->box.start == box->start; i++)
    if (directory.all[i]->held.device == device && same(&directory.all[i]->box, box)) return directory.all[i];
  return NULL;
}

/* ---------------------------------------------------------------- moving bytes */

/* Notes that the host has these bytes too. False: the list is full, and the whole copy must be transferred. */
static bool refresh(struct arc_copy *copy, uintptr_t low, uintptr_t high) {
  if (!arc_fresh_add(&copy->fresh, low, high)) return false;
  struct arc_stretch stale;
  if (!arc_fresh_next_stale(&copy->fresh, copy->box.start, end_of(&copy->box), &stale)) copy->dirty = false;
  return true;
}

static void begin_moving(struct arc_copy *copy) {
  copy->moving = true;
  pthread_mutex_unlock(&directory.lock);
}

static void end_moving(struct arc_copy *copy) {
  pthread_mutex_lock(&directory.lock);
  copy->moving = false;
  pthread_cond_broadcast(&directory.changed);
}

static void queue_stale(const arc_site *site, const struct arc_copy *copy, uintptr_t low, uintptr_t high, int lane,
                        struct arc_stage stage) {
  for (struct arc_stretch stale; arc_fresh_next_stale(&copy->fresh, low, high, &stale); low = stale.high)
    arc_move(site, &copy->held, lane, ARC_FROM_DEVICE, stale.low, stale.high, stage);
}

/* Transfers part of a dirty copy that nobody writes to the host; releases the lock meanwhile. */
static void bring(const arc_site *site, struct arc_copy *copy, uintptr_t low, uintptr_t high) {
  if (low < copy->box.start) low = copy->box.start;
  if (high > end_of(&copy->box)) high = end_of(&copy->box);
  struct arc_copy before = *copy;
  if (!refresh(&before, low, high)) {
    low = copy->box.start;
    high = end_of(&copy->box);
  }
  begin_moving(copy);
  queue_stale(site, copy, low, high, ARC_LANE_BACK, (struct arc_stage){0});
  arc_moves_end(site, copy->held.device, ARC_LANE_BACK);
  end_moving(copy);
  if (!refresh(copy, low, high)) abort();
}

static bool is_stale(const struct arc_copy *copy, uintptr_t low, uintptr_t high) {
  struct arc_stretch stale;
  if (low < copy->box.start) low = copy->box.start;
  if (high > end_of(&copy->box)) high = end_of(&copy->box);
  return copy->dirty && arc_fresh_next_stale(&copy->fresh, low, high, &stale);
}

/* Whether the device has or produces all that `copy` holds, so that the host needs none of it. */
static bool replaces(const struct arc_copy *own, const struct arc_task_part *part, const struct arc_copy *copy) {
  if (!own) return false;
  return reads(part) ? own->valid && same(&own->box, &copy->box) : arc_box_holds(&part->box, &copy->box);
}

/* How often this task, not queued yet, counts in `writing` of the copy: several of its sections may overlap it. */
static unsigned own_writes(const struct arc_taking *taking, const struct arc_copy *copy) {
  unsigned count = 0;
  for (size_t i = 0; taking && i < taking->count; i++) count += taking->uses[i].copy == copy && taking->uses[i].writes;
  return count;
}

/*
 * Settles overlapping copies: the host gets the latest bytes, and if `part` writes, the copies become invalid. `taking` is
 * NULL for a task of the host.
 */
static void settle(const arc_site *site, const struct arc_task_part *part, const struct arc_copy *own,
                   const struct arc_taking *taking) {
  const struct arc_box *box = &part->box;
  bool changes = writes(part);
  for (size_t i = first_near(box); i < directory.count && directory.all[i]->box.start < end_of(box);) {
    struct arc_copy *copy = directory.all[i];
    if (copy == own || !arc_boxes_meet(&copy->box, box)) {
      i++;
      continue;
    }
    uintptr_t low = changes ? copy->box.start : box->start, high = changes ? end_of(&copy->box) : end_of(box);
    bool needed = !replaces(own, part, copy) && is_stale(copy, low, high);
    const unsigned mine = own_writes(taking, copy);
    bool is_under_way = copy->moving || ((needed || changes) && (copy->writing > mine || copy->returning));
    if (is_under_way || needed) {
      if (!is_under_way && mine > 0) arc_moves_end(site, copy->held.device, taking->lane);
      if (is_under_way) wait_for_change();
      else bring(site, copy, low, high);
      i = first_near(box);
      continue;
    }
    if (changes) copy->valid = copy->dirty = false;
    if (changes && copy->users == 0) drop(i, site);
    else i++;
  }
}

/* ---------------------------------------------------------------- devices */

static bool is_idle(const struct arc_copy *copy, const struct arc_device *device) {
  return copy->held.device == device && copy->users == 0 && !copy->moving;
}

/* Evicts the least recently used copy. */
static bool evict(const arc_site *site, const struct arc_device *device) {
  size_t oldest = directory.count;
  for (size_t i = 0; i < directory.count; i++)
    if (is_idle(directory.all[i], device) &&
        (oldest == directory.count || directory.all[i]->used < directory.all[oldest]->used))
      oldest = i;
  if (oldest == directory.count) return false;
  struct arc_copy *copy = directory.all[oldest];
  if (copy->dirty) bring(site, copy, copy->box.start, end_of(&copy->box));
  else drop(oldest, site);
  return true;
}

/* Whether unfinished tasks will release memory of the device. */
static bool others_use(const struct arc_taking *taking) {
  size_t users = 0;
  for (size_t i = 0; i < directory.count; i++) {
    const struct arc_copy *copy = directory.all[i];
    if (copy->held.device == taking->lanes->device) users += copy->users + copy->moving;
  }
  return users > taking->count;
}

static struct arc_copy *make(const struct arc_taking *taking, const struct arc_task_part *part) {
  struct arc_device *device = taking->lanes->device;
  const arc_site *site = &taking->task->type->site;
  const struct arc_box *box = &part->box;
  struct arc_copy *copy = arc_allocate(sizeof *copy + box->dims * sizeof *box->rows);
  memcpy(copy->rows, box->rows, box->dims * sizeof *box->rows);
  copy->box = *box;
  copy->box.rows = copy->rows;
  copy->held = (struct arc_held_section){device, NULL, &copy->box, part->name};
  for (;;) {
    arc_device_lock(device);
    copy->held.buffer = arc_memory_try(device, arc_queue_of(device, site, ARC_SYNC), site,
                                       box->extent + arc_guard_bytes(), "a task's data");
    arc_device_unlock(device);
    if (copy->held.buffer) break;
    if (evict(site, device)) continue;
    if (!others_use(taking))
      arc_fail(site, "out-of-memory", "let each task use less memory",
               "%s has no room for %zu bytes that a task uses, beside the %zu pieces that it has already: %s", device->name,
               box->extent, taking->count, arc_reason());
    wait_for_change();
  }
  arc_guard_set(site, &copy->held);
  insert(copy);
  return copy;
}

size_t arc_copies_on(const struct arc_device *device, const struct arc_box *box) {
  pthread_mutex_lock(&directory.lock);
  const struct arc_copy *copy = of(device, box);
  size_t bytes = copy && copy->valid ? box->extent : 0;
  pthread_mutex_unlock(&directory.lock);
  return bytes;
}

/* A valid copy of the same section on another device, complete now. */
static struct arc_copy *twin_of(const struct arc_copy *own) {
  for (size_t i = first_from(own->box.start); i < directory.count && directory.all[i]->box.start == own->box.start; i++) {
    struct arc_copy *copy = directory.all[i];
    if (copy != own && copy->valid && !copy->moving && copy->writing == 0 && same(&copy->box, &own->box)) return copy;
  }
  return NULL;
}

static void come_behind(struct arc_taking *taking, int lane, uint64_t number) {
  if (taking->behind[lane] < number) taking->behind[lane] = number;
}

void arc_copies_taken(struct arc_taking *taking) {
  for (int lane = 0; lane < ARC_KERNEL_LANES; lane++)
    arc_lane_follow(taking->lanes, &taking->task->type->site, taking->lane, lane, taking->behind[lane]);
}

/* Orders the task's kernel after the kernels of other lanes that it conflicts with on this copy. */
static void follow_users(struct arc_taking *taking, struct arc_use *use, bool writes) {
  struct arc_copy *copy = use->copy;
  if (!writes) come_behind(taking, copy->written_in, copy->written_by);
  for (int lane = 0; writes && lane < ARC_KERNEL_LANES; lane++) come_behind(taking, lane, copy->used_by[lane]);
  copy->used_by[taking->lane] = taking->number;
  if (!writes) return;
  copy->written_in = taking->lane;
  copy->written_by = taking->number;
  if (!use->writes) copy->writing++;
  use->writes = true;
}

/* The same for a transfer into the copy, which need not wait for the kernel's other dependences. */
static void follow_at_once(struct arc_taking *taking, struct arc_use *use) {
  follow_users(taking, use, true);
  for (int lane = 0; lane < ARC_KERNEL_LANES; lane++)
    arc_lane_follow(taking->lanes, &taking->task->type->site, taking->lane, lane, use->copy->used_by[lane]);
}

/* Copies directly between devices where possible. Then two devices may have bytes that the host lacks. */
static void copy_across(struct arc_taking *taking, struct arc_use *use) {
  const arc_site *site = &taking->task->type->site;
  struct arc_copy *own = use->copy, *twin = twin_of(own);
  if (!twin) return;
  twin->users++;
  follow_at_once(taking, use);
  begin_moving(own);
  bool moved = arc_move_across(site, &own->held, taking->lane, &twin->held);
  end_moving(own);
  own->valid = moved;
  if (moved) use->twin = twin;
  else twin->users--;
}

static struct arc_staging *staging_of(const struct arc_taking *taking) { return &taking->lanes->all[taking->lane].staging; }

static void copy_from_host(struct arc_taking *taking, struct arc_use *use) {
  struct arc_copy *copy = use->copy;
  const struct arc_stage stage = {staging_of(taking), &taking->landings};
  follow_at_once(taking, use);
  begin_moving(copy);
  arc_move(&taking->task->type->site, &copy->held, taking->lane, ARC_TO_DEVICE, copy->box.start, end_of(&copy->box), stage);
  end_moving(copy);
}

/* A transfer to the host must not overlap the task's writes: it could pick up either value. */
static void wait_until_still(const struct arc_copy *copy, bool writes) {
  while (copy->moving || (writes && copy->returning)) wait_for_change();
}

struct arc_buffer *arc_copies_take(struct arc_taking *taking, const struct arc_task_part *part) {
  const arc_site *site = &taking->task->type->site;
  pthread_mutex_lock(&directory.lock);
  atomic_store(&arc_copies_ever, true);
  struct arc_copy *copy = of(taking->lanes->device, &part->box);
  if (!copy) copy = make(taking, part);
  copy->users++;
  struct arc_use *use = &taking->uses[taking->count++];
  *use = (struct arc_use){.part = part, .copy = copy};
  copy->used = ++directory.time;
  wait_until_still(copy, writes(part));
  if (!copy->valid && reads(part)) copy_across(taking, use);
  settle(site, part, copy, taking);
  wait_until_still(copy, writes(part));
  if (!copy->valid && reads(part)) copy_from_host(taking, use);
  follow_users(taking, use, writes(part));
  copy->valid = true;
  if (writes(part)) {
    copy->dirty = true;
    copy->fresh.count = 0;
  }
  pthread_mutex_unlock(&directory.lock);
  return copy->held.buffer;
}

bool arc_copies_follow(const struct arc_device *device, const struct arc_task *task) {
  bool follows = true;
  pthread_mutex_lock(&directory.lock);
  for (unsigned k = 0; k < task->part_count && follows; k++) {
    const struct arc_task_part *part = &task->parts[k];
    if (!part->copies) continue;
    for (size_t i = first_near(&part->box); i < directory.count && directory.all[i]->box.start < end_of(&part->box); i++) {
      const struct arc_copy *copy = directory.all[i];
      if (!arc_boxes_meet(&copy->box, &part->box)) continue;
      bool is_own = copy->held.device == device && same(&copy->box, &part->box);
      follows = follows && !copy->returning && (is_own || copy->writing == 0);
    }
  }
  pthread_mutex_unlock(&directory.lock);
  return follows;
}

int arc_copies_lane(const struct arc_lanes *lanes, const struct arc_task *task, size_t *missing) {
  int lane = -1;
  *missing = 0;
  pthread_mutex_lock(&directory.lock);
  for (unsigned k = 0; k < task->part_count; k++) {
    const struct arc_task_part *part = &task->parts[k];
    const struct arc_copy *copy = part->copies ? of(lanes->device, &part->box) : NULL;
    if (part->copies && reads(part) && !(copy && copy->valid)) *missing += part->box.extent;
    if (copy && copy->writing > 0 && copy->written_in < ARC_LANE_OTHERS &&
        copy->written_by == lanes->all[copy->written_in].queued)
      lane = copy->written_in;
  }
  pthread_mutex_unlock(&directory.lock);
  return lane;
}

static bool through;

static void read_policy(void) {
  const char *name = getenv("ARC_TASK_CACHE");
  through = name && strcmp(name, "write-through") == 0;
  if (name && *name && !through && strcmp(name, "write-back") != 0)
    arc_fail(&(arc_site){"", 0, "task"}, "unknown-policy", "set ARC_TASK_CACHE to write-back or write-through",
             "ARC_TASK_CACHE is '%s', which is no policy", name);
}

/* Number of threads that wait for all tasks and their bytes. */
static atomic_int waits;

static bool goes_back(bool is_last) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_policy);
  return through || (is_last && atomic_load(&waits) > 0);
}

/* Whether the transfer can be queued without waiting for the device. */
static bool moves_beside(const struct arc_taking *taking, const struct arc_copy *copy) {
  const struct arc_device *device = taking->lanes->device;
  if (!device->backend->pin || device->in_process) return true;
  size_t pieces, bytes = arc_move_size(&copy->box, copy->box.start, end_of(&copy->box), &pieces);
  return arc_staging_fits(staging_of(taking), bytes, pieces);
}

void arc_copies_send_back(struct arc_taking *taking, bool is_last) {
  if (!goes_back(is_last)) return;
  const struct arc_stage stage = {staging_of(taking), &taking->landings};
  pthread_mutex_lock(&directory.lock);
  for (size_t i = 0; i < taking->count; i++) {
    struct arc_use *use = &taking->uses[i];
    struct arc_copy *copy = use->copy;
    if (!copy->dirty || copy->moving || copy->returning || !moves_beside(taking, copy)) continue;
    use->returns = copy->returning = true;
    begin_moving(copy);
    queue_stale(&taking->task->type->site, copy, copy->box.start, end_of(&copy->box), taking->lane, stage);
    end_moving(copy);
  }
  pthread_mutex_unlock(&directory.lock);
}

/* Unfinished writers have waiting threads of their own, which bring the bytes. */
static bool is_at_rest(const struct arc_copy *copy) { return copy->writing == 0 && !copy->returning; }

void arc_copies_let_go(struct arc_taking *taking, bool is_last) {
  const arc_site *site = &taking->task->type->site;
  bool now = goes_back(is_last);
  arc_landings_copy(&taking->landings);
  pthread_mutex_lock(&directory.lock);
  for (size_t i = 0; i < taking->count; i++) {
    struct arc_use *use = &taking->uses[i];
    if (use->writes) use->copy->writing--;
    if (use->twin) use->twin->users--;
    if (use->returns) use->copy->returning = use->copy->dirty = false;
  }
  pthread_cond_broadcast(&directory.changed);
  for (size_t i = 0; i < taking->count; i++)
    arc_guard_check(taking->task, taking->uses[i].part, &taking->uses[i].copy->held, !taking->uses[i].copy->dirty);
  for (size_t i = 0; i < taking->count; i++) {
    struct arc_copy *copy = taking->uses[i].copy;
    while (now && copy->moving) wait_for_change();
    if (now && copy->dirty && is_at_rest(copy)) bring(site, copy, copy->box.start, end_of(&copy->box));
    copy->users--;
  }
  pthread_cond_broadcast(&directory.changed);
  pthread_mutex_unlock(&directory.lock);
}

/* ---------------------------------------------------------------- the host */

void arc_copies_to_host(const arc_site *site, const struct arc_task_part *part) {
  pthread_mutex_lock(&directory.lock);
  settle(site, part, NULL, NULL);
  pthread_mutex_unlock(&directory.lock);
}

/* Transfers the dirty copies that no task uses, from all devices at once. True if there were any: look again. */
static bool bring_dirty(const arc_site *site) {
  size_t count = 0;
  struct arc_copy **dirty = arc_allocate((directory.count + 1) * sizeof *dirty);
  for (size_t i = 0; i < directory.count; i++) {
    struct arc_copy *copy = directory.all[i];
    if (copy->users > 0 || copy->moving || !copy->dirty) continue;
    copy->moving = true;
    dirty[count++] = copy;
  }
  if (count > 0) pthread_mutex_unlock(&directory.lock);
  for (size_t i = 0; i < count; i++)
    queue_stale(site, dirty[i], dirty[i]->box.start, end_of(&dirty[i]->box), ARC_LANE_BACK, (struct arc_stage){0});
  for (size_t i = 0; i < count; i++) {
    size_t first = 0;
    while (dirty[first]->held.device != dirty[i]->held.device) first++;
    if (first == i) arc_moves_end(site, dirty[i]->held.device, ARC_LANE_BACK);
  }
  if (count > 0) pthread_mutex_lock(&directory.lock);
  for (size_t i = 0; i < count; i++) dirty[i]->moving = dirty[i]->dirty = false;
  if (count > 0) pthread_cond_broadcast(&directory.changed);
  free(dirty);
  return count > 0;
}

static bool any_moves(void) {
  for (size_t i = 0; i < directory.count; i++)
    if (directory.all[i]->users == 0 && directory.all[i]->moving) return true;
  return false;
}

void arc_copies_wait_begin(void) { atomic_fetch_add(&waits, 1); }

/* Copies keep their memory but become invalid: the program may now change its own unnoticed. */
static void all_to_host(const arc_site *site) {
  pthread_mutex_lock(&directory.lock);
  while (bring_dirty(site) || any_moves())
    if (any_moves()) wait_for_change();
  for (size_t i = 0; i < directory.count; i++)
    if (directory.all[i]->users == 0) directory.all[i]->valid = false;
  pthread_mutex_unlock(&directory.lock);
}

void arc_copies_wait_end(const arc_site *site) {
  if (arc_copies_used()) all_to_host(site);
  atomic_fetch_sub(&waits, 1);
}
