/*
 * guards.h: ARC_CHECK=tasks: detects writes of the user's own kernels that clauses do not declare. Each device copy is
 * followed by guard bytes, which must not change, and data that a kernel only reads is compared with the host's afterwards.
 */
#ifndef ARC_GUARDS_H
#define ARC_GUARDS_H
#include "tasks/devices/moves.h"
#include "tasks/task.h"

/* Guard bytes behind a copy; 0 without the check. */
size_t arc_guard_bytes(void);
/* Called when a copy has been allocated. */
void arc_guard_set(const arc_site *, const struct arc_held_section *);
/* Called when a kernel that used the copy has ended; `same`: the host has all of its bytes. */
void arc_guard_check(const struct arc_task *, const struct arc_task_part *, const struct arc_held_section *, bool same);

#endif
