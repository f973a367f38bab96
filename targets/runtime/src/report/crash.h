/*
 * crash.h: names the kernel when the program dies of a signal while kernels run on its own processor.
 * The program still dies of that signal, or does what its own handler wants.
 */
#ifndef ARC_CRASH_H
#define ARC_CRASH_H
#include "arcrt.h"

/* The kernel running in one queue. */
struct arc_flight;

/* Installs handlers if the program has none, also over those that drivers have installed since. */
void arc_crash_watch(void);
/* NULL if there are too many queues: then this one is not reported. */
struct arc_flight *arc_crash_open(const char *device_name);
void arc_crash_close(struct arc_flight *);
/* A kernel is about to run; all earlier work is done. Not thread-safe per flight. NULL does nothing. */
void arc_crash_begin(struct arc_flight *, const arc_site *, const char *kernel);
void arc_crash_end(struct arc_flight *);

#endif
