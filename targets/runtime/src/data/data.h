/* data.h: data clauses within the runtime; those that programs call are in arcrt.h. */
#ifndef ARC_DATA_H
#define ARC_DATA_H
#include "device/device.h"

/* Fails unless all items, each ARC_PRESENT, are present. With the device's lock held. */
void arc_data_require(struct arc_device *, const arc_site *, size_t n, const arc_item *);

#endif
