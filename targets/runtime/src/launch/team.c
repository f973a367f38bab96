/*
 * team.c: loops that the launch repeats, run by a team of threads that stay together. Each thread goes through the loop,
 * computes what kernels are passed, and does its share of their groups. Launching the kernels one by one takes a fork, a
 * lock and lookups each time, which is more than a barrier.
 */
#include "data/check.h"
#include "launch/call.h"
#include "launch/queue.h"
#include "report/crash.h"
#include "report/spans.h"
#include "report/tool.h"
#include <stdlib.h>
#include <string.h>

struct team {
  struct arc_call call; /* with copies of what the program may change before the loop begins */
  struct arc_walk walk;
  size_t *first; /* of each kernel of the region: the first of its passes */
  struct arc_pass *passes;
  size_t npasses;
};

/* What a thread has for itself. */
struct member {
  const struct team *team;
  struct arc_team_thread thread;
  struct arc_pass *passes; /* with values of this thread's iteration */
};

static void run_share(struct arc_call *call, size_t index, void *of) {
  struct member *member = of;
  const struct arc_kernel_record *kernel = &call->region->record->kernels[index];
  int64_t grid[3], group[3];
  if (!arc_call_geometry(call, kernel, grid, group)) return;
  struct arc_pass *passes = &member->passes[member->team->first[index]];
  for (size_t i = 0; i < kernel->nparameters; i++)
    if (kernel->parameters[i].kind == ARC_PARAMETER_VALUE)
      *(int64_t *)passes[i].bytes = arc_expression_value(&kernel->parameters[i].value, &call->scope);
  call->device->backend->share(&member->thread, call->region->kernels[index], grid, group, kernel->nparameters, passes);
}

static void run_member(void *of, int thread) {
  const struct team *team = of;
  const struct arc_region_record *record = team->call.region->record;
  struct arc_call call = team->call;
  struct arc_pass *passes = arc_allocate((team->npasses + 1) * (sizeof *passes + sizeof(int64_t)));
  int64_t *values = (int64_t *)(passes + team->npasses + 1);
  memcpy(passes, team->passes, team->npasses * sizeof *passes);
  for (size_t k = team->walk.from; k < team->walk.to; k++)
    for (size_t i = 0; i < record->kernels[k].nparameters; i++) {
      const size_t at = team->first[k] + i;
      if (record->kernels[k].parameters[i].kind == ARC_PARAMETER_VALUE) passes[at].bytes = &values[at];
    }
  struct member member = {.team = team, .thread = {.number = thread}, .passes = passes};
  arc_call_walk(&call, team->walk, &(struct arc_visitor){.kernel = run_share, .of = &member});
  free(passes);
}

/* The bytes of arguments that are values, one after the other. */
static size_t bytes_of_values(const struct arc_call *call) {
  size_t bytes = 0;
  for (size_t i = 0; i < call->narguments; i++)
    if (call->arguments[i].kind == ARC_ARG_VALUE) bytes += arc_aligned(call->arguments[i].size);
  return bytes;
}

static arc_arg *copied_arguments(const struct arc_call *call) {
  const size_t n = call->narguments;
  const size_t before = arc_aligned(n * sizeof(arc_arg));
  arc_arg *copies = arc_allocate(before + bytes_of_values(call) + 1);
  char *at = (char *)copies + before;
  if (n) memcpy(copies, call->arguments, n * sizeof *copies);
  for (size_t i = 0; i < n; i++) {
    if (copies[i].kind != ARC_ARG_VALUE || !copies[i].host) continue;
    copies[i].host = memcpy(at, copies[i].host, copies[i].size);
    at += arc_aligned(copies[i].size);
  }
  return copies;
}

static void pass_all(struct team *team) {
  const struct arc_region_record *record = team->call.region->record;
  team->first = arc_allocate(record->nkernels * sizeof *team->first);
  for (size_t k = team->walk.from; k < team->walk.to; k++) {
    team->first[k] = team->npasses;
    team->npasses += record->kernels[k].nparameters;
  }
  /* Values of kinds other than expressions are the same in all iterations. */
  team->passes = arc_allocate((team->npasses + 1) * (sizeof *team->passes + sizeof(int64_t)));
  int64_t *values = (int64_t *)(team->passes + team->npasses + 1);
  for (size_t k = team->walk.from; k < team->walk.to; k++)
    for (size_t i = 0; i < record->kernels[k].nparameters; i++) {
      const size_t at = team->first[k] + i;
      team->passes[at] = arc_call_pass(&team->call, &record->kernels[k].parameters[i], &values[at]);
      if (team->passes[at].is_place && team->passes[at].place.buffer == &team->call.device->whole) team->call.seen = true;
    }
}

static void end(void *of) {
  struct team *team = of;
  free((void *)team->call.arguments);
  free((void *)team->call.scope.trips);
  free(team->passes);
  free(team->first);
  free(team);
}

static struct team *team_of(const struct arc_call *call, struct arc_walk walk) {
  struct team *team = arc_allocate(sizeof *team);
  *team = (struct team){.call = *call, .walk = walk};
  team->call.arguments = team->call.scope.arguments = copied_arguments(call);
  int64_t *trips = arc_allocate((call->scope.ntrips + 1) * sizeof *trips);
  if (call->scope.ntrips) memcpy(trips, call->scope.trips, call->scope.ntrips * sizeof *trips);
  team->call.scope.trips = trips;
  pass_all(team);
  return team;
}

/* Whoever watches launches sees each of them. */
static bool is_watched(void) {
  return arc_watching() || arc_tool_wants_any() || arc_checks() || arc_queue_waiting() == ARC_WAIT_EACH;
}

bool arc_call_run_team(struct arc_call *call, size_t loop, size_t depth) {
  struct arc_device *device = call->device;
  const struct arc_region_record *record = call->region->record;
  const struct arc_loop_record *around = &record->loops[loop];
  if (!device->backend->team || is_watched() || arc_expression_value(&around->count, &call->scope) < 2) return false;
  struct team *team = team_of(call, (struct arc_walk){around->first, around->end, loop, depth});
  const struct arc_team_work work = {.run = run_member, .end = end, .of = team};
  const bool seen = team->call.seen;
  arc_crash_begin(call->queue->flight, call->site, record->name);
  void *kernel = call->region->kernels[around->first];
  arc_device_unlock(device); /* the threads may be this one's */
  const bool good = device->backend->team(device, call->queue, kernel, &work);
  arc_device_lock(device);
  if (!good) {
    end(team);
    return false;
  }
  call->seen = seen;
  call->queue->seen = arc_call_is_seen(call) || call->queue->shown;
  arc_call_note(call, record->name);
  return true;
}
