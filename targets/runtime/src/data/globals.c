/* globals.c: constructors register variables before any device is known; regions find them at their first
 * launch. */
#include "data/globals.h"
#include "data/memory.h"
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arc_global *globals;

void arc_register_global(const char *key, const char *name, void *host, size_t size) {
  struct arc_global *global = arc_allocate(sizeof *global);
  pthread_mutex_lock(&lock);
  *global = (struct arc_global){globals, key, name, host, size};
  globals = global;
  pthread_mutex_unlock(&lock);
}

const struct arc_global *arc_global_find(const char *key) {
  pthread_mutex_lock(&lock);
  const struct arc_global *global = globals;
  while (global && strcmp(global->key, key) != 0) global = global->next;
  pthread_mutex_unlock(&lock);
  return global;
}
