/* exclusive.h: tasks of one parent with commutative accesses to the same memory run in any order, one at a time. */
#ifndef ARC_EXCLUSIVE_H
#define ARC_EXCLUSIVE_H
#include "tasks/thread.h"

/* False: a conflicting task runs; this one is started once it may run. */
bool arc_exclusive_enter(struct arc_task *);
void arc_exclusive_leave(struct arc_thread *, struct arc_task *);

#endif
