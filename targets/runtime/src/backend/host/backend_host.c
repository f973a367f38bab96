/*
 * backend_host.c: the machine itself as a device. Kernels are shared objects that use its cores by OpenMP.
 *
 * Device memory is the program's own, or, with ARC_HOST_MEMORY=separate, memory of its own, so that wrong
 * data clauses show. Queue 'sync' runs in the calling thread; every other queue is a thread.
 */
#define _GNU_SOURCE
#include "data/check.h"
#include "backend/host/arguments.h"
#include "backend/host/host_queue.h"
#include "device/device.h"
#include "image/library.h"
#include "backend/host/together.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

static long positive(const char *variable, long otherwise) {
  const char *text = getenv(variable);
  long value = text ? strtol(text, NULL, 10) : 0;
  return value > 0 ? value : otherwise;
}

/* One, unless a program for several devices is being tested. */
static int devices(void) { return (int)positive("ARC_HOST_DEVICES", 1); }

/* Processors that this process may use, which is OpenMP's default number of threads. */
static long processors(void) {
  cpu_set_t usable;
  return sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable)
                                                           : sysconf(_SC_NPROCESSORS_ONLN);
}

static bool open_host(struct arc_device *device) {
  if (device->ordinal < 0 || device->ordinal >= devices())
    return arc_because("the last of the host's devices is number %d", devices() - 1);
  const char *memory = getenv("ARC_HOST_MEMORY");
  if (memory && *memory && strcmp(memory, "separate") != 0 && strcmp(memory, "shared") != 0)
    return arc_because("ARC_HOST_MEMORY=%s is neither shared nor separate", memory);
  struct utsname system;
  uname(&system);
  struct arc_text name = {0};
  arc_text_add(&name, "host:%d", device->ordinal);
  device->name = name.bytes;
  device->vendor = arc_copy_string(system.machine);
  device->type = "cpu";
  device->driver = arc_copy_string(system.release);
  device->in_process = true;
  /* The checks need transfers and separate results, so memory is not shared. */
  device->shared = memory && *memory ? strcmp(memory, "separate") != 0 : !arc_checks();
  /* Freed memory is not kept, so that a sanitizer or valgrind sees uses after an exit data. */
  device->pooled = false;
  device->poisoned = !device->shared;
  device->compute_units = positive("OMP_NUM_THREADS", processors());
  device->max_group = INT32_MAX;
  device->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
  return true;
}

static void close_host(struct arc_device *device) { (void)device; }

