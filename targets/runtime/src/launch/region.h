/* region.h: regions launched on a device, with their kernels. All with the device's lock held. */
#ifndef ARC_REGION_H
#define ARC_REGION_H
#include "device/device.h"
#include "data/globals.h"

/* Temporary memory of a launch, reused by launches that cannot overlap with it. */
struct arc_scratch {
  struct arc_scratch *next;
  struct arc_queue *queue;
  struct arc_buffer *buffers[];
};

struct arc_region {
  struct arc_region *next;
  const struct arc_region_record *record;
  const struct arc_image *image;
  void **kernels;
  bool signs; /* the code has the kernel `sign` of the record */
  const struct arc_global **globals;
  arc_item *items; /* of the globals that launches bring to the device if they are not there */
  size_t nitems;
  struct arc_scratch *free;
};

/*
 * Loads the region's image at its first launch. A region without an image, and an image that cannot be loaded, are
 * errors. From the second time on, `name` is identified by its address.
 */
struct arc_region *arc_region_find(struct arc_device *, const arc_site *, const char *name);
/*
 * Loads the first image of a device whose back end loads at once. The first kernel would otherwise wait for the OpenMP
 * library, about a millisecond. What cannot be loaded is an error of the launch that needs it, not of this.
 */
void arc_regions_open(struct arc_device *);
/* Unloads everything. */
void arc_regions_close(struct arc_device *);

/* Where the memory of an argument is looked for: `host` may point outside of it. */
static inline const void *arc_arg_at(const arc_arg *argument) {
  return argument->at ? argument->at : argument->host;
}

#endif
