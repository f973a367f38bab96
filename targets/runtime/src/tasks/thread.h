/* thread.h: the threads that run tasks: per-thread state, finding work, sleeping. */
#ifndef ARC_TASKS_THREAD_H
#define ARC_TASKS_THREAD_H
#include "tasks/pool.h"
#include "tasks/spin.h"
#include "tasks/task.h"
#include <pthread.h>

/* A thread's ready tasks, newest at the end. */
struct arc_deque {
  arc_spin lock;
  struct arc_task **tasks;
  size_t first, count, room; /* a ring; `room` is a power of two */
};

struct arc_thread {
  struct arc_deque ready;
  struct arc_pool pool;
  struct arc_task *current;
  struct arc_task implicit; /* the implicit task of a thread of the program */
  unsigned index;
  bool at_once; /* tasks may run when created: no trace or check is on, and the policy allows it */
  unsigned depth;  /* number of nested task bodies */
  unsigned random; /* state for choosing whom to steal from */
};

/* In thread.c; read by the inline functions below at every task creation. */
extern _Thread_local struct arc_thread *arc_thread_mine;
extern atomic_uint arc_thread_total;
struct arc_thread *arc_thread_first_here(void);

/* The calling thread's state if it has ever created or run a task; else NULL. */
static inline struct arc_thread *arc_thread_known(void) { return arc_thread_mine; }
/* The calling thread's state; the first call starts the workers. */
static inline struct arc_thread *arc_thread_here(void) { return arc_thread_mine ? arc_thread_mine : arc_thread_first_here(); }
static inline unsigned arc_thread_count(void) { return atomic_load_explicit(&arc_thread_total, memory_order_acquire); }
/* Starts an additional thread that runs `what` and ends; false: none could be created. */
bool arc_thread_start(pthread_t *, void (*what)(struct arc_thread *, void *given), void *given);
struct arc_thread *arc_thread_at(unsigned index);

/* Call when a task was added. */
void arc_threads_wake(void);
/* Call when a condition that threads may wait for has become true. */
void arc_threads_tell(void);

/*
 * Runs tasks until `done`, which must stay true once it is; sleeps when there are none. `parent`: its descendants may
 * always run, other tasks only while waits are not nested too deeply.
 */
void arc_thread_run_until(struct arc_thread *, bool (*done)(void *), void *what, struct arc_task *parent);

/* A task that the thread may run now; NULL: none. */
struct arc_task *arc_thread_look(struct arc_thread *, struct arc_task *parent);
/* Runs a task nested in the current one. */
void arc_thread_run(struct arc_thread *, struct arc_task *);

#endif
