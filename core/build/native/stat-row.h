/* A path's stamp in the form of a row in up-to-date.ts. */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>

static double milliseconds(struct timespec time) {
  /* The arithmetic of fs.Stats, so that both give the same doubles. */
  return (double)time.tv_sec * 1000.0 + (double)time.tv_nsec / 1e6;
}

/* Fills a row for a path relative to a folder: mtime and ctime in ms, size, inode. */
static void stat_row(int folder, const char *path, double row[4]) {
  struct stat found;
  if (fstatat(folder, path, &found, 0) == 0) {
    row[0] = milliseconds(found.st_mtim);
    row[1] = milliseconds(found.st_ctim);
    row[2] = (double)found.st_size;
    row[3] = (double)found.st_ino;
  } else {
    row[0] = row[1] = row[2] = 0;
    row[3] = errno == ENOENT || errno == ENOTDIR || errno == EACCES ? -1 : NAN;
  }
}
