/*
 * gpu_batch.c: after many launches in a row without other operations, a queue defers further launches until they fill a
 * chain. The chain is an existing graph: the driver is told only the differences from the previous launches. Every
 * deferred launch matches an earlier successful one, so the driver will not reject it. If no further launches come, a
 * thread of the device submits the deferred ones, so that the device never waits for the program.
 */
#define _POSIX_C_SOURCE 200809L
#include "backend/gpu/gpu_batch.h"
#include "report/error.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  links = 32,  /* launches of a chain */
  chains = 4,  /* that take turns: one is told of its next launches while others run */
  steady = 64, /* launches without anything between them before one is put off */
  most_arguments = 32, most_bytes = 256, /* of a launch that may be put off */
  most_proven = 16,
};
/* Launches deferred for more nanoseconds are submitted by the device's thread. (A test of chains sets more.) */
#ifndef ARC_PATIENCE
#define ARC_PATIENCE 200000
#endif

/* A launch with its arguments. */
struct link {
  gpu_function code;
  unsigned grid[3], group[3], shared;
  size_t n, bytes, sizes[most_arguments];
  max_align_t storage[most_bytes / sizeof(max_align_t)];
};

struct chain {
  gpu_graph graph;
  gpu_executable executable; /* NULL: there is none yet */
  gpu_node nodes[links];
  struct link *links; /* the launches that the driver knows of */
};

struct proven {
  gpu_function code;
  unsigned group[3], shared;
};

struct arc_gpu_batch {
  struct arc_gpu_batch *next; /* of the device */
  struct arc_gpu_batches *all;
  gpu_stream stream;
  struct link *links; /* put off */
  size_t count;
  uint64_t number; /* of the links that are collected */
  uint64_t since;  /* launches since something else was done */
  bool runs;       /* launches may be put off */
  struct proven proven[most_proven];
  size_t nproven, oldest;
  struct chain chains[chains];
  size_t turn;
  gpu_result code; /* a failure that nobody was told of */
  const char *call;
};

struct arc_gpu_batches {
  const struct arc_gpu_driver *driver;
  gpu_context context;
  pthread_mutex_t lock; /* of all that is here */
  pthread_cond_t begin;
  pthread_t thread;
  bool started, idle, closing;
  bool broken; /* the driver refused a graph: launches are made one by one from now on */
  struct arc_gpu_batch *first;
};

/* ---- the driver ---- */

static bool good(struct arc_gpu_batch *batch, const char *call, gpu_result code) {
  if (code != GPU_SUCCESS && batch->code == GPU_SUCCESS) {
    batch->code = code;
    batch->call = call;
  }
  return code == GPU_SUCCESS;
}

static void arguments_of(struct link *link, void **arguments) {
  char *at = (char *)link->storage;
  for (size_t i = 0; i < link->n; i++) {
    arguments[i] = at;
    at += arc_aligned(link->sizes[i]);
  }
}

static struct arc_gpu_node_parameters parameters_of(struct link *link, void **arguments) {
  arguments_of(link, arguments);
  struct arc_gpu_node_parameters parameters = {
      .code = link->code, .shared = link->shared, .arguments = arguments};
  memcpy(parameters.grid, link->grid, sizeof parameters.grid);
  memcpy(parameters.group, link->group, sizeof parameters.group);
  return parameters;
}

static void launch(struct arc_gpu_batch *batch, struct link *link) {
  const struct arc_gpu_driver *driver = batch->all->driver;
  void *arguments[most_arguments];
  arguments_of(link, arguments);
  good(batch, driver->maker->names.launch,
       driver->call.launch(link->code, link->grid[0], link->grid[1], link->grid[2], link->group[0],
                           link->group[1], link->group[2], link->shared, batch->stream, arguments, NULL));
}

static void forget(struct arc_gpu_batch *batch, struct chain *chain) {
  const struct arc_gpu_graphs *graphs = batch->all->driver->maker->graphs;
  if (chain->executable) graphs->executable_destroy(chain->executable);
  if (chain->graph) graphs->destroy(chain->graph);
  chain->executable = NULL;
  chain->graph = NULL;
}

static bool make(struct arc_gpu_batch *batch, struct chain *chain) {
  const struct arc_gpu_graphs *graphs = batch->all->driver->maker->graphs;
  void *arguments[most_arguments];
  if (graphs->create(&chain->graph, 0) != GPU_SUCCESS) return false;
  for (size_t i = 0; i < links; i++) {
    const struct arc_gpu_node_parameters parameters = parameters_of(&batch->links[i], arguments);
    if (graphs->add_kernel(&chain->nodes[i], chain->graph, i ? &chain->nodes[i - 1] : NULL, i != 0,
                           &parameters) != GPU_SUCCESS)
      return false;
  }
  return graphs->instantiate(&chain->executable, chain->graph, 0) == GPU_SUCCESS;
}

