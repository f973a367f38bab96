/*
 * instrumented.c: the functions called by code compiled with -fsanitize=thread: one for each load, store and atomic
 * operation. Programs linked with the thread sanitizer use its functions instead of this file.
 */
#include "watch/suspects.h"
#include <stdatomic.h>

#define DECLARED(result, name, parameters) \
  result name parameters;                  \
  result name parameters

#define ACCESSES(size)                                                                                              \
  DECLARED(void, __tsan_read##size, (uintptr_t address)) { arc_suspect_access(address, size, false); }               \
  DECLARED(void, __tsan_write##size, (uintptr_t address)) { arc_suspect_access(address, size, true); }               \
  DECLARED(void, __tsan_volatile_read##size, (uintptr_t address)) { arc_suspect_access(address, size, false); }      \
  DECLARED(void, __tsan_volatile_write##size, (uintptr_t address)) { arc_suspect_access(address, size, true); }
#define UNALIGNED(size)                                                                                             \
  DECLARED(void, __tsan_unaligned_read##size, (uintptr_t address)) { arc_suspect_access(address, size, false); }     \
  DECLARED(void, __tsan_unaligned_write##size, (uintptr_t address)) { arc_suspect_access(address, size, true); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

DECLARED(void, __tsan_read_range, (uintptr_t address, size_t size)) { arc_suspect_access(address, size, false); }
DECLARED(void, __tsan_write_range, (uintptr_t address, size_t size)) { arc_suspect_access(address, size, true); }
DECLARED(void, __tsan_func_entry, (void *caller)) { (void)caller; }
DECLARED(void, __tsan_func_exit, (void)) {}
DECLARED(void, __tsan_init, (void)) {}
DECLARED(void, __tsan_atomic_thread_fence, (int order)) {
  (void)order;
  atomic_thread_fence(memory_order_seq_cst);
}
DECLARED(void, __tsan_atomic_signal_fence, (int order)) {
  (void)order;
  atomic_signal_fence(memory_order_seq_cst);
}

#define SEEN(address, writes) arc_suspect_access((uintptr_t)(address), sizeof *(address), writes)
#define FETCH(bits, type, what)                                                                                     \
  DECLARED(type, __tsan_atomic##bits##_fetch_##what, (volatile type *at, type value, int order)) {                  \
    (void)order;                                                                                                    \
    SEEN(at, true);                                                                                                 \
    return __atomic_fetch_##what(at, value, __ATOMIC_SEQ_CST);                                                      \
  }
#define EXCHANGE(bits, type, strength, weak)                                                                        \
  DECLARED(int, __tsan_atomic##bits##_compare_exchange_##strength,                                                  \
           (volatile type *at, type *expected, type value, int order, int otherwise)) {                             \
    (void)order, (void)otherwise;                                                                                   \
    SEEN(at, true);                                                                                                 \
    return __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);              \
  }
#define ATOMICS(bits, type)                                                                                         \
  DECLARED(type, __tsan_atomic##bits##_load, (const volatile type *at, int order)) {                                \
    (void)order;                                                                                                    \
    SEEN(at, false);                                                                                                \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                                   \
  }                                                                                                                 \
  DECLARED(void, __tsan_atomic##bits##_store, (volatile type *at, type value, int order)) {                         \
    (void)order;                                                                                                    \
    SEEN(at, true);                                                                                                 \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                  \
  }                                                                                                                 \
  DECLARED(type, __tsan_atomic##bits##_exchange, (volatile type *at, type value, int order)) {                      \
    (void)order;                                                                                                    \
    SEEN(at, true);                                                                                                 \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                                 \
  DECLARED(type, __tsan_atomic##bits##_compare_exchange_val,                                                        \
           (volatile type *at, type expected, type value, int order, int otherwise)) {                              \
    (void)order, (void)otherwise;                                                                                   \
    SEEN(at, true);                                                                                                 \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                   \
    return expected;                                                                                                \
  }                                                                                                                 \
  FETCH(bits, type, add)                                                                                            \
  FETCH(bits, type, sub)                                                                                            \
  FETCH(bits, type, and)                                                                                            \
  FETCH(bits, type, or)                                                                                             \
  FETCH(bits, type, xor)                                                                                            \
  FETCH(bits, type, nand)                                                                                           \
  EXCHANGE(bits, type, strong, false)                                                                               \
  EXCHANGE(bits, type, weak, true)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
