/*
 * guards.h: ARC_CHECK=tasks: what kernels of the author's own write beside what clauses say. Behind each copy on a device
 * lie bytes that no kernel may change, and of what a kernel only reads host and device have the same bytes afterwards.
 */
#ifndef ARC_GUARDS_H
#define ARC_GUARDS_H
#include "tasks/devices/moves.h"
#include "tasks/task.h"

/* How many there are behind a copy; 0 without the check. */
size_t arc_guard_bytes(void);
/* A copy has been made. */
void arc_guard_set(const arc_site *, const struct arc_held_section *);
/* A kernel has ended that used the copy; `same`: the host has all of its bytes. */
void arc_guard_check(const struct arc_task *, const struct arc_task_part *, const struct arc_held_section *, bool same);

#endif
