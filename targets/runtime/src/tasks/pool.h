/*
 * pool.h: memory for tasks. A thread allocates from its own pool without a lock; memory that other threads free returns
 * to it.
 */
#ifndef ARC_POOL_H
#define ARC_POOL_H
#include <stdatomic.h>
#include <stddef.h>

enum { ARC_POOL_STEP = 64, ARC_POOL_SIZES = 16 };

struct arc_piece;

struct arc_pool {
  struct arc_piece *free[ARC_POOL_SIZES];
  _Atomic(struct arc_piece *) returned;
  char *fresh;
  size_t left;
};

void *arc_pool_take(struct arc_pool *, size_t bytes);
/* `here`: the calling thread's pool. */
void arc_pool_give(struct arc_pool *here, void *);

#endif
