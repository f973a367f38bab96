/*
 * For LD_PRELOAD: the kernel gives this process as many watches of folders as $FEW_WATCHES says, and none without an
 * instance, where that is negative.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/inotify.h>

static int left(void) {
  const char *most = getenv("FEW_WATCHES");
  return most == NULL ? 0 : atoi(most);
}

int inotify_init1(int flags) {
  if (left() < 0) return errno = EMFILE, -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "inotify_init1"))(flags);
}

int inotify_add_watch(int file, const char *path, uint32_t mask) {
  static int given;
  if (given >= left()) return errno = ENOSPC, -1;
  given++;
  return ((int (*)(int, const char *, uint32_t))dlsym(RTLD_NEXT, "inotify_add_watch"))(file, path, mask);
}
