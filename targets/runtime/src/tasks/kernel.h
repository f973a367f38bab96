/* kernel.h: tasks whose body is a kernel that the program's author wrote. */
#ifndef ARC_TASKS_KERNEL_H
#define ARC_TASKS_KERNEL_H
#include "device/device.h"
#include "tasks/task.h"

/* On the device, or where NULL is given on one that its back end has; returns that when the kernel has ended. */
struct arc_device *arc_task_run_kernel(const struct arc_task *, const arc_task_kernel *, struct arc_device *);
/* Of those that its back end has. */
struct arc_device *arc_kernel_device(const arc_site *, const arc_task_kernel *, int ordinal);
/* The number of the one that the program asks for; -1: any. */
int arc_kernel_wanted(const struct arc_task *, const arc_task_kernel *);
/* Whether each of them has a task under way. */
bool arc_kernel_busy(const arc_task_kernel *);
/* Devices on which kernels of the kind can run; 0 with arc_reason(). */
int arc_task_devices(const char *backend);

#endif
