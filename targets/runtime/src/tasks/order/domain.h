/*
 * domain.h: which tasks of one parent use which memory. Called only by the thread that runs the parent: completed tasks
 * are marked as such, and removed when a later call finds them.
 */
#ifndef ARC_DOMAIN_H
#define ARC_DOMAIN_H
#include "tasks/task.h"

struct arc_domain *arc_domain_open(void);
/* Called when all its tasks are complete. */
void arc_domain_close(struct arc_domain *);
void arc_domain_forget(struct arc_domain *);

/*
 * Makes `task` wait for all earlier tasks whose uses of the memory conflict with `part`.
 * `enters`: later tasks may wait for it; otherwise it only waits.
 */
void arc_domain_access(struct arc_domain *, struct arc_task *task, const struct arc_task_part *part, bool enters);

#endif
