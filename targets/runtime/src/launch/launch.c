/* launch.c: from a region's name to kernels on a queue. */
#include "data/check.h"
#include "data/data.h"
#include "data/present.h"
#include "data/transfer.h"
#include "launch/call.h"
#include "launch/queue.h"
#include "launch/reference.h"
#include "launch/steps.h"
#include "report/crash.h"
#include "report/spans.h"
#include "report/tool.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void triple(const struct arc_expression expressions[3], const struct arc_scope *scope,
                   int64_t out[3]) {
  for (int i = 0; i < 3; i++) out[i] = arc_expression_value(&expressions[i], scope);
}

static void check_group(const struct arc_call *call, const struct arc_kernel_record *kernel,
                        const int64_t group[3]) {
  int64_t limit = call->device->max_group, room = limit;
  for (int i = 0; i < 3; i++) room /= group[i];
  if (room > 0) return;
  arc_device_fail(call->device, call->site, "group-size",
                  "ask for less with num_workers and vector_length, or build the target with smaller groups",
                  "kernel %s asks for groups of %" PRId64 " x %" PRId64 " x %" PRId64
                  " work-items, %s allows %" PRId64,
                  kernel->name, group[0], group[1], group[2], call->device->name, limit);
}

/* False: there is nothing to call. */
bool arc_call_geometry(const struct arc_call *call, const struct arc_kernel_record *kernel, int64_t grid[3],
                     int64_t group[3]) {
  const bool is_known = kernel == call->region->record->kernels && !call->region->record->nloops;
  if (is_known)
    memcpy(grid, call->scope.grid, sizeof call->scope.grid);
  else
    triple(kernel->grid, &call->scope, grid);
  if (grid[0] <= 0 || grid[1] <= 0 || grid[2] <= 0) return false;
  triple(kernel->group, &call->scope, group);
  for (int i = 0; i < 3; i++)
    if (group[i] < 1) group[i] = 1;
  check_group(call, kernel, group);
  return true;
}

bool arc_call_is_seen(const struct arc_call *call) {
  const struct arc_device *device = call->device;
  return call->seen || call->region->record->prints || device->shared || device->addresses.count > 0;
}

/*
 * A launch without async need not be waited for if the program cannot tell: the program sees device memory only through
 * transfers, which wait, and has no device address that it could pass to a library with separate queues.
 */
static bool must_wait(const struct arc_call *call) {
  const struct arc_device *device = call->device;
  const enum arc_waiting waiting = arc_queue_waiting();
  return arc_call_is_seen(call) || waiting == ARC_WAIT_EACH || (device->in_process && waiting != ARC_WAIT_LATE);
}

void arc_call_note(const struct arc_call *call, const char *kernel) {
  arc_queue_count(call->queue);
  if (must_wait(call)) call->queue->awaited = true;
  call->queue->launched = call->site ? *call->site : (arc_site){0};
  call->queue->kernel = kernel;
}

static struct arc_operations operations_of(const struct arc_call *call, const struct arc_kernel_record *kernel) {
  const struct arc_expression *counts = kernel->operations;
  if (!counts[0].count) return (struct arc_operations){0};
  return (struct arc_operations){(double)arc_expression_value(&counts[0], &call->scope),
                                 (double)arc_expression_value(&counts[1], &call->scope)};
}

