/* images.h: the image sets that exist for this program, and choosing one. */
#ifndef ARC_IMAGES_H
#define ARC_IMAGES_H
#include "device/device.h"
#include "image/image.h"
#include "report/text.h"

/* All images of one target and variant, from one place. */
struct arc_image_set {
  char *target, *variant, *backend;
  const char *place; /* "$ARC_IMAGES", "beside the executable", "in the executable" */
  struct arc_image **images;
  size_t count;
  char *damage; /* what is wrong with a file of the set; NULL: nothing */
};

/*
 * The set to run on a device whose back end `fits`: $ARC_TARGET and $ARC_DEVICE narrow it, the first place
 * that has such a set decides. Of sets for several back ends the first back end that has a device is taken, in the order
 * of arc_backends. NULL: there is none. More than one left is an error.
 */
const struct arc_image_set *arc_images_choose(const arc_site *,
                                              bool (*fits)(const char *backend, const void *wanted),
                                              const void *wanted);
/* A paragraph for messages: what exists, and how to choose. */
void arc_images_describe(struct arc_text *);
/* The region of that name in a set; *image is the one that holds it. NULL: none. */
const struct arc_region_record *arc_images_region(const struct arc_image_set *, const char *name,
                                                  const struct arc_image **image);
/* Does $ARC_DEVICE (or any kind, spelt like it) allow this back end? NULL allows every one. */
bool arc_images_kind_allows(const char *kind, const char *backend);
/* $ARC_DEVICE, else $ACC_DEVICE_TYPE, else what $OMP_TARGET_OFFLOAD means, in lower case; NULL when none is set. */
const char *arc_images_kind(void);
/* The variable that says so. */
const char *arc_images_kind_variable(void);

/* The image number `which`, from 0, that has the author's kernels of that name for the back end; NULL: there is none. */
const struct arc_image *arc_images_kernels(const char *backend, const char *name, size_t which);

#endif
