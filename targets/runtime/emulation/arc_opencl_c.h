/* arc_opencl_c.h: OpenCL C as GNU C, as far as single work-item kernels go. */
#ifndef ARC_OPENCL_C_H
#define ARC_OPENCL_C_H
#include <stdlib.h>
#include <tgmath.h>

#define __kernel
#define __global
#define __constant const
#define __private
#define __local static
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif
