/*
 * domain.c: the memory that tasks of one parent use, as segments sorted by address.
 *
 * Segments begin and end where sections do: a new section splits the segments that its ends fall into. A segment lists
 * the tasks that use it. A section with gaps between its rows enters all segments from its first byte to its last, and
 * the boxes are compared. A writing task replaces the tasks whose sections it covers, since it waits
 * for them itself. The segments form a skip list (W. Pugh, "Skip lists: a probabilistic alternative to balanced trees",
 * CACM 33(6), 1990); a table caches where they begin, since most sections are used repeatedly.
 */
#include "tasks/order/domain.h"
#include "report/error.h"
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 16, FEW = 16, KNOWN = 1 << 12, BLOCK = 1 << 14 };

/* Kinds of use. Two uses of one kind are unordered, except writes. */
enum class { READ, WRITE, CONCURRENT, COMMUTATIVE, REDUCTION, CLASSES };

struct use {
  struct use *next;
  struct arc_task *task;
  const struct arc_task_part *part;
};

struct segment {
  uintptr_t low, high;
  struct use *uses[CLASSES];
  /* For lists that are rarely traversed: the length, and the length at which complete tasks are removed. */
  unsigned length[CLASSES], limit[CLASSES];
  int level;
  struct segment *next[];
};

struct block {
  struct block *next;
  _Alignas(16) char bytes[];
};

struct arc_domain {
  struct segment *head;
  int level;
  size_t segments, swept_at;
  uint64_t random;
  struct use *free_uses;
  struct block *blocks;
  size_t used, room;
  struct segment **known; /* KNOWN entries; NULL while there are few segments */
};

static void *take(struct arc_domain *domain, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (domain->used + bytes > domain->room) {
    /* Starts small, for parents with few tasks. */
    size_t size = domain->blocks ? BLOCK : 1024;
    struct block *block = arc_resize(NULL, sizeof *block + size);
    block->next = domain->blocks;
    domain->blocks = block;
    domain->used = 0;
    domain->room = size;
  }
  void *result = domain->blocks->bytes + domain->used;
  domain->used += bytes;
  return result;
}

static struct segment *make(struct arc_domain *domain, int level) {
  struct segment *segment = take(domain, sizeof *segment + (size_t)level * sizeof segment->next[0]);
  memset(segment, 0, sizeof *segment + (size_t)level * sizeof segment->next[0]);
  for (int c = 0; c < CLASSES; c++) segment->limit[c] = 32;
  segment->level = level;
  return segment;
}

static void begin(struct arc_domain *domain) {
  domain->head = make(domain, LEVELS);
  domain->level = 1;
  domain->segments = 0;
  domain->swept_at = 1024;
}

struct arc_domain *arc_domain_open(void) {
  struct arc_domain *domain = arc_allocate(sizeof *domain);
  domain->random = 0x9e3779b97f4a7c15u;
  begin(domain);
  return domain;
}

static struct segment **known(struct arc_domain *domain, uintptr_t low) {
  return &domain->known[(low * 0x9e3779b97f4a7c15u) >> 52 & (KNOWN - 1)];
}

static void forget_known(struct arc_domain *domain) {
  if (domain->known) memset(domain->known, 0, KNOWN * sizeof domain->known[0]);
}

static void free_blocks(struct block *block) {
  while (block) {
    struct block *next = block->next;
    free(block);
    block = next;
  }
}

static void let_go(struct arc_domain *domain, struct use *use) {
  arc_task_release_reference(use->task);
  use->next = domain->free_uses;
  domain->free_uses = use;
}

static void let_all_go(struct arc_domain *domain) {
  for (struct segment *at = domain->head->next[0]; at; at = at->next[0])
    for (int c = 0; c < CLASSES; c++)
      for (struct use *use = at->uses[c]; use; use = use->next) arc_task_release_reference(use->task);
}

void arc_domain_close(struct arc_domain *domain) {
  let_all_go(domain);
  free_blocks(domain->blocks);
  free(domain->known);
  free(domain);
}

void arc_domain_forget(struct arc_domain *domain) {
  if (domain->segments == 0) return;
  let_all_go(domain);
  /* Reuses the newest block. */
  free_blocks(domain->blocks->next);
  domain->blocks->next = NULL;
  domain->used = 0;
  domain->free_uses = NULL;
  forget_known(domain);
  begin(domain);
}

/* ---------------------------------------------------------------- segments */

/* On every level, the last segment that begins below `low`. */
static void find(struct arc_domain *domain, uintptr_t low, struct segment *before[LEVELS]) {
  struct segment *at = domain->head;
  for (int i = domain->level - 1; i >= 0; i--) {
    while (at->next[i] && at->next[i]->low < low) at = at->next[i];
    before[i] = at;
  }
}

static int random_level(struct arc_domain *domain) {
  uint64_t x = domain->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  domain->random = x;
  int level = 1;
  while (level < LEVELS && (x & 3) == 3) {
    level++;
    x >>= 2;
  }
  return level;
}

/* A new segment that overlaps no other. */
static struct segment *insert(struct arc_domain *domain, uintptr_t low, uintptr_t high) {
  struct segment *before[LEVELS];
  find(domain, low, before);
  int level = random_level(domain);
  struct segment *segment = make(domain, level);
  segment->low = low;
  segment->high = high;
  for (; domain->level < level; domain->level++) before[domain->level] = domain->head;
  for (int i = 0; i < level; i++) {
    segment->next[i] = before[i]->next[i];
    before[i]->next[i] = segment;
  }
  if (++domain->segments == FEW && !domain->known) domain->known = arc_allocate(KNOWN * sizeof domain->known[0]);
  if (domain->known) *known(domain, low) = segment;
  return segment;
}

