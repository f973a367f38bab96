/* deferred.c: launches that do not start at once: those of regions that start together, and of time steps. */
#include "data/memory.h"
#include "launch/call.h"
#include "launch/kept.h"
#include "launch/queue.h"
#include "report/crash.h"
#include "report/spans.h"
#include "report/tool.h"
#include <stdlib.h>
#include <string.h>

struct arc_kept *arc_call_keep(const struct arc_call *call) {
  const struct arc_kernel_record *kernel = &call->region->record->kernels[0];
  size_t n = kernel->nparameters;
  struct arc_pass *passes = arc_allocate((n + 1) * sizeof *passes);
  int64_t *values = arc_allocate((n + 1) * sizeof *values);
  size_t bytes = arc_aligned(n * sizeof *passes);
  const bool native = arc_image_payload(call->region->image, "so");
  for (size_t i = 0; i < n; i++) {
    passes[i] = arc_call_pass(call, &kernel->parameters[i], &values[i]);
    if (!passes[i].is_place)
      bytes += arc_aligned(passes[i].size);
    else if (native)
      arc_memory_address(call->device, call->site, passes[i].place);
  }
  struct arc_kept *kept = arc_allocate(sizeof *kept + bytes);
  char *storage = (char *)kept->storage + arc_aligned(n * sizeof *passes);
  for (size_t i = 0; i < n; i++) {
    if (passes[i].is_place) continue;
    passes[i].bytes = memcpy(storage, passes[i].bytes, passes[i].size);
    storage += arc_aligned(passes[i].size);
  }
  memcpy(kept->storage, passes, n * sizeof *passes);
  free(passes);
  free(values);
  kept->region = call->region;
  kept->site = call->site;
  kept->start = (struct arc_start){
      .kernel = call->region->kernels[0], .n = n, .passes = (const struct arc_pass *)kept->storage};
  arc_call_geometry(call, kernel, kept->start.grid, kept->start.group);
  return kept;
}

/* ---- regions that start together ---- */

void arc_call_defer(const struct arc_call *call) {
  struct arc_kept *kept = arc_call_keep(call);
  kept->next = call->device->waiting;
  call->device->waiting = kept;
}

static bool same_group(const struct arc_region_record *one, const struct arc_region_record *other) {
  return one->together && other->together && one->group == other->group;
}

static bool joins(const struct arc_call *call, const struct arc_kept *one) {
  return one->region->image == call->region->image &&
         same_group(one->region->record, call->region->record);
}

/* Starts one kernel with the arguments of all regions. */
static bool start_fused(struct arc_call *call, size_t count, const struct arc_start *starts) {
  size_t n = 0, at = 0;
  for (size_t k = 0; k < count; k++) n += starts[k].n;
  struct arc_pass *passes = arc_allocate((n + 1) * sizeof *passes);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < starts[k].n; i++) passes[at++] = starts[k].passes[i];
  const struct arc_start *last = &starts[count - 1];
  arc_crash_begin(call->queue->flight, call->site, call->region->record->kernels[0].name);
  bool good = call->device->backend->launch(call->device, call->queue, last->kernel, last->grid,
                                              last->group, n, passes);
  free(passes);
  return good;
}

void arc_call_run_together(struct arc_call *call) {
  struct arc_device *device = call->device;
  const struct arc_image *image = call->region->image;
  size_t partners = 0, count = 0;
  for (size_t r = 0; r < image->nregions; r++)
    partners += same_group(&image->regions[r], call->region->record);
  struct arc_start *starts = arc_allocate(partners * sizeof *starts);
  arc_call_defer(call);
  for (struct arc_kept *one = device->waiting; one; one = one->next)
    if (joins(call, one) && count++ < partners) starts[partners - count] = one->start;
  if (count != partners)
    arc_device_fail(device, call->site, "mismatch", "build the program again with 'arc build'",
                    "region %s is one of %zu that run together, and %zu of them were launched",
                    call->region->record->name, partners, count);
  const bool fused = call->region->record->fused;
  if (!fused && !device->backend->together)
    arc_device_fail(device, call->site, "launch", NULL, "%s cannot run kernels that wait for each other",
                    device->name);
  void *told = NULL, *begin = arc_span_begin(device, call->queue);
  const struct arc_tool_place place = {.device = device, .queue = call->queue, .site = call->site};
  const struct arc_start *first = &starts[0];
  const char *title = call->region->record->kernels[0].name;
  arc_tool_launch(acc_ev_enqueue_launch_start, place, title, first->grid, first->group, &told);
  arc_device_unlock(device); /* the kernels may run in this thread */
  bool good = fused ? start_fused(call, count, starts)
                    : device->backend->together(device, call->queue, count, starts);
  arc_device_lock(device);
  if (!good)
    arc_device_fail(device, call->site, "launch", NULL, "kernels do not start together on %s: %s",
                    device->name, arc_reason());
  call->queue->awaited = true;
  arc_call_note(call, title);
  arc_tool_launch(acc_ev_enqueue_launch_end, place, title, first->grid, first->group, &told);
  const bool traced = begin;
  for (struct arc_kept **place = &device->waiting; *place;) {
    struct arc_kept *one = *place;
    if (!joins(call, one)) {
      place = &one->next;
      continue;
    }
    const char *kernel = one->region->record->kernels[0].name;
    if (traced && (!fused || one->region == call->region))
      arc_span_launch(device, call->queue, one->site, one->region->record->name, kernel, one->start.grid,
                      one->start.group, one->start.n, one->start.passes, (struct arc_operations){0},
                      begin ? begin : arc_span_begin(device, call->queue));
    begin = NULL;
    *place = one->next;
    free(one);
  }
  free(starts);
}
