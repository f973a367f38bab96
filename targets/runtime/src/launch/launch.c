/* launch.c: from a region's name to kernels on a queue. */
#include "data/check.h"
#include "report/crash.h"
#include "data/memory.h"
#include "data/present.h"
#include "data/transfer.h"
#include "launch/queue.h"
#include "launch/reference.h"
#include "launch/region.h"
#include "launch/steps.h"
#include "report/spans.h"
#include "report/tool.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct launch {
  struct arc_device *device;
  struct arc_queue *queue;
  const arc_site *site;
  struct arc_region *region;
  size_t narguments;
  const arc_arg *arguments;
  struct arc_scope scope;
  struct arc_scratch *scratch; /* NULL when the region needs none */
  struct arc_buffer **copies;  /* by argument: of ARC_ARG_COPY; NULL where there are none */
  bool seen;                   /* the program can see what a kernel does without asking the runtime */
};

/*
 * Launches of one queue run one after the other, so they can share scratch memory. If a queue runs in the calling
 * thread, only one launch at a time uses it, while it holds the scratch.
 */
static struct arc_scratch *take_scratch(struct launch *launch) {
  struct arc_region *region = launch->region;
  if (!region->record->nscratch) return NULL;
  for (struct arc_scratch **place = &region->free; *place; place = &(*place)->next) {
    if ((*place)->queue != launch->queue) continue;
    struct arc_scratch *scratch = *place;
    *place = scratch->next;
    return scratch;
  }
  struct arc_scratch *scratch =
      arc_allocate(sizeof *scratch + region->record->nscratch * sizeof *scratch->buffers);
  scratch->queue = launch->queue;
  return scratch;
}

static void zero(struct launch *launch, struct arc_buffer *buffer, size_t bytes) {
  const struct arc_transfer transfer = {.site = launch->site, .name = "a region's counter", .action = "create", .implicit = true};
  arc_transfer_fill(launch->device, launch->queue, &transfer, (struct arc_place){buffer, 0}, 0, bytes);
}

static bool is_zeroed(const struct arc_region_record *record, size_t scratch) {
  return (record->sign && record->zeroed == scratch) || (record->nstrays && record->stray == scratch);
}

static void size_scratch(struct launch *launch) {
  for (size_t i = 0; launch->scratch && i < launch->region->record->nscratch; i++) {
    int64_t bytes = arc_expression_value(&launch->region->record->scratch[i], &launch->scope);
    struct arc_buffer **buffer = &launch->scratch->buffers[i];
    if (bytes <= 0 || (*buffer && (*buffer)->bytes >= (uint64_t)bytes)) continue;
    if (*buffer) arc_memory_release(launch->device, launch->queue, *buffer);
    *buffer = arc_memory_allocate(launch->device, launch->queue, launch->site, (size_t)bytes,
                                  "a region's temporary memory");
    if (is_zeroed(launch->region->record, i)) zero(launch, *buffer, (size_t)bytes);
  }
}

static void put_scratch(struct launch *launch) {
  if (!launch->scratch) return;
  launch->scratch->next = launch->region->free;
  launch->region->free = launch->scratch;
}

/* Bytes up to which a copy of the host's costs less than waiting for their transfer. */
enum { small = 16384 };

/* What the launch has copies of, with the host's values of now. */
static void make_copies(struct launch *launch) {
  struct arc_device *device = launch->device;
  struct arc_queue *queue = launch->queue;
  for (size_t i = 0; i < launch->narguments; i++) {
    const arc_arg *argument = &launch->arguments[i];
    if (argument->kind != ARC_ARG_COPY || !argument->size) continue;
    if (!launch->copies) launch->copies = arc_allocate(launch->narguments * sizeof *launch->copies);
    struct arc_buffer *buffer = arc_memory_allocate(device, queue, launch->site, argument->size, argument->name);
    launch->copies[i] = buffer;
    /* Of a queue that nobody waits for, the program may change the values while they wait. */
    const bool held = argument->size <= small || queue != device->sync;
    const struct arc_transfer transfer = {
        .site = launch->site, .name = argument->name, .action = "firstprivate", .held = held};
    const void *from = arc_arg_at(argument);
    const void *bytes = held ? arc_queue_hold(queue, from, argument->size) : from;
    arc_transfer_write(device, queue, &transfer, (struct arc_place){buffer, 0}, bytes, argument->size);
  }
}

