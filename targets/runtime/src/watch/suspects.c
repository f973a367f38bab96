/*
 * suspects.c: finds accesses of tasks that their clauses do not declare. Tasks run one at a time, in program order; a
 * pair of accesses is checked when the later one happens: are the two tasks ordered? For each byte the last writer and
 * reader are recorded (M. Feng, C. E. Leiserson, "Efficient detection of determinacy races in Cilk programs", SPAA
 * 1997; here the order is that of the task graph, kept as a set of siblings for each task).
 */
#define _GNU_SOURCE
#include "watch/suspects.h"
#include "data/check.h"
#include "tasks/thread.h"
#include <stdlib.h>
#include <string.h>

struct arc_suspect {
  uint32_t number;
  struct arc_suspect *parent; /* NULL: the program itself */
  arc_site site;
  const char *label;
  struct arc_task_part *parts;
  unsigned part_count;
  bool listed; /* its clauses are meant to name all memory that it shares */
  uintptr_t frame; /* the task's own variables lie below */
  uintptr_t arguments, arguments_end;
  unsigned index;   /* among its parent's tasks since the last wait for all of them */
  uint64_t *before; /* a set of these: those that must be complete before this one starts */
  bool waited;      /* its parent has waited for it */
  struct arc_suspect **children;
  unsigned child_count, child_room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arc_suspect **all; /* by number, from 1 */
static uint32_t count, room;
static atomic_bool watching;
static atomic_bool seen;

bool arc_suspects(void) { return arc_checks() & ARC_CHECKS_TASKS; }

/* ---------------------------------------------------------------- order */

static bool is_set(const uint64_t *set, unsigned i) { return set[i / 64] >> i % 64 & 1; }

static bool reads_only(const struct arc_task_part *part) { return part->mode == ARC_TASK_IN; }

/* Accesses that are unordered by design, which the author synchronises. */
static bool commute(const struct arc_task_part *a, const struct arc_task_part *b) {
  return a->mode == b->mode && a->mode != ARC_TASK_OUT && a->mode != ARC_TASK_INOUT;
}

static bool conflict(const struct arc_suspect *a, const struct arc_task_part *parts, unsigned n) {
  for (unsigned i = 0; i < a->part_count; i++)
    for (unsigned k = 0; k < n; k++)
      if (a->parts[i].orders && parts[k].orders && !commute(&a->parts[i], &parts[k]) &&
          arc_boxes_meet(&a->parts[i].box, &parts[k].box))
        return true;
  return false;
}

static unsigned depth_of(const struct arc_suspect *suspect) {
  unsigned depth = 0;
  for (; suspect->parent; suspect = suspect->parent) depth++;
  return depth;
}

/* The accesses of `earlier` so far are ordered before those of `later` now. */
static bool is_ordered(const struct arc_suspect *earlier, const struct arc_suspect *later) {
  const struct arc_suspect *a = earlier, *b = later, *below_a = NULL, *below_b = NULL;
  for (unsigned i = depth_of(a), k = depth_of(b); a != b;) {
    if (i >= k) below_a = a, a = a->parent, i--;
    else below_b = b, b = b->parent, k--;
    if (!a || !b) return false;
    if (i == k && a != b) {
      below_a = a, below_b = b, a = a->parent, b = b->parent, i--, k--;
      if (!a || !b) return false;
    }
  }
  /* One task created the other: the creator's accesses came first, or it has to wait. */
  if (!below_a) return true;
  if (below_a->waited) return true;
  return below_b && below_b->index > below_a->index && is_set(below_b->before, below_a->index);
}

/* ---------------------------------------------------------------- state of a byte */

struct cell {
  uint32_t writer, reader;
};
/* Flag beside a number: the access was made under mutual exclusion. */
#define PROTECTED 0x80000000u

enum { PAGE = 4096, BUCKETS = 1 << 14 };
struct page {
  struct page *next;
  uintptr_t number;
  struct cell cells[PAGE];
};
static struct page *pages[BUCKETS];

static struct cell *cell_of(uintptr_t address) {
  uintptr_t number = address / PAGE;
  struct page **bucket = &pages[number * 0x9e3779b97f4a7c15u >> 50];
  struct page *page = *bucket;
  while (page && page->number != number) page = page->next;
  if (!page) {
    page = arc_allocate(sizeof *page);
    page->number = number;
    page->next = *bucket;
    *bucket = page;
  }
  return &page->cells[address % PAGE];
}

/* Stack memory of functions that have returned is soon reused. */
static uintptr_t lowest = UINTPTR_MAX;

static void forget_below(uintptr_t frame) {
  if (lowest >= frame) return;
  for (; lowest < frame; lowest = (lowest / PAGE + 1) * PAGE) {
    struct page *page = pages[lowest / PAGE * 0x9e3779b97f4a7c15u >> 50];
    while (page && page->number != lowest / PAGE) page = page->next;
    for (uintptr_t i = lowest % PAGE; page && i < PAGE && lowest / PAGE * PAGE + i < frame; i++)
      page->cells[i] = (struct cell){0, 0};
  }
  lowest = frame;
}

static const struct arc_task_part *part_with(const struct arc_suspect *suspect, uintptr_t address) {
  const struct arc_task_part *found = NULL;
  const struct arc_box byte = {address, 1, 1, NULL, 0};
  for (unsigned i = 0; i < suspect->part_count; i++)
    if (arc_boxes_meet(&suspect->parts[i].box, &byte) && (!found || reads_only(found))) found = &suspect->parts[i];
  return found;
}

/* ---------------------------------------------------------------- findings */

static const char *who(const struct arc_suspect *suspect, struct arc_text *text) {
  if (!suspect->parent) arc_text_add(text, "the program");
  else arc_text_add(text, "task '%s' (%s:%d)", suspect->label, suspect->site.file, suspect->site.line);
  return text->bytes;
}

static void tell(const char *code, const struct arc_suspect *suspect, const struct arc_suspect *other, const char *text) {
  struct arc_text names = {0};
  arc_text_add(&names, "%s > %s", other->label, suspect->label);
  if (arc_check_is_new(code, suspect->parent ? &suspect->site : &other->site, names.bytes, 1))
    arc_warn(suspect->parent ? &suspect->site : &other->site, code, "%s", text);
  arc_text_free(&names);
}

static void tell_unordered(const struct arc_suspect *suspect, const struct arc_suspect *other, bool writes, bool wrote,
                           uintptr_t address) {
  struct arc_text text = {0}, a = {0}, b = {0};
  const struct arc_task_part *part = part_with(suspect, address);
  if (!part) part = part_with(other, address);
  arc_text_add(&text, "%s %s ", who(suspect, &a), writes ? "writes" : "reads");
  if (part) arc_text_add(&text, "'%s'", part->name);
  else arc_text_add(&text, "memory that no clause names");
  arc_text_add(&text, ", which %s %s before, and %s orders the two", who(other, &b), wrote ? "wrote" : "read",
               suspect->parent ? "nothing" : "no taskwait");
  tell(suspect->parent ? "unordered-tasks" : "missing-taskwait", suspect, other, text.bytes);
  arc_text_free(&text);
  arc_text_free(&a);
  arc_text_free(&b);
}

static void tell_undeclared(const struct arc_suspect *suspect, const struct arc_suspect *other,
                            const struct arc_task_part *part, bool writes) {
  struct arc_text text = {0}, a = {0}, b = {0};
  if (suspect == other)
    arc_text_add(&text, "%s writes to '%s', and its clauses say that it only reads it", who(suspect, &a), part->name);
  else
    arc_text_add(&text, "%s %s memory that its clauses do not name: %s says that it uses it, as '%s'", who(suspect, &a),
                 writes ? "writes" : "reads", who(other, &b), part->name);
  tell("undeclared-access", suspect, other, text.bytes);
  arc_text_free(&text);
  arc_text_free(&a);
  arc_text_free(&b);
}

/* ---------------------------------------------------------------- accesses */

static bool may_share(const struct arc_suspect *a, const struct arc_suspect *b, uintptr_t address) {
  const struct arc_task_part *one = part_with(a, address), *other = part_with(b, address);
  return one && other && !reads_only(one) && commute(one, other);
}

static _Thread_local int protection;

void arc_suspect_protected(int change) { protection += change; }

static void look(const struct arc_suspect *suspect, uintptr_t address, bool writes) {
  struct cell *cell = cell_of(address);
  const uint32_t others[] = {cell->writer, writes ? cell->reader : 0}, mark = protection ? PROTECTED : 0;
  for (int i = 0; i < 2; i++) {
    const struct arc_suspect *other = others[i] ? all[others[i] & ~PROTECTED] : NULL;
    if (!other || (mark & others[i]) || other == suspect || is_ordered(other, suspect) || may_share(suspect, other, address)) continue;
    tell_unordered(suspect, other, writes, i == 0, address);
  }
  if (writes) cell->writer = suspect->number | mark;
  else if (!cell->reader || is_ordered(all[cell->reader & ~PROTECTED], suspect)) cell->reader = suspect->number | mark;
}

/* A task whose clauses declare the byte, the latest first. */
static const struct arc_suspect *declared_by(uintptr_t address, const struct arc_task_part **part) {
  for (uint32_t i = count; i >= 1; i--)
    if ((*part = part_with(all[i], address))) return all[i];
  return NULL;
}

extern char __data_start[] __attribute__((weak)), _end[] __attribute__((weak));

static bool is_static(uintptr_t address) {
  return __data_start && address >= (uintptr_t)__data_start && address < (uintptr_t)_end;
}

/* Variables of calling functions are not this far up the stack. */
enum { STACK = 8 << 20 };

void arc_suspect_access(uintptr_t address, size_t size, bool writes) {
  if (!atomic_load_explicit(&watching, memory_order_relaxed) || size == 0) return;
  atomic_store_explicit(&seen, true, memory_order_relaxed);
  struct arc_thread *thread = arc_thread_known();
  struct arc_suspect *suspect = thread ? thread->current->suspect : NULL;
  if (!suspect) return;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (suspect->parent && address >= here && address < suspect->frame) return;
  if (address >= suspect->arguments && address < suspect->arguments_end) return;
  bool on_stack = address >= here && address < here + STACK;
  pthread_mutex_lock(&lock);
  const struct arc_task_part *part = suspect->parent ? part_with(suspect, address) : NULL;
  const struct arc_suspect *other = suspect;
  if (!part) other = declared_by(address, &part);
  if (on_stack && address < lowest) lowest = address;
  if (part && suspect->listed && (other != suspect || (writes && reads_only(part))))
    tell_undeclared(suspect, other, part, writes);
  if (part || on_stack || is_static(address))
    for (size_t i = 0; i < size; i++) look(suspect, address + i, writes);
  pthread_mutex_unlock(&lock);
}

static void each_byte(const struct arc_suspect *suspect, const struct arc_box *box, unsigned dim, uintptr_t at,
                      bool writes) {
  if (dim < box->dims) {
    for (long i = 0; i < box->rows[dim].count; i++)
      each_byte(suspect, box, dim + 1, at + (uintptr_t)i * box->rows[dim].stride, writes);
    return;
  }
  for (size_t i = 0; i < box->size; i++) look(suspect, at + i, writes);
}

void arc_suspect_kernel(const struct arc_task *task) {
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < task->part_count; i++)
    if (task->parts[i].copies)
      each_byte(task->suspect, &task->parts[i].box, 0, task->parts[i].box.start, !reads_only(&task->parts[i]));
  pthread_mutex_unlock(&lock);
}

