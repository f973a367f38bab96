/*
 * The work around a small action's process: inputs are linked into its sandbox, outputs are hashed, moved into the
 * store and copied to their places, and the sandbox is prepared for the next action. Only simple cases are handled
 * here; all others are left to staging.ts, store.ts, place.ts and sandbox.ts, which do the same work.
 */
#define _GNU_SOURCE
#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Larger files are not held in memory; for them the slower way through JavaScript is good enough. */
#define LARGEST (128 * 1024)
/* As in store.ts. */
#define BLOB_MODE 0555

/* The SHA-256 of Node's own OpenSSL, which uses the processor's instructions. */
struct sha256 {
  _Alignas(16) unsigned char state[256];
};
extern int SHA256_Init(struct sha256 *) __attribute__((weak));
extern int SHA256_Update(struct sha256 *, const void *, size_t) __attribute__((weak));
extern int SHA256_Final(unsigned char *, struct sha256 *) __attribute__((weak));

bool has_sha256(void) { return SHA256_Init != NULL && SHA256_Update != NULL && SHA256_Final != NULL; }

void sha256(const void *bytes, size_t count, unsigned char digest[DIGEST_DIGITS / 2]) {
  struct sha256 state;
  SHA256_Init(&state);
  SHA256_Update(&state, bytes, count);
  SHA256_Final(digest, &state);
}

/* Digest of an open file's bytes up to a size, or up to its end; returns their number, or -1 when they cannot be read. */
static off_t sha256_open(int file, off_t most, unsigned char digest[DIGEST_DIGITS / 2]) {
  char piece[64 * 1024];
  struct sha256 state;
  off_t size = 0;
  SHA256_Init(&state);
  while (size < most) {
    ssize_t got = read(file, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    SHA256_Update(&state, piece, (size_t)got);
    size += got;
  }
  SHA256_Final(digest, &state);
  return size;
}

off_t sha256_file(const char *path, unsigned char digest[DIGEST_DIGITS / 2]) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  off_t size = sha256_open(file, LLONG_MAX, digest);
  close(file);
  return size;
}

static void in_digits(const unsigned char raw[DIGEST_DIGITS / 2], char *text) {
  for (size_t at = 0; at < DIGEST_DIGITS / 2; at++) {
    *text++ = "0123456789abcdef"[raw[at] >> 4];
    *text++ = "0123456789abcdef"[raw[at] & 15];
  }
  *text = 0;
}

static void digest(const void *bytes, size_t count, char *text) {
  unsigned char raw[DIGEST_DIGITS / 2];
  sha256(bytes, count, raw);
  in_digits(raw, text);
}

bool is_blob(const char *path, struct timespec *used) {
  struct stat stat;
  unsigned char raw[DIGEST_DIGITS / 2];
  char text[DIGEST_DIGITS + 1];
  const char *name = strrchr(path, '/');
  /* Somebody may have put a named pipe there. */
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (name == NULL || file < 0) return false;
  /* Reading may change the time. */
  bool read = fstat(file, &stat) == 0 && S_ISREG(stat.st_mode) && sha256_open(file, stat.st_size, raw) == stat.st_size;
  close(file);
  if (!read) return false;
  in_digits(raw, text);
  *used = stat.st_atim;
  return strcmp(name + 1, text) == 0;
}

static _Thread_local char buffer[LARGEST + 1];

/* Reads a whole file into the buffer; returns its size, or -1 when it is too large or cannot be read. */
static ssize_t read_small(int file) {
  size_t count = 0;
  for (;;) {
    ssize_t got = read(file, buffer + count, sizeof buffer - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) return (ssize_t)count;
    count += (size_t)got;
    if (count == sizeof buffer) return -1;
  }
}

static bool write_whole(int file, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t put = write(file, bytes, count);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    count -= (size_t)put;
  }
  return true;
}

/* Writes the buffer to a new file; returns its descriptor, or -1. */
static int write_new(char *path, const char *folder, size_t count, mode_t mode) {
  static atomic_ulong names;
  unsigned long number = atomic_fetch_add(&names, 1);
  if (snprintf(path, PATH_MAX, "%s/.arc-%d-n%lu", folder, (int)getpid(), number) >= PATH_MAX) return -1;
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return -1;
  if (write_whole(file, buffer, count)) return file;
  close(file);
  unlink(path);
  return -1;
}