static void drop_copies(struct launch *launch) {
  if (!launch->copies) return;
  for (size_t i = 0; i < launch->narguments; i++)
    if (launch->copies[i]) arc_memory_release(launch->device, launch->queue, launch->copies[i]);
  free(launch->copies);
}

/* A pointer that is passed but must not be dereferenced: it keeps its value, for kernels that compare it. */
static struct arc_pass unusable(struct arc_device *device, const void *host) {
  return (struct arc_pass){.is_place = true, .place = {&device->whole, (int64_t)(uintptr_t)host}};
}

/* Points into all of a buffer, or into anything if the buffer stands for all addresses. */
static struct arc_pass whole_buffer(const struct arc_device *device, struct arc_place place) {
  return (struct arc_pass){.is_place = true,
                           .place = place,
                           .before = place.offset,
                           .extent = place.buffer == &device->whole ? 0 : place.buffer->bytes};
}

static struct arc_pass memory_pass(const struct launch *launch, const arc_arg *argument) {
  struct arc_device *device = launch->device;
  if (argument->kind == ARC_ARG_DEVICEPTR) {
    struct arc_place place;
    if (!argument->host) return unusable(device, NULL);
    const void *inside = arc_arg_at(argument);
    if (!arc_memory_place(device, (uintptr_t)inside, &place))
      arc_device_fail(
          device, launch->site, "device-pointer", "pass what acc_malloc or acc_deviceptr returned",
          "%s (%p) is no address in the memory of %s", argument->name, inside, device->name);
    place.offset += (int64_t)((uintptr_t)argument->host - (uintptr_t)inside);
    return whole_buffer(device, place);
  }
  if (!argument->host) return unusable(device, NULL);
  const void *key = arc_arg_at(argument);
  struct arc_entry *entry = arc_present_at(device, key);
  if (!entry) entry = arc_present_part(device, key);
  if (!entry) entry = arc_present_based(device, launch->site, argument->name, key);
  /* One that is only compared may be where a loop through what is present ends. */
  if (!entry && argument->kind == ARC_ARG_MAYBE) entry = arc_present_before(device, key);
  if (entry && entry->check) arc_check_kernel(device, launch->site, entry);
  if (entry)
    return (struct arc_pass){.is_place = true,
                             .place = arc_present_place(device, launch->queue, entry, argument->host),
                             .before = (int64_t)((uintptr_t)argument->host - entry->range.start),
                             .extent = entry->range.size};
  if (argument->kind == ARC_ARG_MAYBE) return unusable(device, argument->host);
  if (arc_present_is_empty(device, key))
    return (struct arc_pass){.is_place = true, .place = {device->nothing, 0}};
  /* OpenMP 5.1, section 5.8.6: a pointer to nothing that is mapped keeps its value, which may be a device address. */
  struct arc_place own;
  if (arc_memory_place(device, (uintptr_t)key, &own) && own.buffer != &device->whole) {
    own.offset += (int64_t)((uintptr_t)argument->host - (uintptr_t)key);
    return whole_buffer(device, own);
  }
  /* OpenACC 3.3, 2.7.5: nothing is required of memory that the device shares. */
  if (device->shared)
    return whole_buffer(device, (struct arc_place){&device->whole, (int64_t)(uintptr_t)argument->host});
  arc_present_missing(device, launch->site, argument->name, key, 0);
}