static void run_kernel(struct arc_call *call, size_t index, void *of) {
  (void)of;
  enum { few = 32 };
  struct arc_device *device = call->device;
  const struct arc_kernel_record *kernel = &call->region->record->kernels[index];
  int64_t grid[3], group[3];
  if (!arc_call_geometry(call, kernel, grid, group)) return;

  struct arc_pass some[few], *passes = some;
  int64_t some_values[few], *values = some_values;
  if (kernel->nparameters > few) {
    passes = arc_allocate(kernel->nparameters * sizeof *passes);
    values = arc_allocate(kernel->nparameters * sizeof *values);
  }
  for (size_t i = 0; i < kernel->nparameters; i++) {
    passes[i] = arc_call_pass(call, &kernel->parameters[i], &values[i]);
    /* Memory that the program allocated elsewhere, or that it shares with the device. */
    if (passes[i].is_place && passes[i].place.buffer == &device->whole) call->seen = true;
  }

  void *code = call->region->kernels[index];
  void *told = NULL, *begin = arc_span_begin(device, call->queue);
  const struct arc_tool_place place = {.device = device, .queue = call->queue, .site = call->site};
  arc_tool_launch(acc_ev_enqueue_launch_start, place, kernel->name, grid, group, &told);
  arc_crash_begin(call->queue->flight, call->site, kernel->name);
  call->queue->seen = arc_call_is_seen(call) || call->queue->shown || arc_queue_waiting() == ARC_WAIT_EACH;
  arc_device_unlock(device); /* the kernel itself may run in this thread */
  bool good = device->backend->launch(device, call->queue, code, grid, group, kernel->nparameters, passes);
  arc_device_lock(device);
  if (!good)
    arc_device_fail(device, call->site, "launch", NULL, "kernel %s does not start on %s: %s", kernel->name,
                    device->name, arc_reason());
  arc_call_note(call, kernel->name);
  if (begin)
    arc_span_launch(device, call->queue, call->site, call->region->record->name, kernel->name, grid,
                    group, kernel->nparameters, passes, operations_of(call, kernel), begin);
  arc_tool_launch(acc_ev_enqueue_launch_end, place, kernel->name, grid, group, &told);
  if (passes != some) {
    free(passes);
    free(values);
  }
}

void arc_call_walk(struct arc_call *call, struct arc_walk walk, const struct arc_visitor *visitor) {
  const struct arc_region_record *record = call->region->record;
  while (walk.from < walk.to) {
    if (walk.loop == record->nloops || record->loops[walk.loop].first != walk.from) {
      visitor->kernel(call, walk.from++, visitor->of);
      continue;
    }
    const struct arc_loop_record *around = &record->loops[walk.loop];
    const struct arc_walk inside = {walk.from, around->end, walk.loop + 1, walk.depth + 1};
    const int64_t count = arc_expression_value(&around->count, &call->scope);
    if (!visitor->loop || !visitor->loop(call, walk.loop, walk.depth))
      for (int64_t n = 0; n < count; n++) {
        call->scope.iterations[walk.depth] = n;
        arc_call_walk(call, inside, visitor);
      }
    walk.from = around->end;
    while (walk.loop < record->nloops && record->loops[walk.loop].first < walk.from) walk.loop++;
  }
}

/* Ends the program if a kernel called through a pointer to a function that the device does not have. */
static void check_strays(struct arc_call *call) {
  const struct arc_region_record *record = call->region->record;
  if (!record->nstrays) return;
  int32_t number = 0;
  const struct arc_transfer transfer = {
      .site = call->site, .name = "a region's complaint", .action = "copyout", .implicit = true};
  const struct arc_place place = {call->scratch->buffers[record->stray], 0};
  arc_transfer_read(call->device, call->queue, &transfer, &number, place, sizeof number);
  arc_queue_finish(call->device, call->queue, call->site);
  if (number < 1 || (size_t)number > record->nstrays) return;
  arc_site stray = record->strays[number - 1];
  stray.what = call->site ? call->site->what : NULL;
  arc_device_fail(call->device, &stray, "stray-call",
                  "mark the function for devices: '#pragma omp declare target', or '#pragma acc routine seq'",
                  "the pointer leads to no function that %s has", call->device->name);
}

/* The program cannot tell that the launch has not begun, since it sees device memory only through transfers. */
static bool waits_for_steps(const struct arc_call *call) {
  const struct arc_device *device = call->device;
  if (device->shared || arc_checks() || call->queue->async != ARC_SYNC) return false;
  for (size_t i = 0; i < call->narguments; i++) {
    const arc_arg *argument = &call->arguments[i];
    if (argument->kind == ARC_ARG_COPY) return false;
    if (argument->kind == ARC_ARG_VALUE) continue;
    const struct arc_entry *entry =
        argument->kind == ARC_ARG_DEVICEPTR || !argument->host
            ? NULL
            : arc_present_at(call->device, arc_arg_at(argument));
    if (!entry || entry->unified) return false;
  }
  return true;
}

