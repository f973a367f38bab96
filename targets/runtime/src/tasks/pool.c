/* pool.c: memory for tasks. */
#include "tasks/pool.h"
#include "report/error.h"
#include <stdlib.h>

struct arc_piece {
  struct arc_pool *owner; /* NULL: from malloc */
  struct arc_piece *next;
  size_t size; /* index of the free list */
  size_t unused;
};

enum { CHUNK = 1 << 16 };

static void put(struct arc_pool *pool, struct arc_piece *piece) {
  piece->next = pool->free[piece->size];
  pool->free[piece->size] = piece;
}

static void fetch_returned(struct arc_pool *pool) {
  struct arc_piece *piece = atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);
  while (piece) {
    struct arc_piece *next = piece->next;
    put(pool, piece);
    piece = next;
  }
}

void *arc_pool_take(struct arc_pool *pool, size_t bytes) {
  size_t total = sizeof(struct arc_piece) + bytes;
  size_t size = (total + ARC_POOL_STEP - 1) / ARC_POOL_STEP;
  if (size >= ARC_POOL_SIZES) {
    struct arc_piece *piece = arc_resize(NULL, total);
    *piece = (struct arc_piece){0};
    return piece + 1;
  }
  if (!pool->free[size]) fetch_returned(pool);
  struct arc_piece *piece = pool->free[size];
  if (piece) {
    pool->free[size] = piece->next;
    return piece + 1;
  }
  total = size * ARC_POOL_STEP;
  if (pool->left < total) {
    pool->fresh = arc_resize(NULL, CHUNK);
    pool->left = CHUNK;
  }
  piece = (struct arc_piece *)pool->fresh;
  pool->fresh += total;
  pool->left -= total;
  *piece = (struct arc_piece){pool, NULL, size, 0};
  return piece + 1;
}

void arc_pool_give(struct arc_pool *here, void *memory) {
  struct arc_piece *piece = (struct arc_piece *)memory - 1;
  struct arc_pool *owner = piece->owner;
  if (!owner) {
    free(piece);
  } else if (owner == here) {
    put(here, piece);
  } else {
    piece->next = atomic_load_explicit(&owner->returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&owner->returned, &piece->next, piece, memory_order_release,
                                                  memory_order_relaxed)) {
    }
  }
}
