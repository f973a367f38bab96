/* declare.h: data of `declare` directives. */
#ifndef ARC_DECLARE_H
#define ARC_DECLARE_H
#include "device/device.h"

/* Maps the data that `declare` directives registered so far; called when a device is opened, with its lock held. */
void arc_declare_on(struct arc_device *);

#endif
