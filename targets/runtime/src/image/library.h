/* library.h: images that are shared objects of this machine. */
#ifndef ARC_LIBRARY_H
#define ARC_LIBRARY_H
#include "image/image.h"

/* NULL, with arc_reason(), if there is none or it cannot be loaded. */
void *arc_library_load(const struct arc_image *);
/* An entry point of the type arc_host_kernel; NULL, with arc_reason(). */
void *arc_library_kernel(void *library, const char *name);

#endif
