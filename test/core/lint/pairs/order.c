/*
 * What orders threads in gcc's OpenMP library, told to ThreadSanitizer, which does not see into the library: linked
 * before it, each function tells and calls the library's own. It tells of more order than there is where that is
 * simpler (tasks without dependences end before everything after the next wait of any thread), never of less. Threads
 * that have got something to do sleep a moment, so that others get something, too. The file itself is not checked.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void __tsan_acquire(void *);
void __tsan_release(void *);

/* The library's own memory is its own matter. */
const char *__tsan_default_suppressions(void) { return "called_from_lib:libgomp.so\n"; }

/* Neighbouring barriers have marks of their own: who leaves one late must not seem to follow the next one. */
static char team, met[2], tasks, exclusive, turns, atomics;

#define own(result, name, ...) ((result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static __thread unsigned barriers;

struct run {
  void (*body)(void *);
  void *data;
};

/* All threads are there before one of them does anything, as a short part may be done before the next one is awake. */
static void member(void *p) {
  struct run *run = p;
  unsigned outer = barriers;
  own(void, "GOMP_barrier", void)();
  __tsan_acquire(run);
  barriers = 0;
  run->body(run->data);
  barriers = outer;
  __tsan_release(&team);
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags) {
  struct run run = {body, data};
  __tsan_release(&run);
  own(void, "GOMP_parallel", void (*)(void *), void *, unsigned, unsigned)(member, &run, threads, flags);
  __tsan_acquire(&team);
  __tsan_acquire(&tasks);
}

void GOMP_parallel_sections(void (*body)(void *), void *data, unsigned threads, unsigned count, unsigned flags) {
  struct run run = {body, data};
  __tsan_release(&run);
  own(void, "GOMP_parallel_sections", void (*)(void *), void *, unsigned, unsigned, unsigned)(member, &run, threads, count, flags);
  __tsan_acquire(&team);
  __tsan_acquire(&tasks);
}

#define LOOP(kind)                                                                                                   \
  void GOMP_parallel_loop_##kind(void (*body)(void *), void *data, unsigned threads, long from, long to, long step,    \
                                 long chunk, unsigned flags) {                                                       \
    struct run run = {body, data};                                                                                   \
    __tsan_release(&run);                                                                                            \
    own(void, "GOMP_parallel_loop_" #kind, void (*)(void *), void *, unsigned, long, long, long, long, unsigned)     \
    (member, &run, threads, from, to, step, chunk, flags);                                                           \
    __tsan_acquire(&team);                                                                                           \
    __tsan_acquire(&tasks);                                                                                          \
  }
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)

#define BARRIER(name)                                                                                                \
  void name(void) {                                                                                                  \
    char *mark = &met[barriers++ % 2];                                                                               \
    __tsan_release(mark);                                                                                            \
    own(void, #name, void)();                                                                                        \
    __tsan_acquire(mark);                                                                                            \
    __tsan_acquire(&tasks);                                                                                          \
  }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)