static bool same(const struct link *one, const struct link *other) {
  return one->code == other->code && memcmp(one->grid, other->grid, sizeof one->grid) == 0 &&
         memcmp(one->group, other->group, sizeof one->group) == 0 && one->shared == other->shared &&
         one->bytes == other->bytes && memcmp(one->storage, other->storage, one->bytes) == 0;
}

static bool change(struct arc_gpu_batch *batch, struct chain *chain) {
  const struct arc_gpu_graphs *graphs = batch->all->driver->maker->graphs;
  void *arguments[most_arguments];
  for (size_t i = 0; i < links; i++) {
    if (same(&batch->links[i], &chain->links[i])) continue;
    const struct arc_gpu_node_parameters parameters = parameters_of(&batch->links[i], arguments);
    if (graphs->set_kernel(chain->executable, chain->nodes[i], &parameters) != GPU_SUCCESS) return false;
  }
  return true;
}

/* Launches the chain as one graph. False: nothing was launched. */
static bool launch_chain(struct arc_gpu_batch *batch) {
  const struct arc_gpu_graphs *graphs = batch->all->driver->maker->graphs;
  struct chain *chain = &batch->chains[batch->turn];
  if (!chain->links) chain->links = arc_allocate(links * sizeof *chain->links);
  if (!(chain->executable ? change(batch, chain) : make(batch, chain))) {
    forget(batch, chain);
    batch->all->broken = true;
    return false;
  }
  batch->turn = (batch->turn + 1) % chains;
  struct link *told = batch->links;
  batch->links = chain->links;
  chain->links = told;
  good(batch, "cuGraphLaunch", graphs->launch(chain->executable, batch->stream));
  return true;
}

/* With the lock held. */
static void flush(struct arc_gpu_batch *batch) {
  if (batch->count == 0) return;
  if (batch->count < links || batch->all->broken || !launch_chain(batch))
    for (size_t i = 0; i < batch->count; i++) launch(batch, &batch->links[i]);
  batch->count = 0;
  batch->number++;
}

/* ---- the device's thread ---- */

/* With the lock held: submits launches deferred since `seen` was written. Returns whether any are still deferred. */
static bool look(struct arc_gpu_batches *all, uint64_t *seen) {
  uint64_t now = 0;
  bool any = false;
  for (const struct arc_gpu_batch *batch = all->first; batch; batch = batch->next) {
    now += batch->number;
    any = any || batch->count > 0;
  }
  /* In a queue that is filled continuously no launch waits for long. */
  if (now == *seen)
    for (struct arc_gpu_batch *batch = all->first; batch; batch = batch->next) flush(batch);
  any = any && now != *seen;
  *seen = now;
  return any;
}

static void *serve(void *argument) {
  struct arc_gpu_batches *all = argument;
  uint64_t seen = 0;
  all->driver->call.context_bind(all->context);
  pthread_mutex_lock(&all->lock);
  while (!all->closing) {
    if (all->idle) {
      pthread_cond_wait(&all->begin, &all->lock);
      continue;
    }
    pthread_mutex_unlock(&all->lock);
    nanosleep(&(struct timespec){.tv_nsec = ARC_PATIENCE}, NULL);
    pthread_mutex_lock(&all->lock);
    all->idle = !look(all, &seen);
  }
  pthread_mutex_unlock(&all->lock);
  return NULL;
}

/* With the lock held. False: there is no thread. */
static bool wake(struct arc_gpu_batches *all) {
  if (!all->started) {
    all->broken = pthread_create(&all->thread, NULL, serve, all) != 0;
    all->started = !all->broken;
  }
  if (all->idle) pthread_cond_signal(&all->begin);
  all->idle = false;
  return all->started;
}

/* ---- devices and queues ---- */

struct arc_gpu_batches *arc_gpu_batches_open(const struct arc_gpu_driver *driver, gpu_context context) {
  const char *wish = getenv("ARC_GRAPHS");
  const struct arc_gpu_graphs *graphs = driver->maker->graphs;
  if (!graphs || !graphs->create || (wish && strcmp(wish, "0") == 0)) return NULL;
  struct arc_gpu_batches *all = arc_allocate(sizeof *all);
  *all = (struct arc_gpu_batches){.driver = driver, .context = context, .idle = true};
  pthread_mutex_init(&all->lock, NULL);
  pthread_cond_init(&all->begin, NULL);
  return all;
}

void arc_gpu_batches_close(struct arc_gpu_batches *all) {
  if (!all) return;
  pthread_mutex_lock(&all->lock);
  all->closing = true;
  pthread_cond_signal(&all->begin);
  pthread_mutex_unlock(&all->lock);
  if (all->started) pthread_join(all->thread, NULL);
  pthread_mutex_destroy(&all->lock);
  pthread_cond_destroy(&all->begin);
  free(all);
}