void arc_suspect_beyond(struct arc_suspect *suspect, const struct arc_task_part *part, size_t bytes) {
  struct arc_text text = {0}, a = {0};
  pthread_mutex_lock(&lock);
  arc_text_add(&text, "%s writes up to %zu bytes behind '%s', which its clauses do not name", who(suspect, &a), bytes,
               part->name);
  tell("undeclared-access", suspect, suspect, text.bytes);
  pthread_mutex_unlock(&lock);
  arc_text_free(&text);
  arc_text_free(&a);
}

void arc_suspect_written(struct arc_suspect *suspect, const struct arc_task_part *part) {
  pthread_mutex_lock(&lock);
  tell_undeclared(suspect, suspect, part, true);
  pthread_mutex_unlock(&lock);
}

/* ---------------------------------------------------------------- tasks */

static void unseen(void) {
  if (!atomic_load(&seen) && !arc_failing())
    arc_warn(NULL, "check",
             "ARC_CHECK=tasks has seen no access: compile the program with -fsanitize=thread, and link it without");
}

static struct arc_suspect *enlist(struct arc_suspect *parent) {
  struct arc_suspect *suspect = arc_allocate(sizeof *suspect);
  if (count + 1 >= room) {
    room = room ? 2 * room : 256;
    all = arc_resize(all, room * sizeof *all);
  }
  if (count == 0) atexit(unseen);
  all[suspect->number = ++count] = suspect;
  suspect->parent = parent;
  suspect->label = "the program";
  return suspect;
}

