/*
 * attach.h: pointers inside mapped data (struct members, elements) whose device copies point to device
 * memory. Counted per pointer. All with the device's lock held.
 */
#ifndef ARC_ATTACH_H
#define ARC_ATTACH_H
#include "data/present.h"
#include "data/transfer.h"

/*
 * `at`: inside the pointer's target, which need not be present from its beginning. No effect if the pointer or its
 * target is not present.
 */
void arc_attach(struct arc_device *, struct arc_queue *, const arc_site *, const char *name, void **pointer,
                const void *at);
void arc_detach(struct arc_device *, struct arc_queue *, const arc_site *, const char *name, void **pointer,
                bool finalize);
/* The entry's device copy is freed; forgets the pointers attached inside. */
void arc_attach_forget(struct arc_device *, const struct arc_entry *);

/*
 * Transfers between host memory and its copy that leave attached pointers alone: each side keeps the
 * pointers that are valid there.
 */
void arc_attach_write(struct arc_device *, struct arc_queue *, const struct arc_transfer *,
                      struct arc_entry *, const void *host, size_t bytes);
void arc_attach_read(struct arc_device *, struct arc_queue *, const struct arc_transfer *,
                     struct arc_entry *, void *host, size_t bytes);
/* In `bytes`, a copy of a section's device data, replaces the device's pointers by the host's. */
void arc_attach_mask(struct arc_device *, unsigned char *bytes, const void *host, size_t size);
void arc_attach_close(struct arc_device *);

#endif
