/*
 * crash.h: names the kernel when the program dies of a signal while kernels run on its own processor.
 * The program still dies of that signal, or does what its own handler wants.
 */
#ifndef ARC_CRASH_H
#define ARC_CRASH_H
#include "arcrt.h"

/* What runs in one queue. */
struct arc_flight;

/* Installs handlers where the program has none, and puts them over those that drivers have installed since. */
void arc_crash_watch(void);
/* NULL when there are too many queues: then nothing is said about this one. */
struct arc_flight *arc_crash_open(const char *device_name);
void arc_crash_close(struct arc_flight *);
/* A kernel is about to run; all that was queued is done. Not for two threads at once. NULL does nothing. */
void arc_crash_begin(struct arc_flight *, const arc_site *, const char *kernel);
void arc_crash_end(struct arc_flight *);

#endif
