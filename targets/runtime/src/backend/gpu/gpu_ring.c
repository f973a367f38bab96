/*
 * gpu_ring.c: threads that copy pieces of a transfer in turn. Each has two pinned buffers, so that the device uses one
 * while the thread fills or empties the other.
 */
#define _POSIX_C_SOURCE 200809L
#include "backend/gpu/gpu_ring.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  piece = 2 << 20,          /* bytes of a pinned buffer */
  least_piece = 256 << 10,  /* bytes of a piece of smaller transfers, which would else wait for the first and the last one */
  large = 16 << 20,         /* bytes of transfers that take the ring */
  usual_threads = 8, most_threads = 64,
};
/* Pinning the buffers takes as long as plain transfers of this many bytes. */
static const uint64_t plain_bytes = (uint64_t)128 << 20;

struct buffer {
  void *bytes;
  gpu_event done;    /* the device has read or written it */
  size_t from, size; /* of the transfer */
  bool busy;         /* the device may still be at it */
  bool reads;        /* and what it leaves there is the host's */
};

struct worker {
  struct arc_gpu_ring *ring;
  pthread_t thread; /* the first worker is the caller */
  struct buffer buffers[2];
};

struct arc_gpu_ring {
  const struct arc_gpu_driver *driver;
  gpu_context context;
  uint64_t threshold, plain; /* bytes before the ring is worth it, and those that went without */
  size_t nworkers;           /* wanted */
  bool started;
  struct worker *workers;

  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  uint64_t transfer; /* its number */
  size_t working;    /* threads that are at it */
  bool closing;

  /* The transfer. */
  bool to_device;
  gpu_stream stream;
  gpu_address device;
  char *host;
  size_t bytes, next; /* next: where the first piece that nobody took begins */
  size_t step;        /* bytes of its pieces */
  gpu_result code;    /* the first failure */
  const char *call;
};

static bool good(struct arc_gpu_ring *ring, const char *call, gpu_result code) {
  if (code == GPU_SUCCESS) return true;
  pthread_mutex_lock(&ring->lock);
  if (ring->code == GPU_SUCCESS) {
    ring->code = code;
    ring->call = call;
  }
  ring->next = ring->bytes;
  pthread_mutex_unlock(&ring->lock);
  return false;
}
#define GOOD(ring, function, ...) \
  good(ring, (ring)->driver->maker->names.function, (ring)->driver->call.function(__VA_ARGS__))

static bool take(struct arc_gpu_ring *ring, struct buffer *buffer) {
  pthread_mutex_lock(&ring->lock);
  const size_t left = ring->bytes - ring->next;
  buffer->from = ring->next;
  buffer->size = left < ring->step ? left : ring->step;
  ring->next += buffer->size;
  pthread_mutex_unlock(&ring->lock);
  return buffer->size > 0;
}

/* False: no more pinned memory; other threads continue, or the driver moves the rest. */
static bool prepared(struct arc_gpu_ring *ring, struct buffer *buffer) {
  if (buffer->bytes) return true;
  const struct arc_gpu_functions *call = &ring->driver->call;
  void *bytes;
  if (call->host_allocate(&bytes, piece, 0) != GPU_SUCCESS) return false;
  if (call->event_create(&buffer->done, GPU_EVENT_DISABLE_TIMING) != GPU_SUCCESS) {
    call->host_release(bytes);
    return false;
  }
  buffer->bytes = bytes;
  return true;
}

static bool finished(struct arc_gpu_ring *ring, struct buffer *buffer) {
  if (!buffer->busy) return true;
  buffer->busy = false;
  return GOOD(ring, event_synchronize, buffer->done);
}

static bool write_piece(struct arc_gpu_ring *ring, struct buffer *buffer) {
  memcpy(buffer->bytes, ring->host + buffer->from, buffer->size);
  buffer->busy = true;
  return GOOD(ring, write, ring->device + buffer->from, buffer->bytes, buffer->size, ring->stream) &&
         GOOD(ring, event_record, buffer->done, ring->stream);
}

static bool begin_reading(struct arc_gpu_ring *ring, struct buffer *buffer) {
  buffer->busy = buffer->reads = true;
  return GOOD(ring, read, buffer->bytes, ring->device + buffer->from, buffer->size, ring->stream) &&
         GOOD(ring, event_record, buffer->done, ring->stream);
}

/* Copies what the device wrote into a buffer to its destination. */
static bool emptied(struct arc_gpu_ring *ring, struct buffer *buffer) {
  const bool filled = buffer->reads;
  buffer->reads = false;
  if (!finished(ring, buffer)) return false;
  if (filled) memcpy(ring->host + buffer->from, buffer->bytes, buffer->size);
  return true;
}

/* Copies pieces until none are left. Buffers of a write stay busy: the next transfer waits for them. */
static void work(struct worker *worker) {
  struct arc_gpu_ring *ring = worker->ring;
  const bool reads = !ring->to_device;
  if (!GOOD(ring, context_bind, ring->context)) return;
  for (size_t turn = 0;; turn++) {
    struct buffer *buffer = &worker->buffers[turn % 2];
    if (!(reads ? emptied(ring, buffer) : finished(ring, buffer))) return;
    if (!prepared(ring, buffer) || !take(ring, buffer)) break;
    if (!(reads ? begin_reading(ring, buffer) : write_piece(ring, buffer))) return;
  }
  for (size_t i = 0; reads && i < 2; i++)
    if (!emptied(ring, &worker->buffers[i])) return;
}