/* Whether a file's bytes equal the buffer. */
static bool holds(const char *path, size_t count) {
  char piece[4096];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  size_t at = 0;
  bool same = true;
  while (same) {
    ssize_t got = read(file, piece, sizeof piece);
    if (got <= 0) break;
    same = at + (size_t)got <= count && memcmp(buffer + at, piece, (size_t)got) == 0;
    at += (size_t)got;
  }
  close(file);
  return same && at == count;
}

/* Moves a file, whose bytes are in the buffer, to a blob's path. */
static bool admit(const char *file, const char *blob, size_t count, bool *added) {
  fault_point("native:store:before-rename");
  *added = true;
  int failed = renameat2(AT_FDCWD, file, AT_FDCWD, blob, RENAME_NOREPLACE) == 0 ? 0 : errno;
  if (failed == ENOENT) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", blob);
    *strrchr(folder, '/') = 0;
    mkdir(folder, 0777);
    failed = renameat2(AT_FDCWD, file, AT_FDCWD, blob, RENAME_NOREPLACE) == 0 ? 0 : errno;
  }
  if (failed == EEXIST && holds(blob, count)) {
    *added = false;
    failed = unlink(file) == 0 ? 0 : errno;
  } else if (failed != 0) {
    /* The existing blob is damaged, or the file system cannot tell. */
    failed = rename(file, blob) == 0 ? 0 : errno;
  }
  fault_point("native:store:after-rename");
  return failed == 0;
}

