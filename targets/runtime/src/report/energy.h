/*
 * energy.h: what devices took from a program's first launch to the end of its last one, for the profile. Counters move in
 * steps of some tens of milliseconds: a thread of its own notes each step, and what lies between two is interpolated.
 */
#ifndef ARC_ENERGY_H
#define ARC_ENERGY_H
#include "device/device.h"

struct arc_meter;

/* Follows the device's counter from now on, and returns after its next step. A device that is opened again keeps its meter.
 * NULL: the device is of a kind that is not counted. */
struct arc_meter *arc_energy_watch(const struct arc_device *);
/* A launch took from `begin` to `end`, in arc_trace_now()'s microseconds. */
void arc_energy_launched(struct arc_meter *, double begin, double end);

struct arc_energy {
  const char *device;  /* its name */
  const char *missing; /* why it is not known; NULL: it is */
  double joules;       /* of the whole device, whatever else it did meanwhile */
  double seconds;      /* from the first launch to the end of the last one */
  double step;         /* seconds of the longer of the counter's steps that these two moments are in */
};
/* At the end of the program: stops all meters, and returns what those of devices tell on which something was launched, or NULL and a count of 0. The caller frees the
 * array; its texts stay. */
struct arc_energy *arc_energy_stop(size_t *count);

#endif
