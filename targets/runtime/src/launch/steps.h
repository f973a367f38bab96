/*
 * steps.h: a region that makes a step of time, launched again and again with two arrays in turn. Its launches are put
 * off; several of them become one, which makes as many steps while it goes through memory once. All with the device's
 * lock held, which is released while kernels start.
 */
#ifndef ARC_STEPS_H
#define ARC_STEPS_H
#include "launch/kept.h"

/* Takes over a launch for one step. */
void arc_steps_put_off(struct arc_device *, struct arc_queue *, struct arc_kept *);
/* Makes the steps that were put off, if any. Before anything that could tell: other launches, transfers, addresses
 * that the program gets, waits, memory that is given back. */
void arc_steps_make(struct arc_device *);

#endif