/* A pointer is passed by value, other variables by their address on the device. */
static arc_arg global_argument(const struct arc_region *region, size_t index) {
  const struct arc_global *global = region->globals[index];
  bool is_pointer = region->record->globals[index].map == ARC_PRESENT;
  return (arc_arg){.name = global->name,
                   .host = is_pointer ? *(void **)global->host : global->host,
                   .kind = ARC_ARG_BUFFER};
}

static bool has_own_bytes(const arc_arg *argument) {
  return argument->kind == ARC_ARG_VALUE || argument->kind == ARC_ARG_COPY;
}

/* Whether two arguments may lead to the same memory. */
static bool may_overlap(const struct launch *launch, const arc_arg *one, const arc_arg *other) {
  if (has_own_bytes(one) || has_own_bytes(other)) return false;
  const struct arc_buffer *whole = &launch->device->whole;
  const struct arc_buffer *a = memory_pass(launch, one).place.buffer, *b = memory_pass(launch, other).place.buffer;
  return a == b || a == whole || b == whole;
}

static struct arc_pass pass_of(const struct launch *launch, const struct arc_parameter *parameter,
                               int64_t *value) {
  if (parameter->kind == ARC_PARAMETER_VALUE) {
    *value = arc_expression_value(&parameter->value, &launch->scope);
    return (struct arc_pass){.bytes = value, .size = sizeof *value};
  }
  if (parameter->kind == ARC_PARAMETER_OVERLAP) {
    *value = may_overlap(launch, &launch->arguments[parameter->index], &launch->arguments[parameter->other]);
    return (struct arc_pass){.bytes = value, .size = sizeof *value};
  }
  if (parameter->kind == ARC_PARAMETER_SCRATCH) {
    struct arc_buffer *buffer = launch->scratch->buffers[parameter->index];
    return whole_buffer(launch->device, (struct arc_place){buffer ? buffer : launch->device->nothing, 0});
  }
  if (parameter->kind == ARC_PARAMETER_GLOBAL) {
    const arc_arg argument = global_argument(launch->region, parameter->index);
    return memory_pass(launch, &argument);
  }
  const arc_arg *argument = &launch->arguments[parameter->index];
  if (argument->kind == ARC_ARG_VALUE)
    return (struct arc_pass){.bytes = argument->host, .size = argument->size};
  if (argument->kind == ARC_ARG_COPY) {
    struct arc_buffer *buffer = launch->copies ? launch->copies[parameter->index] : NULL;
    const int64_t before = (int64_t)((uintptr_t)argument->host - (uintptr_t)arc_arg_at(argument));
    return whole_buffer(launch->device, (struct arc_place){buffer ? buffer : launch->device->nothing, before});
  }
  return memory_pass(launch, argument);
}

static void triple(const struct arc_expression expressions[3], const struct arc_scope *scope,
                   int64_t out[3]) {
  for (int i = 0; i < 3; i++) out[i] = arc_expression_value(&expressions[i], scope);
}

static void check_group(const struct launch *launch, const struct arc_kernel_record *kernel,
                        const int64_t group[3]) {
  int64_t limit = launch->device->max_group, room = limit;
  for (int i = 0; i < 3; i++) room /= group[i];
  if (room > 0) return;
  arc_device_fail(launch->device, launch->site, "group-size",
                  "ask for less with num_workers and vector_length, or build the target with smaller groups",
                  "kernel %s asks for groups of %" PRId64 " x %" PRId64 " x %" PRId64
                  " work-items, %s allows %" PRId64,
                  kernel->name, group[0], group[1], group[2], launch->device->name, limit);
}

/* False: there is nothing to launch. */
static bool geometry(const struct launch *launch, const struct arc_kernel_record *kernel, int64_t grid[3],
                     int64_t group[3]) {
  triple(kernel->grid, &launch->scope, grid);
  if (grid[0] <= 0 || grid[1] <= 0 || grid[2] <= 0) return false;
  triple(kernel->group, &launch->scope, group);
  for (int i = 0; i < 3; i++)
    if (group[i] < 1) group[i] = 1;
  check_group(launch, kernel, group);
  return true;
}

