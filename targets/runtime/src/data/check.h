/*
 * check.h: ARC_CHECK=transfers: reports transfers that move nothing new, that overwrite newer data, or that
 * are missing, while the program runs. All with the device's lock held.
 *
 * What host and device hold is compared with a snapshot of what they had in common after the last transfer:
 * no instrumented program is needed, and a write of the same value counts as no write. What the host reads
 * cannot be seen.
 */
#ifndef ARC_CHECK_H
#define ARC_CHECK_H
#include "data/present.h"
#include "data/transfer.h"

bool arc_checking(void);
/* A new entry, before anything is transferred to it. */
void arc_check_created(struct arc_device *, struct arc_entry *);
/* Before a section is transferred. `first`: it is the transfer of a new entry. */
void arc_check_write(struct arc_device *, const struct arc_transfer *, struct arc_entry *, const void *host,
                     size_t bytes, bool first);
void arc_check_read(struct arc_device *, const struct arc_transfer *, struct arc_entry *, const void *host,
                    size_t bytes);
/* After it was queued. */
void arc_check_moved(struct arc_device *, struct arc_entry *, const void *host, size_t bytes);
/* A kernel is about to get the entry as an argument. */
void arc_check_kernel(struct arc_device *, const arc_site *, struct arc_entry *);
/* The entry is about to go away; `kept`: what kernels changed was copied out, or was not meant to be. */
void arc_check_removed(struct arc_device *, const struct arc_transfer *, struct arc_entry *, bool kept);
void arc_check_free(struct arc_entry *);
/* The device is closed. */
void arc_check_close(struct arc_device *);
/* Prints how often each finding came again. */
void arc_check_summary(void);

#endif
