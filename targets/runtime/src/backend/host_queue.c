/* host_queue.c: queues as threads. */
#define _POSIX_C_SOURCE 200809L
#include "backend/host_queue.h"
#include "report/trace.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A task with the storage of its arguments behind it; kept for reuse. */
struct node {
  struct node *next;
  struct arc_host_task task;
  size_t capacity; /* bytes of storage */
  max_align_t storage[];
};

struct arc_host_queue {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t submitted_more, completed_more;
  struct node *first, **last;
  struct node *spare;
  uint64_t submitted, completed;
  bool closing;
};

static void await(struct arc_host_queue *queue, uint64_t count) {
  pthread_mutex_lock(&queue->lock);
  while (queue->completed < count) pthread_cond_wait(&queue->completed_more, &queue->lock);
  pthread_mutex_unlock(&queue->lock);
}

void arc_host_task_run(const struct arc_host_task *task) {
  switch (task->kind) {
  case ARC_HOST_MOVE: memmove(task->to, task->from, task->bytes); break;
  case ARC_HOST_FILL: memset(task->to, task->byte, task->bytes); break;
  case ARC_HOST_KERNEL: task->kernel(&task->grid, task->arguments); break;
  case ARC_HOST_AWAIT: await(task->queue, task->count); break;
  case ARC_HOST_STAMP: *task->stamp = arc_trace_now(); break;
  }
}

static void *serve(void *argument) {
  struct arc_host_queue *queue = argument;
  pthread_mutex_lock(&queue->lock);
  for (;;) {
    while (!queue->first && !queue->closing) pthread_cond_wait(&queue->submitted_more, &queue->lock);
    struct node *node = queue->first;
    if (!node) break;
    queue->first = node->next;
    if (!queue->first) queue->last = &queue->first;
    pthread_mutex_unlock(&queue->lock);
    arc_host_task_run(&node->task);
    pthread_mutex_lock(&queue->lock);
    node->next = queue->spare;
    queue->spare = node;
    queue->completed++;
    pthread_cond_broadcast(&queue->completed_more);
  }
  pthread_mutex_unlock(&queue->lock);
  return NULL;
}

struct arc_host_queue *arc_host_queue_open(void) {
  struct arc_host_queue *queue = arc_allocate(sizeof *queue);
  queue->last = &queue->first;
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->submitted_more, NULL);
  pthread_cond_init(&queue->completed_more, NULL);
  int failed = pthread_create(&queue->thread, NULL, serve, queue);
  if (!failed) return queue;
  free(queue);
  errno = failed;
  return NULL;
}

static void free_nodes(struct node *node) {
  while (node) {
    struct node *next = node->next;
    free(node);
    node = next;
  }
}

void arc_host_queue_close(struct arc_host_queue *queue) {
  pthread_mutex_lock(&queue->lock);
  queue->closing = true;
  pthread_cond_signal(&queue->submitted_more);
  pthread_mutex_unlock(&queue->lock);
  pthread_join(queue->thread, NULL);
  pthread_cond_destroy(&queue->submitted_more);
  pthread_cond_destroy(&queue->completed_more);
  pthread_mutex_destroy(&queue->lock);
  free_nodes(queue->spare);
  free(queue);
}

/* A node with at least that much storage. */
static struct node *take_node(struct arc_host_queue *queue, size_t bytes) {
  pthread_mutex_lock(&queue->lock);
  struct node *node = queue->spare;
  if (node) queue->spare = node->next;
  pthread_mutex_unlock(&queue->lock);
  if (node && node->capacity >= bytes) return node;
  node = arc_resize(node, sizeof *node + bytes);
  node->capacity = bytes;
  return node;
}

static void push(struct arc_host_queue *queue, struct node *node) {
  node->next = NULL;
  pthread_mutex_lock(&queue->lock);
  *queue->last = node;
  queue->last = &node->next;
  queue->submitted++;
  pthread_cond_signal(&queue->submitted_more);
  pthread_mutex_unlock(&queue->lock);
}

void arc_host_queue_submit(struct arc_host_queue *queue, const struct arc_host_task *task) {
  struct node *node = take_node(queue, 0);
  node->task = *task;
  push(queue, node);
}

static size_t aligned(size_t bytes) {
  return (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

void arc_host_queue_submit_kernel(struct arc_host_queue *queue, const struct arc_host_task *task, size_t n,
                                  void *const *arguments, const struct arc_pass *passes) {
  size_t extents = aligned(n * sizeof *task->grid.extents);
  size_t bytes = aligned(n * sizeof *arguments) + extents;
  for (size_t i = 0; i < n; i++) bytes += passes[i].is_place ? 0 : aligned(passes[i].size);
  struct node *node = take_node(queue, bytes);
  void **kept = (void **)node->storage;
  struct arc_host_extent *kept_extents =
      (void *)((char *)node->storage + aligned(n * sizeof *arguments));
  char *values = (char *)kept_extents + extents;
  for (size_t i = 0; i < n; i++) {
    kept[i] = arguments[i];
    kept_extents[i] = task->grid.extents[i];
    if (passes[i].is_place) continue;
    kept[i] = memcpy(values, passes[i].bytes, passes[i].size);
    kept_extents[i].start = (uintptr_t)values;
    values += aligned(passes[i].size);
  }
  node->task = *task;
  node->task.arguments = kept;
  node->task.grid.extents = kept_extents;
  push(queue, node);
}

uint64_t arc_host_queue_submitted(struct arc_host_queue *queue) {
  pthread_mutex_lock(&queue->lock);
  uint64_t submitted = queue->submitted;
  pthread_mutex_unlock(&queue->lock);
  return submitted;
}

void arc_host_queue_finish(struct arc_host_queue *queue) { await(queue, arc_host_queue_submitted(queue)); }

bool arc_host_queue_idle(struct arc_host_queue *queue) {
  pthread_mutex_lock(&queue->lock);
  bool idle = queue->completed == queue->submitted;
  pthread_mutex_unlock(&queue->lock);
  return idle;
}
