/* kernel.h: tasks whose body is a kernel that the program's author wrote. */
#ifndef ARC_TASKS_KERNEL_H
#define ARC_TASKS_KERNEL_H
#include "tasks/task.h"

/* On one of the devices that its back end has; returns when the kernel has ended. */
void arc_task_run_kernel(const struct arc_task *);
/* Devices on which kernels of the kind can run; 0 with arc_reason(). */
int arc_task_devices(const char *backend);

#endif
