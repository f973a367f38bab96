/* thread.h: the threads that run tasks: what each has for itself, and how they find work and rest. */
#ifndef ARC_TASKS_THREAD_H
#define ARC_TASKS_THREAD_H
#include "tasks/pool.h"
#include "tasks/spin.h"
#include "tasks/task.h"
#include <pthread.h>

/* Ready tasks of one thread: the newest at the end. */
struct arc_deque {
  arc_spin lock;
  struct arc_task **tasks;
  size_t first, count, room; /* a ring; `room` is a power of two */
};

struct arc_thread {
  struct arc_deque ready;
  struct arc_pool pool;
  struct arc_task *current;
  struct arc_task implicit; /* of a thread that the program has */
  unsigned index;
  bool at_once; /* tasks may run where they are created: nobody watches, and the policy allows it */
  unsigned depth;  /* of bodies that run inside waits */
  unsigned random; /* whom to steal from */
};

/* Read at every creation of a task, and there inline; thread.c's. */
extern _Thread_local struct arc_thread *arc_thread_mine;
extern atomic_uint arc_thread_total;
struct arc_thread *arc_thread_first_here(void);

/* Of the thread that calls, if it has ever created or run a task; else NULL. */
static inline struct arc_thread *arc_thread_known(void) { return arc_thread_mine; }
/* The same; the first call starts the workers. */
static inline struct arc_thread *arc_thread_here(void) { return arc_thread_mine ? arc_thread_mine : arc_thread_first_here(); }
static inline unsigned arc_thread_count(void) { return atomic_load_explicit(&arc_thread_total, memory_order_acquire); }
/* One more, which runs `what` and ends; false: there is none to be had. */
bool arc_thread_start(pthread_t *, void (*what)(struct arc_thread *, void *given), void *given);
struct arc_thread *arc_thread_at(unsigned index);

/* Somewhere there is a task that was not there before. */
void arc_threads_wake(void);
/* Something that a thread may be waiting for has come to pass. */
void arc_threads_tell(void);

/*
 * Runs tasks until `done`, of which no thread may come back to false; sleeps when there are none. `parent`: tasks
 * below it may always run, others only while waits are not nested too deeply.
 */
void arc_thread_run_until(struct arc_thread *, bool (*done)(void *), void *what, struct arc_task *parent);

/* A task that the thread may run now; NULL: none. */
struct arc_task *arc_thread_look(struct arc_thread *, struct arc_task *parent);
/* Inside what it runs. */
void arc_thread_run(struct arc_thread *, struct arc_task *);

#endif
