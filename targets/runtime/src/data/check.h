/*
 * check.h: ARC_CHECK=transfers: reports transfers that move nothing new, that overwrite newer data, or that
 * are missing, while the program runs. All with the device's lock held, where not said otherwise.
 *
 * What host and device hold is compared with a snapshot of what they had in common after the last transfer:
 * no instrumented program is needed, and a write of the same value counts as no write. What the host reads is
 * seen where the program was built for it: arc_host_read (arcrt.h) then stands around its reads.
 */
#ifndef ARC_CHECK_H
#define ARC_CHECK_H
#include "data/present.h"
#include "data/transfer.h"

/* The checks that ARC_CHECK selects; needs no lock. */
enum { ARC_CHECKS_TRANSFERS = 1, ARC_CHECKS_KERNELS = 2, ARC_CHECKS_TASKS = 4 };
unsigned arc_checks(void);
static inline bool arc_checking(void) { return arc_checks() & ARC_CHECKS_TRANSFERS; }
/* True the first time for this directive and variable; repetitions are counted, with their bytes. Needs no lock. */
bool arc_check_is_new(const char *code, const arc_site *, const char *name, size_t bytes);
/* The device's current contents of a section, with host pointers in place of attached ones; to be freed. */
unsigned char *arc_check_device_bytes(struct arc_device *, struct arc_entry *, const void *host, size_t bytes);
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
/* The entry is about to be removed; `kept`: changes by kernels were copied out, or were not meant to be. */
void arc_check_removed(struct arc_device *, const struct arc_transfer *, struct arc_entry *, bool kept);
void arc_check_free(struct arc_entry *);
/* The device is closed. */
void arc_check_close(struct arc_device *);
/* Prints how often each finding was repeated. */
void arc_check_summary(void);

#endif
