/*
 * present.h: which host memory has a copy on the device. Ranges are found by any address inside them.
 * All with the device's lock held.
 */
#ifndef ARC_PRESENT_H
#define ARC_PRESENT_H
#include "device/device.h"
#include "data/memory.h"

/* arc_entry.dynamic of data that stays until the program ends (acc_map_data, declare). */
#define ARC_FOREVER UINT32_MAX

/* The last operation of a queue that uses an entry. */
struct arc_use {
  const struct arc_queue *queue; /* NULL: none */
  uint64_t operation;
};
enum { arc_uses = 4 };

/* A range of host memory and its copy. */
struct arc_entry {
  struct arc_range range;        /* host addresses */
  struct arc_place place;        /* of the range's first byte; no buffer: nothing has needed it */
  uint32_t structured;           /* data regions it is in now */
  uint32_t dynamic;              /* enter data minus exit data */
  uint64_t made, counted;        /* counts.c's: directives that made it and counted it last */
  struct arc_entry *sibling;     /* counts.c's: a ring of what is counted together */
  bool owned;                    /* the copy is freed with the entry; false: acc_map_data, declare, unified */
  bool unified;                  /* the copy is the host memory itself: no transfers */
  struct arc_buffer *allocation; /* unified memory that goes with the entry; else NULL */
  struct arc_check *check;       /* check.c's; NULL: not checked */
  uint64_t base;                 /* what the section's indices count from, if that may lie outside of it; else 0 */
  const char *name;              /* as first mapped */
  arc_site site;                 /* where it was first mapped */
  struct arc_use uses[arc_uses]; /* by queues of async numbers */
};

struct arc_present {
  uint64_t directives;              /* so far */
  struct arc_range_map entries;
  struct arc_range_map empties;     /* sections of no bytes: nothing is mapped, but kernels may name them */
  struct arc_range_map parts;       /* sections of which only a part is present, by their start */
  struct arc_range_map attachments; /* attach.c's */
  struct arc_range_map remembered;  /* check.c's */
};

/* The entry that holds the address, or NULL. */
static inline struct arc_entry *arc_present_at(const struct arc_device *device, const void *host) {
  return (struct arc_entry *)arc_range_at(&device->present->entries, (uintptr_t)host);
}
/* The entry that ends where the address is, or NULL. */
struct arc_entry *arc_present_before(const struct arc_device *, const void *host);
/* The entry that holds the whole section, NULL if none of it is present; part of it: an error. */
struct arc_entry *arc_present_section(struct arc_device *, const arc_site *, const char *name,
                                      const void *host, size_t bytes);
/* The same, but NULL for a part, too. */
struct arc_entry *arc_present_whole(struct arc_device *, const void *host, size_t bytes);
/* The entry that holds all of the section that is present, NULL if nothing is; several pieces: an error. */
struct arc_entry *arc_present_piece(struct arc_device *, const arc_site *, const char *name, const void *host,
                                    size_t bytes);
/* The same for members of a structure: the first and the last one must be present, at least in part. */
struct arc_entry *arc_present_members(struct arc_device *, const arc_site *, const char *name, const void *host,
                                      size_t bytes, const arc_ends *);
/*
 * The entry for a pointer that leads to no data that is present: that of a section which was mapped through it, though
 * it begins elsewhere, or else what is present of the `bytes` that it leads to. NULL if there is none.
 */
struct arc_entry *arc_present_beside(struct arc_device *, const arc_site *, const char *name, const void *host,
                                     size_t bytes);
/*
 * The entry of a section that was mapped through a pointer of this value, or NULL. Ends the program if there are several
 * and the device has memory of its own.
 */
struct arc_entry *arc_present_based(struct arc_device *, const arc_site *, const char *name, const void *base);
/* Address of a byte's copy. If the entry has no memory yet, it is allocated now, for work in the queue. */
struct arc_place arc_present_place(struct arc_device *, struct arc_queue *, struct arc_entry *,
                                   const void *host);
/*
 * No part of the section may be present. The place's memory belongs to the entry if owned; without a buffer it is
 * allocated when needed.
 */
struct arc_entry *arc_present_insert(struct arc_device *, const arc_site *, const char *name,
                                     const void *host, size_t bytes, struct arc_place, bool owned);
/*
 * Called before an entry is removed: warns of each queue whose work still uses the entry, though nothing says that the
 * directive comes after that work, and waits for it. Memory would be freed under a running kernel otherwise.
 */
void arc_present_await(struct arc_device *, struct arc_queue *, const arc_site *, struct arc_entry *);
/* Removes the entry; its memory is released when the queue's work so far is done. */
void arc_present_remove(struct arc_device *, struct arc_queue *, struct arc_entry *);

void arc_present_empty_enter(struct arc_device *, const void *host);
void arc_present_empty_exit(struct arc_device *, const void *host);
bool arc_present_is_empty(const struct arc_device *, const void *host);

/* A section that starts at `host` stands for its part in the entry until the exit. */
void arc_present_part_enter(struct arc_device *, const void *host, const struct arc_entry *);
void arc_present_part_exit(struct arc_device *, const void *host);
/* The entry of such a section, or NULL. */
struct arc_entry *arc_present_part(const struct arc_device *, const void *host);

_Noreturn void arc_present_missing(struct arc_device *, const arc_site *, const char *name, const void *host,
                                   size_t bytes);
void arc_present_close(struct arc_device *);

#endif
