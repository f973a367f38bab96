/*
 * counts.h: the reference counts of what is present. OpenACC counts each item of a directive. OpenMP counts a piece of
 * data once for each construct, however many list items name parts of it, and members of one structure that were mapped
 * by one construct together: these siblings come and go as one (OpenMP 5.2, section 5.8.3).
 */
#ifndef ARC_COUNTS_H
#define ARC_COUNTS_H
#include "arcrt.h"
#include "data/present.h"

/* The counting of one directive. */
struct arc_counting {
  uint64_t directive; /* its number on the device */
  bool structured;    /* which of the counts it moves */
};

struct arc_counting arc_count_directive(struct arc_device *, bool structured);
/* The directive made the entry. */
void arc_count_begin(const struct arc_counting *, struct arc_entry *);
bool arc_count_is_new(const struct arc_counting *, const struct arc_entry *);
void arc_count_join(struct arc_entry *, struct arc_entry *alone);
/* Takes the entry away from its siblings: one of them, or NULL. */
struct arc_entry *arc_count_leave(struct arc_entry *);

void arc_count_up(const struct arc_counting *, const arc_item *, struct arc_entry *);
void arc_count_down(const struct arc_counting *, const arc_item *, struct arc_entry *);
static inline bool arc_count_is_zero(const struct arc_entry *entry) {
  return !entry->structured && !entry->dynamic;
}

#endif