void arc_gpu_batches_forget(struct arc_gpu_batches *all) {
  if (!all) return;
  pthread_mutex_lock(&all->lock);
  for (struct arc_gpu_batch *batch = all->first; batch; batch = batch->next) {
    flush(batch);
    for (size_t i = 0; i < chains; i++) forget(batch, &batch->chains[i]);
    batch->nproven = 0;
    batch->runs = false;
  }
  pthread_mutex_unlock(&all->lock);
}

struct arc_gpu_batch *arc_gpu_batch_open(struct arc_gpu_batches *all, gpu_stream stream) {
  if (!all) return NULL;
  struct arc_gpu_batch *batch = arc_allocate(sizeof *batch);
  *batch = (struct arc_gpu_batch){.all = all, .stream = stream};
  pthread_mutex_lock(&all->lock);
  batch->next = all->first;
  all->first = batch;
  pthread_mutex_unlock(&all->lock);
  return batch;
}

void arc_gpu_batch_close(struct arc_gpu_batch *batch) {
  if (!batch) return;
  struct arc_gpu_batches *all = batch->all;
  pthread_mutex_lock(&all->lock);
  flush(batch);
  for (struct arc_gpu_batch **place = &all->first; *place; place = &(*place)->next)
    if (*place == batch) {
      *place = batch->next;
      break;
    }
  for (size_t i = 0; i < chains; i++) {
    forget(batch, &batch->chains[i]);
    free(batch->chains[i].links);
  }
  pthread_mutex_unlock(&all->lock);
  free(batch->links);
  free(batch);
}

/* ---- launches ---- */

static bool is_proven(const struct arc_gpu_batch *batch, const struct arc_gpu_call *call) {
  for (size_t i = 0; i < batch->nproven; i++) {
    const struct proven *proven = &batch->proven[i];
    if (proven->code == call->code && proven->shared == call->shared &&
        memcmp(proven->group, call->group, sizeof proven->group) == 0)
      return true;
  }
  return false;
}

static bool has_room(const struct arc_gpu_call *call) {
  size_t bytes = 0;
  if (call->n > most_arguments) return false;
  for (size_t i = 0; i < call->n; i++) bytes += arc_aligned(call->sizes[i]);
  return bytes <= most_bytes;
}

static void put_off(struct arc_gpu_batch *batch, const struct arc_gpu_call *call) {
  if (!batch->links) batch->links = arc_allocate(links * sizeof *batch->links);
  struct link *link = &batch->links[batch->count++];
  link->code = call->code;
  memcpy(link->grid, call->grid, sizeof link->grid);
  memcpy(link->group, call->group, sizeof link->group);
  link->shared = call->shared;
  link->n = call->n;
  char *at = (char *)link->storage;
  for (size_t i = 0; i < call->n; i++) {
    const size_t size = call->sizes[i];
    memcpy(at, call->arguments[i], size);
    memset(at + size, 0, arc_aligned(size) - size); /* launches are compared by their bytes */
    link->sizes[i] = size;
    at += arc_aligned(size);
  }
  link->bytes = (size_t)(at - (char *)link->storage);
}

bool arc_gpu_batch_takes(struct arc_gpu_batch *batch, const struct arc_gpu_call *call) {
  if (!batch) return false;
  struct arc_gpu_batches *all = batch->all;
  pthread_mutex_lock(&all->lock);
  if (++batch->since >= steady) batch->runs = true;
  const bool takes = batch->runs && batch->code == GPU_SUCCESS && !all->broken && is_proven(batch, call) &&
                     has_room(call) && wake(all);
  if (takes) {
    put_off(batch, call);
    if (batch->count == links) flush(batch);
  } else
    flush(batch);
  pthread_mutex_unlock(&all->lock);
  return takes;
}

void arc_gpu_batch_made(struct arc_gpu_batch *batch, const struct arc_gpu_call *call) {
  if (!batch) return;
  pthread_mutex_lock(&batch->all->lock);
  if (!is_proven(batch, call)) {
    struct proven *proven = &batch->proven[batch->nproven < most_proven ? batch->nproven++ : batch->oldest++ % most_proven];
    *proven = (struct proven){.code = call->code, .shared = call->shared};
    memcpy(proven->group, call->group, sizeof proven->group);
  }
  pthread_mutex_unlock(&batch->all->lock);
}

bool arc_gpu_batch_settle(struct arc_gpu_batch *batch) {
  if (!batch) return true;
  pthread_mutex_lock(&batch->all->lock);
  flush(batch);
  if (batch->since < steady) batch->runs = false;
  batch->since = 0;
  const gpu_result code = batch->code;
  const char *call = batch->call;
  batch->code = GPU_SUCCESS;
  pthread_mutex_unlock(&batch->all->lock);
  return code == GPU_SUCCESS || code == GPU_ERROR_DEINITIALIZED || arc_gpu_failed(batch->all->driver, call, code);
}