static bool is_seen(const struct launch *launch) {
  const struct arc_device *device = launch->device;
  return launch->seen || launch->region->record->prints || device->shared || device->addresses.count > 0;
}

/*
 * A launch without async need not be waited for if the program cannot tell: the program sees device memory only through
 * transfers, which wait, and has no device address that it could pass to a library with separate queues.
 */
static bool must_wait(const struct launch *launch) {
  const struct arc_device *device = launch->device;
  const enum arc_waiting waiting = arc_queue_waiting();
  return is_seen(launch) || waiting == ARC_WAIT_EACH || (device->in_process && waiting != ARC_WAIT_LATE);
}

static void note_launch(const struct launch *launch, const char *kernel) {
  arc_queue_count(launch->queue);
  if (must_wait(launch)) launch->queue->awaited = true;
  launch->queue->launched = launch->site ? *launch->site : (arc_site){0};
  launch->queue->kernel = kernel;
}

static struct arc_operations operations_of(const struct launch *launch, const struct arc_kernel_record *kernel) {
  const struct arc_expression *counts = kernel->operations;
  if (!counts[0].count) return (struct arc_operations){0};
  return (struct arc_operations){(double)arc_expression_value(&counts[0], &launch->scope),
                                 (double)arc_expression_value(&counts[1], &launch->scope)};
}

static void run_kernel(struct launch *launch, size_t index) {
  enum { few = 32 };
  struct arc_device *device = launch->device;
  const struct arc_kernel_record *kernel = &launch->region->record->kernels[index];
  int64_t grid[3], group[3];
  if (!geometry(launch, kernel, grid, group)) return;

  struct arc_pass some[few], *passes = some;
  int64_t some_values[few], *values = some_values;
  if (kernel->nparameters > few) {
    passes = arc_allocate(kernel->nparameters * sizeof *passes);
    values = arc_allocate(kernel->nparameters * sizeof *values);
  }
  for (size_t i = 0; i < kernel->nparameters; i++) {
    passes[i] = pass_of(launch, &kernel->parameters[i], &values[i]);
    /* Memory that the program allocated elsewhere, or that it shares with the device. */
    if (passes[i].is_place && passes[i].place.buffer == &device->whole) launch->seen = true;
  }

  void *code = launch->region->kernels[index];
  void *told = NULL, *begin = arc_span_begin(device, launch->queue);
  const struct arc_tool_place place = {.device = device, .queue = launch->queue, .site = launch->site};
  arc_tool_launch(acc_ev_enqueue_launch_start, place, kernel->name, grid, group, &told);
  arc_crash_begin(launch->queue->flight, launch->site, kernel->name);
  launch->queue->seen = is_seen(launch) || launch->queue->shown || arc_queue_waiting() == ARC_WAIT_EACH;
  arc_device_unlock(device); /* the kernel itself may run in this thread */
  bool good = device->backend->launch(device, launch->queue, code, grid, group, kernel->nparameters, passes);
  arc_device_lock(device);
  if (!good)
    arc_device_fail(device, launch->site, "launch", NULL, "kernel %s does not start on %s: %s", kernel->name,
                    device->name, arc_reason());
  note_launch(launch, kernel->name);
  if (begin)
    arc_span_launch(device, launch->queue, launch->site, launch->region->record->name, kernel->name, grid,
                    group, kernel->nparameters, passes, operations_of(launch, kernel), begin);
  arc_tool_launch(acc_ev_enqueue_launch_end, place, kernel->name, grid, group, &told);
  if (passes != some) {
    free(passes);
    free(values);
  }
}