static void *run(void *argument) {
  struct worker *worker = argument;
  struct arc_gpu_ring *ring = worker->ring;
  uint64_t seen = 0;
  pthread_mutex_lock(&ring->lock);
  for (;;) {
    while (!ring->closing && ring->transfer == seen) pthread_cond_wait(&ring->begin, &ring->lock);
    if (ring->closing) break;
    seen = ring->transfer;
    pthread_mutex_unlock(&ring->lock);
    work(worker);
    pthread_mutex_lock(&ring->lock);
    if (--ring->working == 0) pthread_cond_signal(&ring->end);
  }
  pthread_mutex_unlock(&ring->lock);
  return NULL;
}

/* Starts as many threads as the machine allows. */
static void start(struct arc_gpu_ring *ring) {
  ring->started = true;
  ring->workers = arc_allocate(ring->nworkers * sizeof *ring->workers);
  ring->workers[0].ring = ring;
  size_t count = 1;
  for (; count < ring->nworkers; count++) {
    ring->workers[count].ring = ring;
    if (pthread_create(&ring->workers[count].thread, NULL, run, &ring->workers[count])) break;
  }
  ring->nworkers = count;
}

/* Four pieces per thread, in whole pages. */
static size_t step_of(const struct arc_gpu_ring *ring) {
  const size_t page = 4096, share = ring->bytes / (4 * ring->nworkers) / page * page;
  return share < least_piece ? least_piece : share > piece ? piece : share;
}

/* Moves the pieces for which no thread had a buffer. */
static bool move_plainly(struct arc_gpu_ring *ring) {
  const size_t from = ring->next, size = ring->bytes - from;
  if (!(ring->to_device ? GOOD(ring, write, ring->device + from, ring->host + from, size, ring->stream)
                        : GOOD(ring, read, ring->host + from, ring->device + from, size, ring->stream)))
    return arc_gpu_failed(ring->driver, ring->call, ring->code);
  return true;
}

static bool move(struct arc_gpu_ring *ring) {
  if (!ring->started) start(ring);
  pthread_mutex_lock(&ring->lock);
  ring->next = 0;
  ring->step = step_of(ring);
  ring->code = GPU_SUCCESS;
  ring->transfer++;
  ring->working = ring->nworkers - 1;
  pthread_cond_broadcast(&ring->begin);
  pthread_mutex_unlock(&ring->lock);
  work(&ring->workers[0]);
  pthread_mutex_lock(&ring->lock);
  while (ring->working > 0) pthread_cond_wait(&ring->end, &ring->lock);
  pthread_mutex_unlock(&ring->lock);
  if (ring->code != GPU_SUCCESS) return arc_gpu_failed(ring->driver, ring->call, ring->code);
  return ring->next == ring->bytes || move_plainly(ring);
}

bool arc_gpu_ring_write(struct arc_gpu_ring *ring, gpu_stream stream, gpu_address to, const void *host,
                        size_t bytes) {
  ring->to_device = true;
  ring->stream = stream;
  ring->device = to;
  ring->host = (char *)host;
  ring->bytes = bytes;
  return move(ring);
}

bool arc_gpu_ring_read(struct arc_gpu_ring *ring, gpu_stream stream, void *host, gpu_address from,
                       size_t bytes) {
  ring->to_device = false;
  ring->stream = stream;
  ring->device = from;
  ring->host = host;
  ring->bytes = bytes;
  return move(ring);
}

bool arc_gpu_ring_wanted(struct arc_gpu_ring *ring, const void *host, size_t bytes) {
  if (!ring || bytes < ring->threshold) return false;
  int kind;
  /* The driver moves pinned and managed memory efficiently itself. */
  if (ring->driver->call.pointer_attribute(&kind, GPU_POINTER_MEMORY_TYPE, (gpu_address)(uintptr_t)host) ==
      GPU_SUCCESS)
    return false;
  if (ring->started || ring->plain + bytes >= plain_bytes || ring->threshold < large) return true;
  ring->plain += bytes;
  return false;
}

static uint64_t number(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

struct arc_gpu_ring *arc_gpu_ring_open(const struct arc_gpu_driver *driver, gpu_context context) {
  if (!driver->call.host_allocate || !driver->call.pointer_attribute) return NULL;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  /* Leaves some processors for the program's own threads. */
  const uint64_t spare = processors < 2 ? 0 : ((uint64_t)processors * 3 + 3) / 4;
  const uint64_t fitting = spare < usual_threads ? spare : usual_threads;
  const uint64_t threads = number("ARC_COPY_THREADS", fitting);
  if (threads == 0) return NULL;
  struct arc_gpu_ring *ring = arc_allocate(sizeof *ring);
  *ring = (struct arc_gpu_ring){.driver = driver,
                                .context = context,
                                .threshold = number("ARC_COPY_FROM", large),
                                .nworkers = threads < most_threads ? threads : most_threads};
  pthread_mutex_init(&ring->lock, NULL);
  pthread_cond_init(&ring->begin, NULL);
  pthread_cond_init(&ring->end, NULL);
  return ring;
}

void arc_gpu_ring_close(struct arc_gpu_ring *ring) {
  if (!ring) return;
  pthread_mutex_lock(&ring->lock);
  ring->closing = true;
  pthread_cond_broadcast(&ring->begin);
  pthread_mutex_unlock(&ring->lock);
  for (size_t i = 0; ring->started && i < ring->nworkers; i++) {
    struct worker *worker = &ring->workers[i];
    if (i > 0) pthread_join(worker->thread, NULL);
    for (size_t k = 0; k < 2; k++) {
      if (!worker->buffers[k].bytes) continue;
      finished(ring, &worker->buffers[k]);
      if (worker->buffers[k].done) ring->driver->call.event_destroy(worker->buffers[k].done);
      ring->driver->call.host_release(worker->buffers[k].bytes);
    }
  }
  pthread_cond_destroy(&ring->begin);
  pthread_cond_destroy(&ring->end);
  pthread_mutex_destroy(&ring->lock);
  free(ring->workers);
  free(ring);
}