static uint64_t free_memory(struct arc_device *device) {
  (void)device;
  return (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
}

/* ---- memory ---- */

static bool allocate(struct arc_device *device, struct arc_buffer *buffer) {
  size_t alignment = device->alignment > 64 ? device->alignment : 64;
  uint64_t limit = (uint64_t)positive("ARC_HOST_MEMORY_LIMIT", 0);
  if (limit && buffer->bytes > limit)
    return arc_because("ARC_HOST_MEMORY_LIMIT is %llu bytes", (unsigned long long)limit);
  int failed = posix_memalign(&buffer->handle, alignment, buffer->bytes);
  buffer->range.start = (uintptr_t)buffer->handle;
  return !failed || arc_because("%s", strerror(failed));
}

static bool allocate_unified(struct arc_device *device, struct arc_buffer *buffer) {
  if (!device->shared) return arc_because("ARC_HOST_MEMORY=separate");
  return allocate(device, buffer);
}

static void release(struct arc_device *device, struct arc_buffer *buffer) {
  (void)device;
  free(buffer->handle);
}

static bool submit(struct arc_queue *queue, const struct arc_host_task *task) {
  if (queue->handle)
    arc_host_queue_submit(queue->handle, task);
  else
    arc_host_task_run(task);
  return true;
}

static bool move(struct arc_queue *queue, void *to, const void *from, size_t bytes) {
  return submit(queue,
                &(struct arc_host_task){.kind = ARC_HOST_MOVE, .to = to, .from = from, .bytes = bytes});
}

static bool write_host(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                       const void *host, size_t bytes) {
  (void)device;
  return move(queue, arc_host_address(to), host, bytes);
}

static bool read_host(struct arc_device *device, struct arc_queue *queue, void *host, struct arc_place from,
                      size_t bytes) {
  (void)device;
  return move(queue, host, arc_host_address(from), bytes);
}

static bool copy(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                 struct arc_place from, size_t bytes) {
  (void)device;
  return move(queue, arc_host_address(to), arc_host_address(from), bytes);
}

static bool fill(struct arc_device *device, struct arc_queue *queue, struct arc_place place,
                 unsigned char byte, size_t bytes) {
  (void)device;
  return submit(queue, &(struct arc_host_task){
                           .kind = ARC_HOST_FILL, .to = arc_host_address(place), .byte = byte, .bytes = bytes});
}

/* ---- queues ---- */

static bool open_queue(struct arc_device *device, struct arc_queue *queue) {
  (void)device;
  if (queue->async == ARC_SYNC) return true;
  queue->handle = arc_host_queue_open();
  return queue->handle || arc_because("no thread for it: %s", strerror(errno));
}

static void close_queue(struct arc_device *device, struct arc_queue *queue) {
  (void)device;
  if (queue->handle) arc_host_queue_close(queue->handle);
}

static bool finish(struct arc_device *device, struct arc_queue *queue) {
  (void)device;
  if (queue->handle) arc_host_queue_finish(queue->handle);
  return true;
}

static int test(struct arc_device *device, struct arc_queue *queue) {
  (void)device;
  return !queue->handle || arc_host_queue_idle(queue->handle);
}

static bool follow(struct arc_device *device, struct arc_queue *later, struct arc_queue *earlier) {
  (void)device;
  if (earlier->handle)
    submit(later, &(struct arc_host_task){.kind = ARC_HOST_AWAIT,
                                          .queue = earlier->handle,
                                          .count = arc_host_queue_submitted(earlier->handle)});
  return true;
}

static void *mark(struct arc_device *device, struct arc_queue *queue) {
  (void)device;
  double *stamp = arc_allocate(sizeof *stamp);
  submit(queue, &(struct arc_host_task){.kind = ARC_HOST_STAMP, .stamp = stamp});
  return stamp;
}

static double mark_time(struct arc_device *device, void *mark) {
  (void)device;
  double time = *(double *)mark;
  free(mark);
  return time;
}

/* ---- kernels ---- */

static void *load(struct arc_device *device, const struct arc_image *image) {
  (void)device;
  return arc_library_load(image);
}

static void unload(struct arc_device *device, void *library) {
  (void)device;
  (void)library;
}

static void *kernel(struct arc_device *device, void *library, const char *name) {
  (void)device;
  return arc_host_code_find(library, name);
}

static struct arc_host_grid grid_of(enum arc_host_part part, const int64_t grid[3], const int64_t group[3]) {
  struct arc_host_grid made = {.part = part};
  memcpy(made.grid, grid, sizeof made.grid);
  memcpy(made.group, group, sizeof made.group);
  return made;
}

static bool launch(struct arc_device *device, struct arc_queue *queue, void *kernel, const int64_t grid[3],
                   const int64_t group[3], size_t n, const struct arc_pass *passes) {
  (void)device;
  const struct arc_host_task task = {
      .kind = ARC_HOST_KERNEL, .code = kernel, .grid = grid_of(ARC_WHOLE, grid, group)};
  if (queue->handle)
    arc_host_queue_submit_kernel(queue->handle, &task, n, passes);
  else
    arc_host_call(task.code->run, task.grid, n, passes);
  return true;
}

static bool team(struct arc_device *device, struct arc_queue *queue, void *kernel, const struct arc_team_work *work) {
  (void)device;
  const struct arc_host_code *code = kernel;
  return code->fork && submit(queue, &(struct arc_host_task){.kind = ARC_HOST_TEAM, .code = code, .work = *work});
}

static void share(struct arc_team_thread *thread, void *kernel, const int64_t grid[3], const int64_t group[3], size_t n,
                  const struct arc_pass *passes) {
  const struct arc_host_code *code = kernel;
  const struct arc_host_grid made = grid_of(ARC_SHARE, grid, group);
  if (arc_host_turn(thread, code, &made)) arc_host_call(code->run, made, n, passes);
}

/* Runs in this thread and in others, after the work in the queue. */
static bool together(struct arc_device *device, struct arc_queue *queue, size_t count,
                     const struct arc_start *starts) {
  (void)device;
  if (queue->handle) arc_host_queue_finish(queue->handle);
  return arc_together_run(count, starts);
}

const struct arc_backend arc_backend_host = {
    .name = "host",
    .types = (const char *const[]){"host", "cpu", NULL},
    .payloads = (const char *const[]){"so", NULL},
    .loads_at_once = true,
    .devices = devices,
    .open = open_host,
    .close = close_host,
    .free_memory = free_memory,
    .allocate = allocate,
    .release = release,
    .allocate_unified = allocate_unified,
    .write = write_host,
    .read = read_host,
    .copy = copy,
    .fill = fill,
    .open_queue = open_queue,
    .close_queue = close_queue,
    .finish = finish,
    .test = test,
    .follow = follow,
    .mark = mark,
    .mark_time = mark_time,
    .load = load,
    .unload = unload,
    .kernel = kernel,
    .launch = launch,
    .together = together,
    .team = team,
    .share = share,
};