/* Runs the kernels from `from` to `to`, including the loops from index `loop` on. */
static void run_kernels(struct launch *launch, size_t from, size_t to, size_t loop, size_t depth) {
  const struct arc_region_record *record = launch->region->record;
  while (from < to) {
    if (loop == record->nloops || record->loops[loop].first != from) {
      run_kernel(launch, from++);
      continue;
    }
    const struct arc_loop_record *around = &record->loops[loop];
    const int64_t count = arc_expression_value(&around->count, &launch->scope);
    for (int64_t n = 0; n < count; n++) {
      launch->scope.iterations[depth] = n;
      run_kernels(launch, from, around->end, loop + 1, depth + 1);
    }
    from = around->end;
    while (loop < record->nloops && record->loops[loop].first < from) loop++;
  }
}

/* Ends the program if a kernel called through a pointer to a function that the device does not have. */
static void check_strays(struct launch *launch) {
  const struct arc_region_record *record = launch->region->record;
  if (!record->nstrays) return;
  int32_t number = 0;
  const struct arc_transfer transfer = {
      .site = launch->site, .name = "a region's complaint", .action = "copyout", .implicit = true};
  const struct arc_place place = {launch->scratch->buffers[record->stray], 0};
  arc_transfer_read(launch->device, launch->queue, &transfer, &number, place, sizeof number);
  arc_queue_finish(launch->device, launch->queue, launch->site);
  if (number < 1 || (size_t)number > record->nstrays) return;
  arc_site call = record->strays[number - 1];
  call.what = launch->site ? launch->site->what : NULL;
  arc_device_fail(launch->device, &call, "stray-call",
                  "mark the function for devices: '#pragma omp declare target', or '#pragma acc routine seq'",
                  "the pointer leads to no function that %s has", launch->device->name);
}

/* ---- deferred launches ---- */

