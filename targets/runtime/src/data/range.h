/*
 * range.h: an ordered map of address ranges that do not overlap, found by any address inside them.
 * A treap whose nodes live inside the things they find: no allocation, O(log n) expected.
 */
#ifndef ARC_RANGE_H
#define ARC_RANGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arc_range {
  uint64_t start;
  uint64_t size; /* bytes; at least 1 while in a map */
  struct arc_range *left, *right;
  uint64_t priority;
};

struct arc_range_map {
  struct arc_range *root;
  uint64_t seed;
  size_t count;
};

/* The range that `address` lies in, or NULL. */
struct arc_range *arc_range_at(const struct arc_range_map *, uint64_t address);
/* The last range that starts at or before `address`, or NULL. */
struct arc_range *arc_range_before(const struct arc_range_map *, uint64_t address);
/* The first range that starts at or after `address`, or NULL. */
struct arc_range *arc_range_after(const struct arc_range_map *, uint64_t address);
/* The first range that shares a byte with [start, start + size), or NULL. */
struct arc_range *arc_range_touching(const struct arc_range_map *, uint64_t start, uint64_t size);
/* Whether all of [start, start + size) lies in the range. */
static inline bool arc_range_holds(const struct arc_range *range, uint64_t start, uint64_t size) {
  return start >= range->start && start - range->start <= range->size && size <= range->size - (start - range->start);
}
/* The range must not overlap another one of the map. */
void arc_range_insert(struct arc_range_map *, struct arc_range *);
void arc_range_remove(struct arc_range_map *, struct arc_range *);

#endif