/* Zero: no clause, or one that leaves the size open. OpenMP's teams and threads are gangs and lanes. */
static void check_size(const struct arc_call *call, const char *what, long size) {
  if (size >= 0) return;
  arc_device_fail(call->device, call->site, "size", "pass one or more, or leave the clause out",
                  "the construct asks for %ld %s", size, what);
}

static void check_call(const struct arc_call *call, const arc_launch_config *config) {
  check_size(call, "gangs", config->num_gangs);
  check_size(call, "workers", config->num_workers);
  check_size(call, "lanes", config->vector_length);
  const struct arc_region_record *record = call->region->record;
  if (call->narguments == record->narguments && config->ntrips >= record->ntrips) return;
  arc_device_fail(call->device, call->site, "mismatch", "build the program again with 'arc build'",
                  "%s was built from other host code: region %s takes %zu arguments and %zu trip counts, the "
                  "program passes %zu and %zu",
                  call->region->image->origin, record->name, record->narguments, record->ntrips,
                  call->narguments, config->ntrips);
}

/* Takes the device with its lock held, and unlocks it. */
static void launch_region(const arc_site *site, struct arc_region *region, const arc_launch_config *config,
                          size_t n, const arc_arg *arguments, struct arc_device *device) {
  struct arc_call call = {.device = device,
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
  check_call(&call, config);
  const struct arc_region_record *record = call.region->record;
  triple(record->kernels[0].grid, &call.scope, call.scope.grid);
  if (record->steps.most && waits_for_steps(&call)) {
    arc_steps_put_off(device, call.queue, arc_call_keep(&call));
    arc_device_unlock(device);
    return;
  }
  arc_steps_make(device);
  if (record->together == ARC_WAIT) {
    arc_call_defer(&call);
    arc_device_unlock(device);
    return;
  }
  if (record->together == ARC_LAST) {
    arc_call_run_together(&call);
    if (config->async != ARC_JOINED) arc_queue_settle(device, call.queue, site);
    arc_device_unlock(device);
    return;
  }
  arc_call_take_memory(&call);
  const struct arc_visitor launching = {.kernel = run_kernel, .loop = arc_call_run_team};
  arc_call_walk(&call, (struct arc_walk){.to = record->nkernels}, &launching);
  check_strays(&call);
  arc_call_drop_memory(&call);
  if (config->async != ARC_JOINED) arc_queue_settle(device, call.queue, site);
  arc_device_unlock(device);
}

void arc_launch(const arc_site *site, const char *name, const arc_launch_config *config, size_t n,
                const arc_arg *arguments) {
  struct arc_device *device = arc_device_current(site);
  arc_reference_launched(site);
  arc_device_lock(device);
  struct arc_region *region = arc_region_find(device, site, name);
  if (!region->nitems && !arc_tool_wants_any()) {
    launch_region(site, region, config, n, arguments, device);
    return;
  }
  arc_device_unlock(device);
  const bool told = arc_tool_enter_compute(device, site);
  if (region->nitems) arc_data_begin(site, config->async, region->nitems, region->items);
  arc_device_lock(device);
  launch_region(site, region, config, n, arguments, device);
  if (region->nitems) arc_data_end(site, config->async, region->nitems, region->items);
  if (told) arc_tool_leave_compute(device, site);
}

/*
 * Work that is queued keeps the data that it uses until it is done, so that a launch with async need not refer to it
 * meanwhile. One without async does, against other threads of the program.
 */
void arc_launch_present(const arc_site *site, const char *name, const arc_launch_config *config, size_t n,
                        const arc_arg *arguments, size_t nitems, const arc_item *items) {
  struct arc_device *device = arc_device_current(site);
  arc_device_lock(device);
  struct arc_region *region = arc_region_find(device, site, name);
  const bool is_queued = arc_queue_is_async(arc_queue_of(device, site, config->async));
  if (is_queued && !region->nitems && !arc_tool_wants_any() && !arc_checks()) {
    arc_data_require(device, site, nitems, items);
    launch_region(site, region, config, n, arguments, device);
    return;
  }
  arc_device_unlock(device);
  arc_data_begin(site, config->async, nitems, items);
  arc_launch(site, name, config, n, arguments);
  arc_data_end(site, config->async, nitems, items);
}