#define LOCK(start, end, what)                                                                                       \
  void start(void) {                                                                                                 \
    own(void, #start, void)();                                                                                       \
    __tsan_acquire(&what);                                                                                           \
  }                                                                                                                  \
  void end(void) {                                                                                                   \
    __tsan_release(&what);                                                                                           \
    own(void, #end, void)();                                                                                         \
  }
LOCK(GOMP_critical_start, GOMP_critical_end, exclusive)
LOCK(GOMP_atomic_start, GOMP_atomic_end, atomics)
LOCK(GOMP_ordered_start, GOMP_ordered_end, turns)

/* A thread that has got a part lets the others get theirs. */
#define NEXT(name)                                                                                                   \
  bool name(long *from, long *to) {                                                                                  \
    usleep(100);                                                                                                     \
    return own(bool, #name, long *, long *)(from, to);                                                               \
  }
NEXT(GOMP_loop_dynamic_next)
NEXT(GOMP_loop_guided_next)
NEXT(GOMP_loop_nonmonotonic_dynamic_next)
NEXT(GOMP_loop_nonmonotonic_guided_next)

unsigned GOMP_sections_next(void) {
  usleep(100);
  return own(unsigned, "GOMP_sections_next", void)();
}

void GOMP_critical_name_start(void **name) {
  own(void, "GOMP_critical_name_start", void **)(name);
  __tsan_acquire(name);
}
void GOMP_critical_name_end(void **name) {
  __tsan_release(name);
  own(void, "GOMP_critical_name_end", void **)(name);
}
void omp_set_lock(void *lock) {
  own(void, "omp_set_lock", void *)(lock);
  __tsan_acquire(lock);
}
void omp_unset_lock(void *lock) {
  __tsan_release(lock);
  own(void, "omp_unset_lock", void *)(lock);
}

void *GOMP_single_copy_start(void) {
  void *copied = own(void *, "GOMP_single_copy_start", void)();
  if (copied) __tsan_acquire(&team);
  return copied;
}
void GOMP_single_copy_end(void *data) {
  __tsan_release(&team);
  own(void, "GOMP_single_copy_end", void *)(data);
  __tsan_acquire(&team);
}

/* A task: its data in a copy, with what it depends on. */
struct task {
  void (*body)(void *);
  void **depends;
  char data[] __attribute__((aligned(64)));
};

/* The list of dependences begins with how many there are, or with 0 and then how many. */
static size_t count(void **depends) { return (size_t)(depends[0] ? depends[0] : depends[1]); }
static void **first(void **depends) { return depends + (depends[0] ? 2 : 5); }

static void begin(void **depends) {
  for (size_t k = 0; depends && k < count(depends); k++) __tsan_acquire(first(depends)[k]);
}

static void finish(void **depends) {
  __tsan_release(&tasks);
  for (size_t k = 0; depends && k < count(depends); k++) __tsan_release(first(depends)[k]);
}

static void perform(void *p) {
  struct task *task = *(struct task **)p;
  usleep(300);
  __tsan_acquire(task);
  begin(task->depends);
  task->body(task->data);
  finish(task->depends);
}

void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool deferred,
               unsigned flags, void **depends, int priority, void *detach) {
  struct task *task = aligned_alloc(64, (sizeof *task + size + 63) / 64 * 64);
  task->body = body;
  task->depends = NULL;
  if (flags & 8) {
    size_t bytes = (count(depends) + 5) * sizeof *depends;
    task->depends = memcpy(malloc(bytes), depends, (char *)(first(depends) + count(depends)) - (char *)depends);
  }
  if (copy) copy(task->data, data);
  else memcpy(task->data, data, size);
  __tsan_release(task);
  own(void, "GOMP_task", void (*)(void *), void *, void *, long, long, bool, unsigned, void **, int, void *)
  (perform, &task, NULL, sizeof task, sizeof task, deferred, flags, depends, priority, detach);
  if (deferred) usleep(600);
  else __tsan_acquire(&tasks);
}

/* One at a time. */
static void (*part)(void *);

static void performPart(void *data) {
  __tsan_acquire(&part);
  part(data);
  finish(NULL);
}

void GOMP_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags,
                   unsigned long count, int priority, long from, long to, long step) {
  enum { nogroup = 1 << 11 };
  part = body;
  __tsan_release(&part);
  own(void, "GOMP_taskloop", void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int, long, long, long)
  (performPart, data, copy, size, align, flags, count, priority, from, to, step);
  if (!(flags & nogroup)) __tsan_acquire(&tasks);
}

void GOMP_taskwait(void) {
  own(void, "GOMP_taskwait", void)();
  __tsan_acquire(&tasks);
}
void GOMP_taskwait_depend(void **depends) {
  own(void, "GOMP_taskwait_depend", void **)(depends);
  begin(depends);
}
void GOMP_taskgroup_end(void) {
  own(void, "GOMP_taskgroup_end", void)();
  __tsan_acquire(&tasks);
}