/* Stores the blob of a link if its source has the expected bytes. */
static int put_source(struct link *link, const char *scratch) {
  int file = open(link->source, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  ssize_t count = read_small(file);
  close(file);
  if (count < 0) return EFBIG;
  char text[DIGEST_DIGITS + 1], path[PATH_MAX];
  digest(buffer, (size_t)count, text);
  const char *name = strrchr(link->blob, '/');
  if (name == NULL || strcmp(name + 1, text) != 0) return ESTALE;
  int copy = write_new(path, scratch, (size_t)count, BLOB_MODE);
  if (copy < 0) return EIO;
  /* Whatever the umask: users may share a store. */
  fchmod(copy, BLOB_MODE);
  close(copy);
  if (admit(path, link->blob, (size_t)count, &link->put)) return 0;
  unlink(path);
  return EIO;
}

/* Lays one link; returns an errno, and then the link does not exist. */
static int lay_link(struct link *it, const char *scratch) {
  int failed = link(it->blob, it->to) == 0 ? 0 : errno;
  if (failed == ENOENT && *it->source != 0) {
    failed = put_source(it, scratch);
    if (failed == 0 && link(it->blob, it->to) != 0) failed = errno;
  }
  if (failed != 0 || lstat(it->to, &it->before) == 0) return failed;
  failed = errno;
  unlink(it->to);
  return failed;
}

int lay_links(struct errands *errands) {
  for (int at = 0; at < errands->link_count; at++) {
    int failed = lay_link(&errands->links[at], errands->scratch);
    if (failed == 0) continue;
    while (at > 0) unlink(errands->links[--at].to);
    return failed;
  }
  return 0;
}

static bool was_written(const struct link *link) {
  struct stat now;
  /* The blob itself: the process may have written through the link and then removed or replaced it. */
  if (lstat(link->blob, &now) != 0 || now.st_ino != link->before.st_ino) return false;
  /* Other actions read it. */
  if ((now.st_mode & 0777) != BLOB_MODE) chmod(link->blob, BLOB_MODE);
  return now.st_size != link->before.st_size || now.st_mtim.tv_sec != link->before.st_mtim.tv_sec ||
         now.st_mtim.tv_nsec != link->before.st_mtim.tv_nsec;
}

static void place(struct output *output, const char *scratch) {
  char path[PATH_MAX];
  int file = write_new(path, scratch, (size_t)output->size, output->mode == 0 ? 0644 : output->mode);
  if (file < 0) return;
  fault_point("native:place:before-rename");
  output->placed = rename(path, output->place) == 0;
  fault_point("native:place:after-rename");
  if (!output->placed) unlink(path);
  /* Take the stat again: renaming changed the change time. */
  else if (fstat(file, &output->stat) != 0) output->placed = false;
  close(file);
}

static void take(struct output *output, const struct errands *errands) {
  struct stat stat;
  int file = open(output->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  /* A file with further hard links also belongs to someone else. */
  bool ours = fstat(file, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_nlink == 1 && stat.st_size <= LARGEST;
  /* The caller decides about an executable output. */
  if (output->mode == 0 && (stat.st_mode & 0111) != 0) ours = false;
  ssize_t count = ours ? read_small(file) : -1;
  ours = count >= 0 && fchmod(file, BLOB_MODE) == 0;
  if (!ours) {
    close(file);
    return;
  }
  char blob[PATH_MAX];
  output->size = count;
  digest(buffer, (size_t)count, output->digest);
  int length = snprintf(blob, sizeof blob, "%s%.2s/%s", errands->blobs, output->digest, output->digest);
  output->stored = length < (int)sizeof blob && admit(output->file, blob, (size_t)count, &output->added);
  /* The caller, who tries next, must not take the blob's mode for what the process wrote. */
  if (!output->stored) fchmod(file, stat.st_mode & 07777);
  close(file);
  if (output->stored && *output->place != 0) place(output, errands->place_scratch);
}

void check_inputs(struct errands *errands) {
  for (int at = 0; at < errands->link_count; at++) errands->written |= was_written(&errands->links[at]);
}

void take_outputs(struct errands *errands) {
  for (int at = 0; at < errands->output_count; at++) take(&errands->outputs[at], errands);
}

static bool is_kept(const struct errands *errands, const char *path) {
  for (int at = 0; at < errands->folder_count; at++)
    if (strcmp(errands->folders[at], path) == 0) return true;
  return false;
}

/* Directory entry as the kernel returns it: readdir() makes more calls than are needed here. */
struct entry {
  uint64_t inode;
  int64_t next;
  uint16_t length;
  uint8_t type;
  char name[];
};

static bool empty(const struct errands *errands, int folder, const char *inside, int *kept);

/* Removes one entry of a folder, or the contents of a folder that is kept. */
static bool empty_entry(const struct errands *errands, int folder, const char *inside, const struct entry *entry,
                        int *kept) {
  const char *name = entry->name;
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return true;
  if (entry->type != DT_DIR) return entry->type != DT_UNKNOWN && unlinkat(folder, name, 0) == 0;
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s%s%s", inside, *inside == 0 ? "" : "/", name);
  if (length >= (int)sizeof path || !is_kept(errands, path)) return false;
  ++*kept;
  return empty(errands, openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), path, kept);
}

/* Removes the files in a folder and in the kept folders below it, which it counts. False: something else is there. */
static bool empty(const struct errands *errands, int folder, const char *inside, int *kept) {
  if (folder < 0) return false;
  _Alignas(struct entry) char entries[4096];
  bool good = true;
  for (;;) {
    long bytes = syscall(SYS_getdents64, folder, entries, sizeof entries);
    good = good && bytes >= 0;
    if (bytes <= 0) break;
    for (long at = 0; good && at < bytes;) {
      const struct entry *entry = (const struct entry *)(const void *)(entries + at);
      good = empty_entry(errands, folder, inside, entry, kept);
      at += entry->length;
    }
    if (!good) break;
  }
  close(folder);
  return good;
}

void tidy_room(struct errands *errands) {
  /* Outputs left to the caller must stay. */
  for (int at = 0; at < errands->output_count; at++)
    if (!errands->outputs[at].stored) return;
  /* O_NOFOLLOW, as the process may have put a link to a foreign folder there. */
  int kept = 0, none = 0, flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  struct errands temporary = {.folder_count = 0};
  errands->tidy = empty(errands, open(errands->work, flags), "", &kept) && kept == errands->folder_count &&
                  empty(&temporary, open(errands->temporary, flags), "", &none);
}
