/*
 * Channels on the processor, for trying kernels before synthesis: a bounded queue each, a thread per kernel.
 * When every kernel waits for another the program says who waits for what and ends with status 3.
 *
 *   ARC_CHANNEL(type, name, depth)   at file scope
 *   read_channel_intel(name), write_channel_intel(name, value)
 *   arc_run_kernels(n, bodies, names)   runs bodies[k]() in a thread each and waits for all
 */
#ifndef ARC_CHANNELS_H
#define ARC_CHANNELS_H
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t arc_channel_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arc_channel_moved = PTHREAD_COND_INITIALIZER;
/* Kernels that have looked since the last move and must wait; a move makes all of them look again. */
static int arc_kernels_running, arc_kernels_waiting;
static unsigned long arc_moves;
static const char *const *arc_kernel_names;
static const char *arc_waits_for[64];
static const char *arc_waits_how[64];
static _Thread_local int arc_kernel;

/* Called with the lock held, for as long as `full or empty` holds. */
static void arc_channel_wait(const char *channel, const char *how) {
  arc_waits_for[arc_kernel] = channel;
  arc_waits_how[arc_kernel] = how;
  if (++arc_kernels_waiting == arc_kernels_running) {
    for (int k = 0; k < 64; k++)
      if (arc_waits_for[k])
        fprintf(stderr, "deadlock: kernel %s waits: channel %s is %s\n", arc_kernel_names[k], arc_waits_for[k], arc_waits_how[k]);
    exit(3);
  }
  for (unsigned long seen = arc_moves; seen == arc_moves;) pthread_cond_wait(&arc_channel_moved, &arc_channel_lock);
  arc_waits_for[arc_kernel] = 0;
}

static void arc_channel_move(void) {
  arc_moves++;
  arc_kernels_waiting = 0;
  pthread_cond_broadcast(&arc_channel_moved);
}

#define ARC_CHANNEL(type, name, depth)                                                        \
  static type arc_queue_##name[depth];                                                        \
  static long arc_written_##name, arc_read_##name;                                            \
  static void arc_write_to_##name(type value) {                                               \
    pthread_mutex_lock(&arc_channel_lock);                                                    \
    while (arc_written_##name - arc_read_##name == (depth)) arc_channel_wait(#name, "full");  \
    arc_queue_##name[arc_written_##name++ % (depth)] = value;                                 \
    arc_channel_move();                                                                       \
    pthread_mutex_unlock(&arc_channel_lock);                                                  \
  }                                                                                           \
  static type arc_read_from_##name(void) {                                                    \
    pthread_mutex_lock(&arc_channel_lock);                                                    \
    while (arc_written_##name == arc_read_##name) arc_channel_wait(#name, "empty");           \
    type value = arc_queue_##name[arc_read_##name++ % (depth)];                               \
    arc_channel_move();                                                                       \
    pthread_mutex_unlock(&arc_channel_lock);                                                  \
    return value;                                                                             \
  }
#define read_channel_intel(name) arc_read_from_##name()
#define write_channel_intel(name, value) arc_write_to_##name(value)

struct arc_kernel_thread {
  void (*body)(void);
  int index;
};

static void *arc_kernel_main(void *of) {
  struct arc_kernel_thread *thread = of;
  arc_kernel = thread->index;
  thread->body();
  pthread_mutex_lock(&arc_channel_lock);
  arc_kernels_running--;
  /* The others may now all be waiting: let them find out. */
  arc_channel_move();
  pthread_mutex_unlock(&arc_channel_lock);
  return 0;
}

static void arc_run_kernels(int n, void (*const *bodies)(void), const char *const *names) {
  pthread_t threads[64];
  struct arc_kernel_thread of[64];
  arc_kernels_running = n;
  arc_kernel_names = names;
  for (int k = 0; k < n; k++) {
    of[k] = (struct arc_kernel_thread){bodies[k], k};
    pthread_create(&threads[k], 0, arc_kernel_main, &of[k]);
  }
  for (int k = 0; k < n; k++) pthread_join(threads[k], 0);
}
#endif
