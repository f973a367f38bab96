/*
 * domain.h: which tasks of one parent use which memory. Only the thread that runs the parent calls it: that tasks
 * complete shows in the tasks themselves, and they are forgotten when they are next come across.
 */
#ifndef ARC_DOMAIN_H
#define ARC_DOMAIN_H
#include "tasks/task.h"

struct arc_domain *arc_domain_open(void);
/* All its tasks are complete. */
void arc_domain_close(struct arc_domain *);
void arc_domain_forget(struct arc_domain *);

/*
 * `task` waits for all earlier tasks that use some of the memory in a way that does not commute with `part`.
 * `enters`: later tasks find it; else it only waits.
 */
void arc_domain_access(struct arc_domain *, struct arc_task *task, const struct arc_task_part *part, bool enters);

#endif
