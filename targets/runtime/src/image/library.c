/*
 * library.c: images that are shared objects. A module is the result of dlopen. It is never closed, since the OpenMP
 * runtime loaded with it has threads. Its file stays open, too: dlopen identifies libraries by path, and the path
 * contains the file descriptor.
 */
#define _GNU_SOURCE
#include "image/library.h"
#include "report/error.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool write_all(int file, const unsigned char *bytes, size_t size) {
  while (size) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

/* An in-memory file if the system supports them, else one in the temporary folder; opened through *path. */
static int library_file(char *path, size_t room) {
  int file = memfd_create("arc-image", MFD_CLOEXEC);
  if (file >= 0) {
    snprintf(path, room, "/proc/self/fd/%d", file);
    return file;
  }
  const char *folder = getenv("TMPDIR");
  snprintf(path, room, "%s/arc-image-XXXXXX", folder && *folder ? folder : "/tmp");
  return mkostemp(path, O_CLOEXEC);
}

void *arc_library_load(const struct arc_image *image) {
  const struct arc_payload *payload = arc_image_payload(image, "so");
  if (!payload) {
    arc_because("the image has no payload of the kind 'so'");
    return NULL;
  }
  char path[4096];
  int file = library_file(path, sizeof path);
  if (file < 0 || !write_all(file, payload->bytes, payload->size)) {
    arc_because("its shared object cannot be written to %s: %s", path, strerror(errno));
    if (file >= 0) close(file);
    return NULL;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    arc_because("%s", dlerror());
    close(file);
    return NULL;
  }
  if (strncmp(path, "/proc/", 6) != 0) unlink(path);
  return library;
}

void *arc_library_kernel(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) arc_because("%s", dlerror());
  return function;
}
