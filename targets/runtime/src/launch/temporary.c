/* temporary.c: memory that a launch has for itself: scratch memory, and copies of the program's variables. */
#include "data/memory.h"
#include "data/transfer.h"
#include "launch/call.h"
#include "launch/queue.h"
#include <stdlib.h>

/*
 * Launches of one queue run one after the other, so they can share scratch memory. If a queue runs in the calling
 * thread, only one launch at a time uses it, while it holds the scratch.
 */
static struct arc_scratch *take_scratch(struct arc_call *call) {
  struct arc_region *region = call->region;
  if (!region->record->nscratch) return NULL;
  for (struct arc_scratch **place = &region->free; *place; place = &(*place)->next) {
    if ((*place)->queue != call->queue) continue;
    struct arc_scratch *scratch = *place;
    *place = scratch->next;
    return scratch;
  }
  struct arc_scratch *scratch =
      arc_allocate(sizeof *scratch + region->record->nscratch * sizeof *scratch->buffers);
  scratch->queue = call->queue;
  return scratch;
}

static void zero(struct arc_call *call, struct arc_buffer *buffer, size_t bytes) {
  const struct arc_transfer transfer = {.site = call->site, .name = "a region's counter", .action = "create", .implicit = true};
  arc_transfer_fill(call->device, call->queue, &transfer, (struct arc_place){buffer, 0}, 0, bytes);
}

static bool is_zeroed(const struct arc_region_record *record, size_t scratch) {
  return (record->sign && record->zeroed == scratch) || (record->nstrays && record->stray == scratch);
}

static void size_scratch(struct arc_call *call) {
  for (size_t i = 0; call->scratch && i < call->region->record->nscratch; i++) {
    int64_t bytes = arc_expression_value(&call->region->record->scratch[i], &call->scope);
    struct arc_buffer **buffer = &call->scratch->buffers[i];
    if (bytes <= 0 || (*buffer && (*buffer)->bytes >= (uint64_t)bytes)) continue;
    if (*buffer) arc_memory_release(call->device, call->queue, *buffer);
    *buffer = arc_memory_allocate(call->device, call->queue, call->site, (size_t)bytes,
                                  "a region's temporary memory");
    if (is_zeroed(call->region->record, i)) zero(call, *buffer, (size_t)bytes);
  }
}

static void put_scratch(struct arc_call *call) {
  if (!call->scratch) return;
  call->scratch->next = call->region->free;
  call->region->free = call->scratch;
}

/* Bytes up to which a copy of the host's costs less than waiting for their transfer. */
enum { small = 16384 };

/* What the launch has copies of, with the host's values of now. */
static void make_copies(struct arc_call *call) {
  struct arc_device *device = call->device;
  struct arc_queue *queue = call->queue;
  for (size_t i = 0; i < call->narguments; i++) {
    const arc_arg *argument = &call->arguments[i];
    if (argument->kind != ARC_ARG_COPY || !argument->size) continue;
    if (!call->copies) call->copies = arc_allocate(call->narguments * sizeof *call->copies);
    struct arc_buffer *buffer = arc_memory_allocate(device, queue, call->site, argument->size, argument->name);
    call->copies[i] = buffer;
    /* Of a queue that nobody waits for, the program may change the values while they wait. */
    const bool held = argument->size <= small || queue != device->sync;
    const struct arc_transfer transfer = {
        .site = call->site, .name = argument->name, .action = "firstprivate", .held = held};
    const void *from = arc_arg_at(argument);
    const void *bytes = held ? arc_queue_hold(queue, from, argument->size) : from;
    arc_transfer_write(device, queue, &transfer, (struct arc_place){buffer, 0}, bytes, argument->size);
  }
}

static void drop_copies(struct arc_call *call) {
  if (!call->copies) return;
  for (size_t i = 0; i < call->narguments; i++)
    if (call->copies[i]) arc_memory_release(call->device, call->queue, call->copies[i]);
  free(call->copies);
}

void arc_call_take_memory(struct arc_call *call) {
  make_copies(call);
  call->scratch = take_scratch(call);
  size_scratch(call);
}

void arc_call_drop_memory(struct arc_call *call) {
  put_scratch(call);
  drop_copies(call);
}
