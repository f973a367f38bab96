/* images.h: the program's image sets, and choosing one. */
#ifndef ARC_IMAGES_H
#define ARC_IMAGES_H
#include "device/device.h"
#include "image/image.h"
#include "report/text.h"

/* All images of one target and variant from one location. */
struct arc_image_set {
  char *target, *variant, *backend;
  const char *place; /* "$ARC_IMAGES", "beside the executable", "in the executable" */
  struct arc_image **images;
  size_t count;
  char *damage; /* what is wrong with a file of the set; NULL: nothing */
};

/*
 * The set to run on a device whose back end `fits`: $ARC_TARGET and $ARC_DEVICE restrict it, and the first location
 * with such a set decides. Of sets for several back ends, the first back end with a device is used, in the order of
 * arc_backends. NULL: there is none. More than one remaining set is an error.
 */
const struct arc_image_set *arc_images_choose(const arc_site *,
                                              bool (*fits)(const char *backend, const void *wanted),
                                              const void *wanted);
/* A paragraph for messages: the existing sets, and how to choose one. */
void arc_images_describe(struct arc_text *);
/* The region of that name in a set; *image is the image that contains it. NULL: none. */
const struct arc_region_record *arc_images_region(const struct arc_image_set *, const char *name,
                                                  const struct arc_image **image);
/* Whether $ARC_DEVICE (or a word of the same syntax) allows this back end; NULL allows all. */
bool arc_images_kind_allows(const char *kind, const char *backend);
/* $ARC_DEVICE, else $ACC_DEVICE_TYPE, else the meaning of $OMP_TARGET_OFFLOAD, in lower case; NULL if none is set. */
const char *arc_images_kind(void);
/* The environment variable that decided it. */
const char *arc_images_kind_variable(void);

/* The `which`-th image, from 0, with the user-written kernels of that name for the back end; NULL if there is none. */
const struct arc_image *arc_images_kernels(const char *backend, const char *name, size_t which);

#endif
