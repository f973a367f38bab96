/*
 * Preloaded into arc: the n-th call that changes or reads something below $DISK_FOLDER fails, and with DISK_LASTING
 * each call after it that can have this error, too. $DISK_CALLS is a file of two numbers, mapped and shared by all
 * processes of an arc: the calls so far, and how many of them failed. $DISK_LOG lists the calls. The programs that arc
 * starts have a good disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* What a call does: needs room, changes anything, reads, or needs a descriptor. */
enum { GROWS = 1, CHANGES = 2, READS = 4, OPENS = 8 };

static long *calls;
static long fails_at;
static int error, classes;
static bool lasts;
static int log_file = -1;
static const char *folder;

__attribute__((constructor)) static void prepare(void) {
  char self[PATH_MAX];
  ssize_t length = syscall(SYS_readlink, "/proc/self/exe", self, sizeof self - 1);
  const char *name = getenv("DISK_CALLS");
  if (length < 0 || name == NULL) return;
  self[length] = 0;
  const char *program = strrchr(self, '/');
  if (program == NULL || (strcmp(program, "/node") != 0 && strcmp(program, "/launcher") != 0)) return;
  error = atoi(getenv("DISK_ERROR"));
  fails_at = atol(getenv("DISK_FAILS_AT"));
  lasts = getenv("DISK_LASTING") != NULL;
  folder = getenv("DISK_FOLDER");
  classes = error == ENOSPC || error == EDQUOT ? GROWS
            : error == EROFS || error == EACCES ? CHANGES
            : error == EMFILE                   ? OPENS
                                                : GROWS | CHANGES | READS;
  int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC);
  void *all = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const char *log = getenv("DISK_LOG");
  if (log != NULL) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (all != MAP_FAILED) calls = all;
}

static bool is_inside(const char *path) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static bool fails(int class, const char *what, const char *path) {
  long call = __atomic_add_fetch(&calls[0], 1, __ATOMIC_SEQ_CST);
  if (log_file >= 0) {
    char row[PATH_MAX + 64];
    int length = snprintf(row, sizeof row, "%ld %d %s %s\n", call, class, what, path);
    syscall(SYS_write, log_file, row, length);
  }
  if ((class & classes) == 0 || fails_at == 0 || call < fails_at || (call > fails_at && !lasts)) return false;
  __atomic_add_fetch(&calls[1], 1, __ATOMIC_SEQ_CST);
  errno = error;
  return true;
}

