/* arc_host_kernel.h: included by kernels of the host back end. */
#ifndef ARC_HOST_KERNEL_H
#define ARC_HOST_KERNEL_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Where a region calls through a pointer that leads to none of its functions. */
static inline void arc_no_function(const char *complaint) {
  fputs(complaint, stderr);
  abort();
}

/* The extent of the memory that an argument points into; 0 bytes: a value, or unknown. */
struct arc_host_extent {
  uint64_t start, bytes;
};

/* What a call of a kernel is to do. */
enum arc_host_part {
  ARC_WHOLE, /* the launch, with threads of its own */
  ARC_SHARE  /* called by all threads of a team: a share of the groups; returns when all are done */
};

/* A launch: its geometry from the image's launch record, and the extents of its arguments. */
struct arc_host_grid {
  int64_t grid[3];  /* groups */
  int64_t group[3]; /* work-items of a group */
  const struct arc_host_extent *extents; /* of each argument: for devices that have memory of their own */
  enum arc_host_part part;
};

/* An entry point: the element of a buffer is the device pointer, that of a value points to its bytes. */
typedef void arc_host_kernel(const struct arc_host_grid *, void *const *args);

/*
 * Before a function: it is compiled for each generation of x86-64's vector units, and the loader chooses the widest one
 * that the processor supports, so that a kernel runs on any machine. Not used if the options name a processor, nor with
 * other compilers or C libraries, which cannot choose at load time, nor with sanitizers, which do not support it.
 */
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__ && __GNUC__ >= 12 && !defined __AVX__ && \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define ARC_WIDEST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ARC_WIDEST
#endif

#endif