static void copy_parts(struct arc_suspect *suspect, const struct arc_task *task) {
  suspect->part_count = task->part_count;
  suspect->parts = arc_allocate((task->part_count + 1) * sizeof *suspect->parts);
  for (unsigned i = 0; i < task->part_count; i++) {
    struct arc_box *box = &suspect->parts[i].box;
    suspect->parts[i] = task->parts[i];
    arc_task_rows *rows = arc_allocate((box->dims + 1) * sizeof *rows);
    memcpy(rows, box->rows, box->dims * sizeof *rows);
    box->rows = rows;
  }
}

static void place_among_siblings(struct arc_suspect *suspect, struct arc_suspect *parent) {
  suspect->index = parent->child_count;
  suspect->before = arc_allocate((suspect->index / 64 + 1) * sizeof *suspect->before);
  for (unsigned i = 0; i < parent->child_count; i++) {
    const struct arc_suspect *sibling = parent->children[i];
    if (sibling->waited || !conflict(sibling, suspect->parts, suspect->part_count)) continue;
    suspect->before[i / 64] |= (uint64_t)1 << i % 64;
    for (unsigned k = 0; k <= i / 64; k++) suspect->before[k] |= sibling->before[k];
  }
  if (parent->child_count == parent->child_room) {
    parent->child_room = 2 * parent->child_room + 16;
    parent->children = arc_resize(parent->children, parent->child_room * sizeof(struct arc_suspect *));
  }
  parent->children[parent->child_count++] = suspect;
}

