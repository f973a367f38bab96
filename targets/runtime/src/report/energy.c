/* energy.c: follows the energy counters of NVIDIA GPUs. */
#define _POSIX_C_SOURCE 200809L
#include "report/energy.h"
#include "report/nvml.h"
#include "report/trace.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  patience = 500000, /* microseconds in which a counter has to move */
  interval = 2000    /* microseconds between two looks at it: a usual step takes some tens of thousands */
};

/* The counter had reached this value by this time. */
struct moment {
  double time; /* arc_trace_now()'s microseconds */
  uint64_t millijoules;
};

struct arc_meter {
  struct arc_meter *next;
  char *device, *missing; /* names; the reason, or NULL */
  arc_nvml_gpu gpu;
  pthread_t thread;
  bool started;
  pthread_mutex_t lock;
  pthread_cond_t moved; /* the first step was seen, or the meter gave up */
  struct moment *steps;
  size_t count, room;
  bool launched;
  double begin, end; /* of all launches */
  bool stopping;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arc_meter *meters;

static void add_step(struct arc_meter *meter, double time, uint64_t millijoules) {
  if (meter->count == meter->room) {
    meter->room = meter->room ? 2 * meter->room : 64;
    meter->steps = arc_resize(meter->steps, meter->room * sizeof *meter->steps);
  }
  meter->steps[meter->count++] = (struct moment){time, millijoules};
}

static const char stands[] = "its counter does not move";

/* Whether the thread has seen all there is to see, or need not wait any longer. `last`: when the counter moved. */
static bool is_done(const struct arc_meter *meter, double last, double now) {
  if (meter->missing) return true;
  if (!meter->stopping) return false;
  const bool is_behind = meter->count && meter->steps[meter->count - 1].time >= meter->end;
  return !meter->launched || is_behind || now - last > patience;
}

static void *follow(void *argument) {
  struct arc_meter *meter = argument;
  uint64_t value = 0, before = 0;
  const struct timespec short_time = {.tv_nsec = 1000L * interval};
  double last = arc_trace_now();
  bool right = arc_nvml_energy(meter->gpu, &before);
  for (bool done = false; !done;) {
    nanosleep(&short_time, NULL);
    right = right && arc_nvml_energy(meter->gpu, &value);
    const double now = arc_trace_now();
    pthread_mutex_lock(&meter->lock);
    if (!right)
      meter->missing = arc_copy_string(arc_reason());
    else if (value != before)
      add_step(meter, last = now, before = value);
    else if (!meter->count && now - last > patience)
      meter->missing = arc_copy_string(stands);
    done = is_done(meter, last, now);
    if (meter->count || done) pthread_cond_broadcast(&meter->moved);
    pthread_mutex_unlock(&meter->lock);
  }
  return NULL;
}

static void start(struct arc_meter *meter, const char *bus) {
  meter->gpu = arc_nvml_open(bus);
  if (!meter->gpu) {
    meter->missing = arc_copy_string(arc_reason());
    return;
  }
  meter->started = pthread_create(&meter->thread, NULL, follow, meter) == 0;
  if (!meter->started) {
    meter->missing = arc_copy_string("there can be no thread that reads its counter");
    return;
  }
  pthread_mutex_lock(&meter->lock);
  while (!meter->count && !meter->missing) pthread_cond_wait(&meter->moved, &meter->lock);
  pthread_mutex_unlock(&meter->lock);
}

struct arc_meter *arc_energy_watch(const struct arc_device *device) {
  if (!device->bus) return NULL;
  pthread_mutex_lock(&lock);
  struct arc_meter *meter = meters;
  while (meter && strcmp(meter->device, device->name) != 0) meter = meter->next;
  if (!meter) {
    meter = arc_allocate(sizeof *meter);
    pthread_mutex_init(&meter->lock, NULL);
    pthread_cond_init(&meter->moved, NULL);
    meter->device = arc_copy_string(device->name);
    meter->next = meters;
    meters = meter;
    start(meter, device->bus);
  }
  pthread_mutex_unlock(&lock);
  return meter;
}

void arc_energy_launched(struct arc_meter *meter, double begin, double end) {
  pthread_mutex_lock(&meter->lock);
  if (!meter->launched || begin < meter->begin) meter->begin = begin;
  if (!meter->launched || end > meter->end) meter->end = end;
  meter->launched = true;
  pthread_mutex_unlock(&meter->lock);
}

/* ---- at the end ---- */

/* The first step at or after the time, which is not the first of all; `count`: there is none. */
static size_t step_after(const struct arc_meter *meter, double time) {
  size_t k = 1;
  while (k < meter->count && meter->steps[k].time < time) k++;
  return k;
}

/* What was counted by then. */
static double joules_at(const struct arc_meter *meter, double time) {
  const struct moment *to = &meter->steps[step_after(meter, time)], *from = to - 1;
  const double share = (time - from->time) / (to->time - from->time);
  return 1e-3 * ((double)from->millijoules + share * (double)(to->millijoules - from->millijoules));
}

/* Seconds of the step that the time is in. A step that was seen late is a long one. */
static double step_around(const struct arc_meter *meter, double time) {
  const size_t k = step_after(meter, time);
  return 1e-6 * (meter->steps[k].time - meter->steps[k - 1].time);
}

static struct arc_energy result(const struct arc_meter *meter) {
  struct arc_energy energy = {.device = meter->device, .missing = meter->missing};
  if (energy.missing) return energy;
  const size_t last = step_after(meter, meter->end);
  if (last >= meter->count || meter->steps[0].time > meter->begin) {
    energy.missing = stands;
    return energy;
  }
  energy.seconds = 1e-6 * (meter->end - meter->begin);
  energy.joules = joules_at(meter, meter->end) - joules_at(meter, meter->begin);
  const double first_step = step_around(meter, meter->begin), last_step = step_around(meter, meter->end);
  energy.step = first_step > last_step ? first_step : last_step;
  return energy;
}

struct arc_energy *arc_energy_stop(size_t *count) {
  *count = 0;
  struct arc_energy *all = NULL;
  pthread_mutex_lock(&lock);
  for (struct arc_meter *meter = meters; meter; meter = meter->next) {
    if (meter->started) {
      pthread_mutex_lock(&meter->lock);
      meter->stopping = true;
      pthread_mutex_unlock(&meter->lock);
      pthread_join(meter->thread, NULL);
      meter->started = false;
    }
    if (!meter->launched) continue;
    all = arc_resize(all, (*count + 1) * sizeof *all);
    all[(*count)++] = result(meter);
  }
  pthread_mutex_unlock(&lock);
  return all;
}
