/*
 * arc_fifo.h: kernels that communicate through bounded queues, in C and C++. ARC_KERNELS of them run, each on its own
 * thread, between arc_kernel_begin and arc_kernel_end. If all remaining kernels wait, the program reports what each
 * waits for and ends with status 3.
 */
#ifndef ARC_FIFO_H
#define ARC_FIFO_H
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifndef ARC_KERNELS
#error ARC_KERNELS is the number of kernels that run together
#endif

struct arc_fifo_wait {
  const char *kernel, *channel, *how;
  long depth;
  struct arc_fifo_wait *next;
};

static pthread_mutex_t arc_fifo_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arc_fifo_moved = PTHREAD_COND_INITIALIZER;
/* Kernels that have not ended, including those that have not begun. */
static int arc_kernels_left = ARC_KERNELS;
/* Kernels that found their queue blocked since the last transfer; a transfer makes all of them look again. */
static struct arc_fifo_wait *arc_waits;
static int arc_kernels_waiting;
static unsigned long arc_fifo_moves;
static __thread struct arc_fifo_wait arc_this_kernel;

static inline void arc_fifo_move(void) {
  arc_fifo_moves++;
  arc_kernels_waiting = 0;
  arc_waits = 0;
  pthread_cond_broadcast(&arc_fifo_moved);
}

static void arc_fifo_deadlock(void) {
  fflush(stdout);
  for (struct arc_fifo_wait *wait = arc_waits; wait; wait = wait->next)
    fprintf(stderr, "deadlock: kernel %s waits: channel %s of depth %ld is %s\n", wait->kernel, wait->channel,
            wait->depth, wait->how);
  fprintf(stderr, "every kernel that is left waits for another: give what is full more room (axis channel-depth), or "
                  "read in the order of the writes\n");
  _exit(3);
}

/* Called with the lock held, while the queue is full or empty. */
static inline void arc_fifo_await(const char *channel, const char *how, long depth) {
  arc_this_kernel.channel = channel;
  arc_this_kernel.how = how;
  arc_this_kernel.depth = depth;
  arc_this_kernel.next = arc_waits;
  arc_waits = &arc_this_kernel;
  if (++arc_kernels_waiting == arc_kernels_left) arc_fifo_deadlock();
  for (unsigned long seen = arc_fifo_moves; seen == arc_fifo_moves;)
    pthread_cond_wait(&arc_fifo_moved, &arc_fifo_lock);
}

static inline void arc_kernel_begin(const char *name) { arc_this_kernel.kernel = name; }

static inline void arc_kernel_end(void) {
  pthread_mutex_lock(&arc_fifo_lock);
  /* The next launch begins after the last one. The other kernels may all be waiting now: let them check. */
  if (--arc_kernels_left == 0) arc_kernels_left = ARC_KERNELS;
  arc_fifo_move();
  pthread_mutex_unlock(&arc_fifo_lock);
}
#endif
