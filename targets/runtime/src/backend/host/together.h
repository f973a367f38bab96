/* together.h: concurrent kernels on this machine's processor that wait for each other. */
#ifndef ARC_TOGETHER_H
#define ARC_TOGETHER_H
#include "device/device.h"

/* Returns when all have ended. The kernels are of the type struct arc_host_code; places must have their addresses. */
bool arc_together_run(size_t count, const struct arc_start *);

#endif
