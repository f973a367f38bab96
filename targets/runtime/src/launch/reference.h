/* reference.h: ARC_CHECK=kernels: compares the results of kernels with those of the host for the same data. */
#ifndef ARC_REFERENCE_H
#define ARC_REFERENCE_H
#include "arcrt.h"

/* A region is launched: reports, once, that the program was not built for comparison. */
void arc_reference_launched(const arc_site *);

#endif