static size_t aligned(size_t bytes) {
  return (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

/* The region's only kernel with its arguments as they are now. */
static struct arc_kept *keep(const struct launch *launch) {
  const struct arc_kernel_record *kernel = &launch->region->record->kernels[0];
  size_t n = kernel->nparameters;
  struct arc_pass *passes = arc_allocate((n + 1) * sizeof *passes);
  int64_t *values = arc_allocate((n + 1) * sizeof *values);
  size_t bytes = aligned(n * sizeof *passes);
  const bool native = arc_image_payload(launch->region->image, "so");
  for (size_t i = 0; i < n; i++) {
    passes[i] = pass_of(launch, &kernel->parameters[i], &values[i]);
    if (!passes[i].is_place)
      bytes += aligned(passes[i].size);
    else if (native)
      arc_memory_address(launch->device, launch->site, passes[i].place);
  }
  struct arc_kept *kept = arc_allocate(sizeof *kept + bytes);
  char *storage = (char *)kept->storage + aligned(n * sizeof *passes);
  for (size_t i = 0; i < n; i++) {
    if (passes[i].is_place) continue;
    passes[i].bytes = memcpy(storage, passes[i].bytes, passes[i].size);
    storage += aligned(passes[i].size);
  }
  memcpy(kept->storage, passes, n * sizeof *passes);
  free(passes);
  free(values);
  kept->region = launch->region;
  kept->site = launch->site;
  kept->start = (struct arc_start){
      .kernel = launch->region->kernels[0], .n = n, .passes = (const struct arc_pass *)kept->storage};
  geometry(launch, kernel, kept->start.grid, kept->start.group);
  return kept;
}

/* ---- regions that start together ---- */

static void wait_for_partners(const struct launch *launch) {
  struct arc_kept *kept = keep(launch);
  kept->next = launch->device->waiting;
  launch->device->waiting = kept;
}

static bool same_group(const struct arc_region_record *one, const struct arc_region_record *other) {
  return one->together && other->together && one->group == other->group;
}

static bool joins(const struct launch *launch, const struct arc_kept *one) {
  return one->region->image == launch->region->image &&
         same_group(one->region->record, launch->region->record);
}

/* Starts one kernel with the arguments of all regions. */
static bool start_fused(struct launch *launch, size_t count, const struct arc_start *starts) {
  size_t n = 0, at = 0;
  for (size_t k = 0; k < count; k++) n += starts[k].n;
  struct arc_pass *passes = arc_allocate((n + 1) * sizeof *passes);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < starts[k].n; i++) passes[at++] = starts[k].passes[i];
  const struct arc_start *last = &starts[count - 1];
  arc_crash_begin(launch->queue->flight, launch->site, launch->region->record->kernels[0].name);
  bool good = launch->device->backend->launch(launch->device, launch->queue, last->kernel, last->grid,
                                              last->group, n, passes);
  free(passes);
  return good;
}

/* Runs all deferred regions of the group and the one launched now. */
static void run_together(struct launch *launch) {
  struct arc_device *device = launch->device;
  const struct arc_image *image = launch->region->image;
  size_t partners = 0, count = 0;
  for (size_t r = 0; r < image->nregions; r++)
    partners += same_group(&image->regions[r], launch->region->record);
  struct arc_start *starts = arc_allocate(partners * sizeof *starts);
  wait_for_partners(launch);
  for (struct arc_kept *one = device->waiting; one; one = one->next)
    if (joins(launch, one) && count++ < partners) starts[partners - count] = one->start;
  if (count != partners)
    arc_device_fail(device, launch->site, "mismatch", "build the program again with 'arc build'",
                    "region %s is one of %zu that run together, and %zu of them were launched",
                    launch->region->record->name, partners, count);
  const bool fused = launch->region->record->fused;
  if (!fused && !device->backend->together)
    arc_device_fail(device, launch->site, "launch", NULL, "%s cannot run kernels that wait for each other",
                    device->name);
  void *told = NULL, *begin = arc_span_begin(device, launch->queue);
  const struct arc_tool_place place = {.device = device, .queue = launch->queue, .site = launch->site};
  const struct arc_start *first = &starts[0];
  const char *title = launch->region->record->kernels[0].name;
  arc_tool_launch(acc_ev_enqueue_launch_start, place, title, first->grid, first->group, &told);
  arc_device_unlock(device); /* the kernels may run in this thread */
  bool good = fused ? start_fused(launch, count, starts)
                    : device->backend->together(device, launch->queue, count, starts);
  arc_device_lock(device);
  if (!good)
    arc_device_fail(device, launch->site, "launch", NULL, "kernels do not start together on %s: %s",
                    device->name, arc_reason());
  launch->queue->awaited = true;
  note_launch(launch, title);
  arc_tool_launch(acc_ev_enqueue_launch_end, place, title, first->grid, first->group, &told);
  const bool traced = begin;
  for (struct arc_kept **place = &device->waiting; *place;) {
    struct arc_kept *one = *place;
    if (!joins(launch, one)) {
      place = &one->next;
      continue;
    }
    const char *kernel = one->region->record->kernels[0].name;
    if (traced && (!fused || one->region == launch->region))
      arc_span_launch(device, launch->queue, one->site, one->region->record->name, kernel, one->start.grid,
                      one->start.group, one->start.n, one->start.passes, (struct arc_operations){0},
                      begin ? begin : arc_span_begin(device, launch->queue));
    begin = NULL;
    *place = one->next;
    free(one);
  }
  free(starts);
}

/* ---- time steps ---- */

/* The program cannot tell that the launch has not begun, since it sees device memory only through transfers. */
static bool waits_for_steps(const struct launch *launch) {
  const struct arc_device *device = launch->device;
  if (device->shared || arc_checks() || launch->queue->async != ARC_SYNC) return false;
  for (size_t i = 0; i < launch->narguments; i++) {
    const arc_arg *argument = &launch->arguments[i];
    if (argument->kind == ARC_ARG_COPY) return false;
    if (argument->kind == ARC_ARG_VALUE) continue;
    const struct arc_entry *entry =
        argument->kind == ARC_ARG_DEVICEPTR || !argument->host
            ? NULL
            : arc_present_at(launch->device, arc_arg_at(argument));
    if (!entry || entry->unified) return false;
  }
  return true;
}

/* Zero: no clause, or one that leaves the size open. OpenMP's teams and threads are gangs and lanes. */
static void check_size(const struct launch *launch, const char *what, long size) {
  if (size >= 0) return;
  arc_device_fail(launch->device, launch->site, "size", "pass one or more, or leave the clause out",
                  "the construct asks for %ld %s", size, what);
}

static void check_call(const struct launch *launch, const arc_launch_config *config) {
  check_size(launch, "gangs", config->num_gangs);
  check_size(launch, "workers", config->num_workers);
  check_size(launch, "lanes", config->vector_length);
  const struct arc_region_record *record = launch->region->record;
  if (launch->narguments == record->narguments && config->ntrips >= record->ntrips) return;
  arc_device_fail(launch->device, launch->site, "mismatch", "build the program again with 'arc build'",
                  "%s was built from other host code: region %s takes %zu arguments and %zu trip counts, the "
                  "program passes %zu and %zu",
                  launch->region->image->origin, record->name, record->narguments, record->ntrips,
                  launch->narguments, config->ntrips);
}

static void launch_region(const arc_site *site, struct arc_region *region, const arc_launch_config *config,
                          size_t n, const arc_arg *arguments, struct arc_device *device) {
  arc_device_lock(device);
  struct launch launch = {.device = device,
                          .queue = arc_queue_of(device, site, config->async),
                          .site = site,
                          .region = region,
                          .narguments = n,
                          .arguments = arguments,
                          .scope = {.arguments = arguments,
                                    .narguments = n,
                                    .trips = config->trips,
                                    .ntrips = config->ntrips,
                                    .num_gangs = config->num_gangs,
                                    .num_workers = config->num_workers,
                                    .vector_length = config->vector_length,
                                    .compute_units = device->compute_units,
                                    .max_group = device->max_group,
                                    .device_number = device->ordinal,
                                    .last_group = region->signs}};
  check_call(&launch, config);
  const struct arc_region_record *record = launch.region->record;
  triple(record->kernels[0].grid, &launch.scope, launch.scope.grid);
  if (record->steps.most && waits_for_steps(&launch)) {
    arc_steps_put_off(device, launch.queue, keep(&launch));
    arc_device_unlock(device);
    return;
  }
  arc_steps_make(device);
  if (record->together == ARC_WAIT) {
    wait_for_partners(&launch);
    arc_device_unlock(device);
    return;
  }
  if (record->together == ARC_LAST) {
    run_together(&launch);
    if (config->async != ARC_JOINED) arc_queue_settle(device, launch.queue, site);
    arc_device_unlock(device);
    return;
  }
  make_copies(&launch);
  launch.scratch = take_scratch(&launch);
  size_scratch(&launch);
  run_kernels(&launch, 0, record->nkernels, 0, 0);
  check_strays(&launch);
  put_scratch(&launch);
  drop_copies(&launch);
  if (config->async != ARC_JOINED) arc_queue_settle(device, launch.queue, site);
  arc_device_unlock(device);
}

void arc_launch(const arc_site *site, const char *name, const arc_launch_config *config, size_t n,
                const arc_arg *arguments) {
  struct arc_device *device = arc_device_current(site);
  arc_reference_launched(site);
  arc_device_lock(device);
  struct arc_region *region = arc_region_find(device, site, name);
  arc_device_unlock(device);
  const bool told = arc_tool_enter_compute(device, site);
  if (region->nitems) arc_data_begin(site, config->async, region->nitems, region->items);
  launch_region(site, region, config, n, arguments, device);
  if (region->nitems) arc_data_end(site, config->async, region->nitems, region->items);
  if (told) arc_tool_leave_compute(device, site);
}
