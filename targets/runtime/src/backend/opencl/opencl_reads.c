/*
 * opencl_reads.c: small reads, through pinned memory. NVIDIA's driver gives a read into ordinary memory that nobody waits
 * for to a thread of its own: waiting behind it takes 46 microseconds, and behind one into pinned memory 6.
 *
 * A read leaves a piece, and whoever waits for the queue copies the pieces to where they belong. `list` is held for
 * moments; `waiting` while the queue is waited for, so that others who wait find their pieces copied.
 */
#include "backend/opencl/opencl_device.h"
#include "device/device.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { room = 65536, most_pieces = 128, most_bytes = 4096, step = 64 };

struct piece {
  void *host;
  size_t at, bytes;
};

struct arc_opencl_reads {
  pthread_mutex_t list, waiting;
  cl_mem memory;
  char *bytes; /* NULL: not mapped yet, or the driver does not map it */
  bool asked;
  size_t used, count;
  struct piece pieces[most_pieces];
};

struct arc_opencl_reads *arc_opencl_reads_open(void) {
  struct arc_opencl_reads *reads = arc_allocate(sizeof *reads);
  pthread_mutex_init(&reads->list, NULL);
  pthread_mutex_init(&reads->waiting, NULL);
  return reads;
}

void arc_opencl_reads_close(const struct arc_opencl_api *cl, struct arc_opencl_reads *reads) {
  if (reads->memory) cl->clReleaseMemObject(reads->memory);
  pthread_mutex_destroy(&reads->list);
  pthread_mutex_destroy(&reads->waiting);
  free(reads);
}

static void map(const struct arc_opencl_api *cl, cl_context context, cl_command_queue queue,
                struct arc_opencl_reads *reads) {
  reads->asked = true;
  cl_int code;
  reads->memory = cl->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, room, NULL, &code);
  if (!reads->memory) return;
  reads->bytes = cl->clEnqueueMapBuffer(queue, reads->memory, 1, CL_MAP_READ_AND_WRITE, 0, room, 0, NULL, NULL, &code);
}

bool arc_opencl_reads_add(const struct arc_opencl_api *cl, cl_context context, cl_command_queue queue,
                          struct arc_opencl_reads *reads, void *host, cl_mem from, size_t offset, size_t bytes) {
  if (bytes > most_bytes) return false;
  pthread_mutex_lock(&reads->list);
  if (!reads->asked) map(cl, context, queue, reads);
  const size_t at = reads->used;
  bool good = reads->bytes && reads->count < most_pieces && at + bytes <= room;
  /* Under the lock: whoever sees the piece waits for a queue that has the read. */
  good = good && cl->clEnqueueReadBuffer(queue, from, 0, offset, bytes, reads->bytes + at, 0, NULL, NULL) == CL_SUCCESS;
  if (good) {
    reads->pieces[reads->count++] = (struct piece){host, at, bytes};
    reads->used = (at + bytes + step - 1) / step * step;
  }
  pthread_mutex_unlock(&reads->list);
  return good;
}

cl_int arc_opencl_reads_finish(const struct arc_opencl_api *cl, cl_command_queue queue,
                               struct arc_opencl_reads *reads) {
  pthread_mutex_lock(&reads->waiting);
  pthread_mutex_lock(&reads->list);
  const size_t count = reads->count;
  pthread_mutex_unlock(&reads->list);
  const cl_int code = cl->clFinish(queue);
  pthread_mutex_lock(&reads->list);
  for (size_t i = 0; i < count && code == CL_SUCCESS; i++)
    memcpy(reads->pieces[i].host, reads->bytes + reads->pieces[i].at, reads->pieces[i].bytes);
  reads->count -= count;
  memmove(reads->pieces, reads->pieces + count, reads->count * sizeof *reads->pieces);
  if (!reads->count) reads->used = 0;
  pthread_mutex_unlock(&reads->list);
  pthread_mutex_unlock(&reads->waiting);
  return code;
}
