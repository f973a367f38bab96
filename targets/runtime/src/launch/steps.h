/*
 * steps.h: a region that makes a time step and is launched repeatedly with two alternating arrays. Its launches are
 * deferred, and several of them are merged into one, which makes as many steps while it traverses memory once. All with
 * the device's lock held, which is released while kernels start.
 */
#ifndef ARC_STEPS_H
#define ARC_STEPS_H
#include "launch/kept.h"

/* Takes over a launch for one step. */
void arc_steps_put_off(struct arc_device *, struct arc_queue *, struct arc_kept *);
/*
 * Launches the deferred steps, if any. Called before anything that could observe them: other launches, transfers,
 * device addresses that the program gets, waits, freed memory.
 */
void arc_steps_make(struct arc_device *);

#endif
