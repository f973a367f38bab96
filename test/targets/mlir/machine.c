/*
 * The operations of MLIR's dialect gpu on the CPU: one thread for each work-item of a group, groups one after the other.
 * All threads run the host function, and one of them does what has an effect there.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 256 };

static _Thread_local long tid, group_x, group_y;
static long grid_x, grid_y, size_x, size_y;
static pthread_barrier_t all, group;

long thread_id_x(void) { return tid % size_x; }
long thread_id_y(void) { return tid / size_x; }
long block_id_x(void) { return group_x; }
long block_id_y(void) { return group_y; }
long block_dim_x(void) { return size_x; }
long block_dim_y(void) { return size_y; }
long grid_dim_x(void) { return grid_x; }
long grid_dim_y(void) { return grid_y; }
void barrier(void) { pthread_barrier_wait(&group); }

static pthread_mutex_t updates = PTHREAD_MUTEX_INITIALIZER;
void lock(void) { pthread_mutex_lock(&updates); }
void unlock(void) { pthread_mutex_unlock(&updates); }

void launch(long gx, long gy, long sx, long sy) {
  pthread_barrier_wait(&all);
  if (tid == 0) {
    grid_x = gx, grid_y = gy, size_x = sx, size_y = sy;
    pthread_barrier_init(&group, NULL, sx * sy);
  }
  pthread_barrier_wait(&all);
}

/* Whether the thread is a work-item of the group. */
_Bool takes_part(long x, long y) {
  pthread_barrier_wait(&all);
  group_x = x, group_y = y;
  return tid < size_x * size_y;
}

void landed(void) { pthread_barrier_wait(&all); }

#define REDUCE(op, name, T, combined)                    \
  T all_reduce_##op##_##name(T own) {                    \
    static T every[THREADS];                             \
    every[tid] = own;                                    \
    barrier();                                           \
    T sum = every[0];                                    \
    for (long k = 1; k < size_x * size_y; k++) {         \
      T one = every[k];                                  \
      sum = combined;                                    \
    }                                                    \
    barrier();                                           \
    return sum;                                          \
  }
#define REDUCE_INTEGER(name, T)                          \
  REDUCE(add, name, T, sum + one) REDUCE(mul, name, T, sum * one) REDUCE(and, name, T, sum & one) \
  REDUCE(or, name, T, sum | one) REDUCE(xor, name, T, sum ^ one)                                  \
  REDUCE(max, name, T, sum < one ? one : sum) REDUCE(min, name, T, one < sum ? one : sum)
#define REDUCE_FLOAT(name, T)                            \
  REDUCE(add, name, T, sum + one) REDUCE(mul, name, T, sum * one)                                 \
  REDUCE(max, name, T, sum < one ? one : sum) REDUCE(min, name, T, one < sum ? one : sum)
REDUCE_INTEGER(i32, int)
REDUCE_INTEGER(i64, long)
REDUCE_FLOAT(f32, float)
REDUCE_FLOAT(f64, double)

struct memref {
  void *allocated, *aligned;
  long offset, size, stride;
};

static struct memref allocated(long n, int bytes) {
  static void *memory;
  pthread_barrier_wait(&all);
  if (tid == 0) memory = malloc(n * bytes);
  pthread_barrier_wait(&all);
  return (struct memref){memory, memory, 0, n, 1};
}

static void copied(void *to, const void *from, long bytes) {
  pthread_barrier_wait(&all);
  if (tid == 0) memcpy(to, from, bytes);
  pthread_barrier_wait(&all);
}

#define MEMORY(name, T)                                                                              \
  struct memref alloc_##name(long n) { return allocated(n, sizeof(T)); }                             \
  void memcpy_##name(T *a, T *to, long o, long n, long s, T *b, T *from, long p, long m, long t) {   \
    copied(to, from, n * sizeof(T));                                                                 \
  }                                                                                                  \
  void dealloc_##name(T *a, T *memory, long o, long n, long s) {                                     \
    pthread_barrier_wait(&all);                                                                      \
    if (tid == 0) free(memory);                                                                      \
  }
MEMORY(i8, char)
MEMORY(i16, short)
MEMORY(i32, int)
MEMORY(i64, long)
MEMORY(f32, float)
MEMORY(f64, double)

static void (*host)(void);

static void *work_item(void *number) {
  tid = (long)number;
  host();
  return NULL;
}

/* Runs a host function on all threads. */
void run(void (*function)(void)) {
  pthread_t threads[THREADS];
  host = function;
  pthread_barrier_init(&all, NULL, THREADS);
  for (long k = 0; k < THREADS; k++) pthread_create(&threads[k], NULL, work_item, (void *)k);
  for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
}
