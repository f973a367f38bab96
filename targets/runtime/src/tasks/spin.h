/* spin.h: a lock held for a few instructions. A thread that does not soon get it yields the processor. */
#ifndef ARC_SPIN_H
#define ARC_SPIN_H
#include <sched.h>
#include <stdatomic.h>

typedef atomic_int arc_spin;

static inline void arc_spin_lock(arc_spin *lock) {
  for (int tries = 0; atomic_exchange_explicit(lock, 1, memory_order_acquire); tries++)
    while (atomic_load_explicit(lock, memory_order_relaxed))
      if (++tries > 100) {
        sched_yield();
        tries = 0;
      }
}

static inline void arc_spin_unlock(arc_spin *lock) { atomic_store_explicit(lock, 0, memory_order_release); }

#endif
