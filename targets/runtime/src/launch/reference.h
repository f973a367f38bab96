/* reference.h: ARC_CHECK=kernels: what kernels make is compared with what the host makes of the same data. */
#ifndef ARC_REFERENCE_H
#define ARC_REFERENCE_H
#include "arcrt.h"

/* A region is launched: names, once, a program that was not built to be compared. */
void arc_reference_launched(const arc_site *);

#endif
