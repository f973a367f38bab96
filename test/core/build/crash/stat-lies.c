/*
 * Preloaded into an arc that builds after a simulated loss of power: files that were laid out anew look as they did
 * before it (inode, times), and the machine has another boot. $STAT_LIES is a file of rows, mapped, which the test
 * rewrites between builds; a file that was changed since it was laid out has its own times again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Times in nanoseconds; the first two say which file it is. */
struct lie {
  int64_t inode, changed, as_inode, as_modified, as_changed;
};

static const int64_t *lies;

__attribute__((constructor)) static void read_lies(void) {
  const char *name = getenv("STAT_LIES");
  int file = name == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *all = mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, file, 0);
  if (all != MAP_FAILED) lies = all;
}

static const struct lie *lie_of(uint64_t inode, int64_t changed) {
  for (int64_t at = 0; lies != NULL && at < lies[0]; at++) {
    const struct lie *lie = (const struct lie *)(lies + 1) + at;
    if (lie->inode == (int64_t)inode && lie->changed == changed) return lie;
  }
  return NULL;
}

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }
static struct timespec timespec(int64_t time) { return (struct timespec){time / 1000000000, time % 1000000000}; }

static int lie(int answer, struct stat *found) {
  const struct lie *lie = answer == 0 ? lie_of(found->st_ino, nanoseconds(found->st_ctim)) : NULL;
  if (lie == NULL) return answer;
  found->st_ino = (ino_t)lie->as_inode;
  found->st_mtim = timespec(lie->as_modified);
  found->st_ctim = timespec(lie->as_changed);
  return answer;
}

int fstatat(int folder, const char *path, struct stat *found, int flags) {
  return lie((int)syscall(SYS_newfstatat, folder, path, found, flags), found);
}
int stat(const char *path, struct stat *found) { return fstatat(AT_FDCWD, path, found, 0); }
int lstat(const char *path, struct stat *found) { return fstatat(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW); }
int fstat(int file, struct stat *found) { return fstatat(file, "", found, AT_EMPTY_PATH); }
int fstatat64(int folder, const char *path, struct stat64 *found, int flags) {
  return fstatat(folder, path, (struct stat *)found, flags);
}
int stat64(const char *path, struct stat64 *found) { return stat(path, (struct stat *)found); }
int lstat64(const char *path, struct stat64 *found) { return lstat(path, (struct stat *)found); }
int fstat64(int file, struct stat64 *found) { return fstat(file, (struct stat *)found); }

static void lie_x(struct statx *found) {
  const struct lie *lie =
      lie_of(found->stx_ino, (int64_t)found->stx_ctime.tv_sec * 1000000000 + found->stx_ctime.tv_nsec);
  if (lie == NULL) return;
  found->stx_ino = (uint64_t)lie->as_inode;
  found->stx_mtime.tv_sec = lie->as_modified / 1000000000;
  found->stx_mtime.tv_nsec = (uint32_t)(lie->as_modified % 1000000000);
  found->stx_ctime.tv_sec = lie->as_changed / 1000000000;
  found->stx_ctime.tv_nsec = (uint32_t)(lie->as_changed % 1000000000);
}

static long (*next_syscall(void))(long, ...) {
  static long (*next)(long, ...);
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "syscall");
  return next;
}

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *found) {
  int answer = (int)next_syscall()(SYS_statx, folder, path, flags, mask, found);
  if (answer == 0) lie_x(found);
  return answer;
}

/* libuv asks so. */
long syscall(long number, ...) {
  long of[6];
  va_list rest;
  va_start(rest, number);
  for (int at = 0; at < 6; at++) of[at] = va_arg(rest, long);
  va_end(rest);
  long answer = next_syscall()(number, of[0], of[1], of[2], of[3], of[4], of[5]);
  if (number == SYS_statx && answer == 0) lie_x((struct statx *)of[4]);
  return answer;
}

static const char *other_boot(const char *path) {
  const char *boot = getenv("STAT_LIES_BOOT");
  return boot != NULL && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0 ? boot : path;
}

static int open_as(int folder, const char *path, int flags, mode_t mode) {
  return (int)next_syscall()(SYS_openat, folder, other_boot(path), flags, mode);
}

#define MODE_OF(flags, mode)                                                                                           \
  mode_t mode = 0;                                                                                                     \
  if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) {                                                     \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode = va_arg(rest, mode_t);                                                                                       \
    va_end(rest);                                                                                                      \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_as(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_as(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_as(folder, path, flags, mode);
}