static struct use *use_of(struct arc_domain *domain, struct arc_task *task, const struct arc_task_part *part) {
  struct use *use = domain->free_uses;
  if (use) domain->free_uses = use->next;
  else use = take(domain, sizeof *use);
  atomic_fetch_add_explicit(&task->references, 1, memory_order_relaxed);
  use->task = task;
  use->part = part;
  return use;
}

/* Splits the segment at `at`; both parts list the same tasks. */
static void cut(struct arc_domain *domain, struct segment *segment, uintptr_t at) {
  struct segment *second = insert(domain, at, segment->high);
  segment->high = at;
  for (int c = 0; c < CLASSES; c++) {
    struct use **last = &second->uses[c];
    for (struct use *use = segment->uses[c]; use; use = use->next) {
      *last = use_of(domain, use->task, use->part);
      last = &(*last)->next;
    }
    *last = NULL;
    second->length[c] = segment->length[c];
    second->limit[c] = segment->limit[c];
  }
}

static void drop_complete(struct arc_domain *domain, struct segment *segment, int c) {
  unsigned length = 0;
  for (struct use **at = &segment->uses[c]; *at;) {
    struct use *use = *at;
    if (arc_task_is_complete(use->task)) {
      *at = use->next;
      let_go(domain, use);
    } else {
      at = &use->next;
      length++;
    }
  }
  segment->length[c] = length;
  segment->limit[c] = length < 16 ? 32 : 2 * length;
}

/* Drops segments that no task uses, and moves the rest into new blocks. */
static void sweep(struct arc_domain *domain) {
  struct segment *old = domain->head->next[0];
  struct block *blocks = domain->blocks;
  domain->blocks = NULL;
  domain->used = domain->room = 0;
  domain->free_uses = NULL;
  forget_known(domain);
  begin(domain);
  for (; old; old = old->next[0]) {
    struct segment *kept = NULL;
    for (int c = 0; c < CLASSES; c++)
      for (struct use *use = old->uses[c]; use; use = use->next) {
        if (!arc_task_is_complete(use->task)) {
          if (!kept) kept = insert(domain, old->low, old->high);
          struct use *copy = use_of(domain, use->task, use->part);
          copy->next = kept->uses[c];
          kept->uses[c] = copy;
          kept->length[c]++;
        }
        arc_task_release_reference(use->task);
      }
  }
  free_blocks(blocks);
  domain->swept_at = 2 * domain->segments + 1024;
}

/* ---------------------------------------------------------------- uses */

static enum class class_of(const struct arc_task_part *part) {
  switch (part->mode) {
  case ARC_TASK_IN: return READ;
  case ARC_TASK_CONCURRENT: return CONCURRENT;
  case ARC_TASK_COMMUTATIVE: return COMMUTATIVE;
  case ARC_TASK_REDUCTION: return REDUCTION;
  default: return WRITE;
  }
}

static void wait_for(struct arc_domain *domain, struct segment *segment, struct arc_task *task,
                     const struct arc_task_part *part, enum class own, bool enters) {
  bool whole = part->box.dims == 0;
  for (int c = 0; c < CLASSES; c++) {
    if (c == (int)own && own != WRITE && own != REDUCTION) continue;
    struct use **last = &segment->uses[c];
    for (struct use *use = *last; use; use = *last) {
      if (arc_task_is_complete(use->task)) {
        *last = use->next;
        let_go(domain, use);
        continue;
      }
      bool ordered = use->task != task && !(c == (int)own && own == REDUCTION && use->part->operator== part->operator);
      if (ordered && (whole ? use->part->box.dims == 0 || arc_boxes_meet(&use->part->box, &part->box)
                            : arc_boxes_meet(&part->box, &use->part->box))) {
        arc_task_after(task, use->task);
        /* Later tasks that conflict with it conflict with this task as well. */
        if (enters && own == WRITE && (whole || arc_box_holds(&part->box, &use->part->box))) {
          *last = use->next;
          let_go(domain, use);
          continue;
        }
      }
      last = &use->next;
    }
  }
}

static void enter(struct arc_domain *domain, struct segment *segment, struct arc_task *task,
                  const struct arc_task_part *part, enum class own) {
  if (segment->length[own] >= segment->limit[own]) drop_complete(domain, segment, own);
  struct use *use = use_of(domain, task, part);
  use->next = segment->uses[own];
  segment->uses[own] = use;
  segment->length[own]++;
}

/* The first segment that ends after `low`. */
static struct segment *first_behind(struct arc_domain *domain, uintptr_t low) {
  struct segment *at = domain->known ? *known(domain, low) : NULL;
  if (at && at->low == low) return at;
  struct segment *before[LEVELS];
  find(domain, low, before);
  at = before[0];
  return at != domain->head && at->high > low ? at : at->next[0];
}

void arc_domain_access(struct arc_domain *domain, struct arc_task *task, const struct arc_task_part *part, bool enters) {
  if (enters && domain->segments > domain->swept_at) sweep(domain);
  enum class own = class_of(part);
  uintptr_t low = part->box.start, high = low + part->box.extent;
  struct segment *at = first_behind(domain, low);
  if (!enters) {
    for (; at && at->low < high; at = at->next[0]) wait_for(domain, at, task, part, own, false);
    return;
  }
  while (low < high) {
    if (!at || at->low > low) {
      at = insert(domain, low, at && at->low < high ? at->low : high);
    } else if (at->low < low) {
      cut(domain, at, low);
      at = at->next[0];
    }
    if (at->high > high) cut(domain, at, high);
    wait_for(domain, at, task, part, own, true);
    enter(domain, at, task, part, own);
    low = at->high;
    at = at->next[0];
  }
}