static bool fails_fd(int class, const char *what, int file) {
  char link[64], path[PATH_MAX];
  if (calls == NULL) return false;
  int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = syscall(SYS_readlink, link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return false;
  path[length] = 0;
  return is_inside(path) && fails(class, what, path);
}

static bool fails_at_path(int class, const char *what, int at, const char *path) {
  char whole[2 * PATH_MAX], link[64], base[PATH_MAX];
  if (calls == NULL) return false;
  if (path[0] == '/') return is_inside(path) && fails(class, what, path);
  int before = errno;
  ssize_t length;
  if (at == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
  else snprintf(link, sizeof link, "/proc/self/fd/%d", at);
  length = syscall(SYS_readlink, link, base, sizeof base - 1);
  errno = before;
  if (length < 0) return false;
  base[length] = 0;
  snprintf(whole, sizeof whole, "%s/%s", base, path);
  return is_inside(whole) && fails(class, what, whole);
}

#define NEXT(name) static __typeof__(&name) next; if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int class_of_open(int flags) {
  return OPENS | ((flags & O_CREAT) != 0 ? GROWS | CHANGES : (flags & O_ACCMODE) != O_RDONLY ? CHANGES : READS);
}

#define OPEN(name)                                                                    \
  int name(const char *path, int flags, ...) {                                        \
    NEXT(name);                                                                       \
    va_list rest;                                                                     \
    va_start(rest, flags);                                                            \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;    \
    va_end(rest);                                                                     \
    if (fails_at_path(class_of_open(flags), "open", AT_FDCWD, path)) return -1;       \
    return next(path, flags, mode);                                                   \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                  \
  int name(int at, const char *path, int flags, ...) {                                \
    NEXT(name);                                                                       \
    va_list rest;                                                                     \
    va_start(rest, flags);                                                            \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;    \
    va_end(rest);                                                                     \
    if (fails_at_path(class_of_open(flags), "openat", at, path)) return -1;           \
    return next(at, path, flags, mode);                                               \
  }
OPENAT(openat)
OPENAT(openat64)

/* A disk that fills up takes the first half. */
ssize_t write(int file, const void *bytes, size_t count) {
  NEXT(write);
  if (fails_fd(GROWS | CHANGES, "write", file)) {
    int failed = errno;
    if (count > 1) next(file, bytes, count / 2);
    errno = failed;
    return -1;
  }
  return next(file, bytes, count);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  NEXT(pwrite64);
  return fails_fd(GROWS | CHANGES, "pwrite", file) ? -1 : next(file, bytes, count, offset);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  NEXT(writev);
  return fails_fd(GROWS | CHANGES, "writev", file) ? -1 : next(file, parts, count);
}
ssize_t read(int file, void *bytes, size_t count) {
  NEXT(read);
  return fails_fd(READS, "read", file) ? -1 : next(file, bytes, count);
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
  NEXT(pread64);
  return fails_fd(READS, "pread", file) ? -1 : next(file, bytes, count, offset);
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) {
  NEXT(sendfile64);
  return fails_fd(GROWS | CHANGES, "sendfile", to) ? -1 : next(to, from, offset, count);
}
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *at_to, size_t count, unsigned flags) {
  NEXT(copy_file_range);
  return fails_fd(GROWS | CHANGES, "copy_file_range", to) ? -1 : next(from, at, to, at_to, count, flags);
}
#define ONE_FILE(name, class)                                  \
  int name(int file) {                                              \
    NEXT(name);                                                     \
    return fails_fd(class, #name, file) ? -1 : next(file);          \
  }
ONE_FILE(fsync, GROWS)
ONE_FILE(fdatasync, GROWS)

int ftruncate64(int file, off64_t size) {
  NEXT(ftruncate64);
  return fails_fd(CHANGES, "ftruncate", file) ? -1 : next(file, size);
}
int fchmod(int file, mode_t mode) {
  NEXT(fchmod);
  return fails_fd(CHANGES, "fchmod", file) ? -1 : next(file, mode);
}
int chmod(const char *path, mode_t mode) {
  NEXT(chmod);
  return fails_at_path(CHANGES, "chmod", AT_FDCWD, path) ? -1 : next(path, mode);
}
int utimensat(int at, const char *path, const struct timespec times[2], int flags) {
  NEXT(utimensat);
  return fails_at_path(CHANGES, "utimensat", at, path) ? -1 : next(at, path, times, flags);
}
int futimens(int file, const struct timespec times[2]) {
  NEXT(futimens);
  return fails_fd(CHANGES, "futimens", file) ? -1 : next(file, times);
}
int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  return fails_at_path(GROWS | CHANGES, "mkdir", AT_FDCWD, path) ? -1 : next(path, mode);
}
int rmdir(const char *path) {
  NEXT(rmdir);
  return fails_at_path(CHANGES, "rmdir", AT_FDCWD, path) ? -1 : next(path);
}
int unlink(const char *path) {
  NEXT(unlink);
  return fails_at_path(CHANGES, "unlink", AT_FDCWD, path) ? -1 : next(path);
}
int unlinkat(int at, const char *path, int flags) {
  NEXT(unlinkat);
  return fails_at_path(CHANGES, "unlinkat", at, path) ? -1 : next(at, path, flags);
}
int link(const char *from, const char *to) {
  NEXT(link);
  return fails_at_path(GROWS | CHANGES, "link", AT_FDCWD, to) ? -1 : next(from, to);
}
int symlink(const char *text, const char *path) {
  NEXT(symlink);
  return fails_at_path(GROWS | CHANGES, "symlink", AT_FDCWD, path) ? -1 : next(text, path);
}
int rename(const char *from, const char *to) {
  NEXT(rename);
  return fails_at_path(GROWS | CHANGES, "rename", AT_FDCWD, to) ? -1 : next(from, to);
}
int renameat2(int at, const char *from, int at_to, const char *to, unsigned flags) {
  NEXT(renameat2);
  return fails_at_path(GROWS | CHANGES, "renameat2", at_to, to) ? -1 : next(at, from, at_to, to, flags);
}
char *mkdtemp(char *path) {
  NEXT(mkdtemp);
  return fails_at_path(GROWS | CHANGES, "mkdtemp", AT_FDCWD, path) ? NULL : next(path);
}
