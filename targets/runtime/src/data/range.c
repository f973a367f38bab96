/* range.c: the treap of address ranges. */
#include "data/range.h"

/* splitmix64: priorities must only be unrelated to the order of addresses. */
static uint64_t next_priority(struct arc_range_map *map) {
  uint64_t z = (map->seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

struct arc_range *arc_range_before(const struct arc_range_map *map, uint64_t address) {
  struct arc_range *best = NULL;
  for (struct arc_range *node = map->root; node;) {
    if (node->start <= address) {
      best = node;
      node = node->right;
    } else {
      node = node->left;
    }
  }
  return best;
}

struct arc_range *arc_range_after(const struct arc_range_map *map, uint64_t address) {
  struct arc_range *best = NULL;
  for (struct arc_range *node = map->root; node;) {
    if (node->start >= address) {
      best = node;
      node = node->left;
    } else {
      node = node->right;
    }
  }
  return best;
}

struct arc_range *arc_range_at(const struct arc_range_map *map, uint64_t address) {
  struct arc_range *node = arc_range_before(map, address);
  return node && address - node->start < node->size ? node : NULL;
}

struct arc_range *arc_range_touching(const struct arc_range_map *map, uint64_t start, uint64_t size) {
  struct arc_range *node = arc_range_at(map, start);
  if (node) return node;
  node = arc_range_after(map, start);
  return node && node->start - start < size ? node : NULL;
}

void arc_range_insert(struct arc_range_map *map, struct arc_range *range) {
  range->priority = next_priority(map);
  struct arc_range **place = &map->root;
  while (*place && (*place)->priority >= range->priority)
    place = range->start < (*place)->start ? &(*place)->left : &(*place)->right;
  /* Split what hangs here into what lies below and above the new range. */
  struct arc_range **below = &range->left, **above = &range->right;
  for (struct arc_range *node = *place; node;) {
    if (node->start < range->start) {
      *below = node;
      below = &node->right;
      node = node->right;
    } else {
      *above = node;
      above = &node->left;
      node = node->left;
    }
  }
  *below = *above = NULL;
  *place = range;
  map->count++;
}

void arc_range_remove(struct arc_range_map *map, struct arc_range *range) {
  struct arc_range **place = &map->root;
  while (*place && *place != range)
    place = range->start < (*place)->start ? &(*place)->left : &(*place)->right;
  if (!*place) return;
  struct arc_range *below = range->left, *above = range->right;
  while (below && above) {
    if (below->priority >= above->priority) {
      *place = below;
      place = &below->right;
      below = below->right;
    } else {
      *place = above;
      place = &above->left;
      above = above->left;
    }
  }
  *place = below ? below : above;
  map->count--;
}