struct arc_suspect *arc_suspect_open(struct arc_suspect *parent, const struct arc_task *task, bool is_final) {
  pthread_mutex_lock(&lock);
  struct arc_suspect *suspect = enlist(parent);
  if (parent) {
    suspect->site = task->type->site;
    suspect->label = task->type->own.label;
    suspect->frame = (uintptr_t)__builtin_frame_address(0);
    suspect->arguments = (uintptr_t)task->arguments;
    suspect->arguments_end = suspect->arguments + task->argument_size;
    copy_parts(suspect, task);
    /* Tasks without clauses are ordered in other ways; final ones run where they are created. */
    suspect->listed = task->part_count > 0 && !is_final;
    place_among_siblings(suspect, parent);
  }
  atomic_store(&watching, true);
  pthread_mutex_unlock(&lock);
  return suspect;
}

void arc_suspect_end(struct arc_suspect *suspect, bool waited) {
  pthread_mutex_lock(&lock);
  suspect->waited = waited;
  forget_below(suspect->frame);
  pthread_mutex_unlock(&lock);
}

void arc_suspect_wait(struct arc_suspect *parent, const struct arc_task_part *part) {
  if (!parent) return;
  pthread_mutex_lock(&lock);
  for (unsigned i = parent->child_count; i-- > 0;) {
    struct arc_suspect *child = parent->children[i];
    if (part && !child->waited && !conflict(child, part, 1)) continue;
    child->waited = true;
    for (unsigned k = 0; k < i; k++)
      if (is_set(child->before, k)) parent->children[k]->waited = true;
  }
  if (!part) parent->child_count = 0;
  pthread_mutex_unlock(&lock);
}
