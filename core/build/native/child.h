/* One process from before its start until after its end: what `native.c` hands over, and what threads do with it. */
#ifndef ARC_CHILD_H
#define ARC_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#define DIGEST_DIGITS 64

/* A blob that is linked into the sandbox. */
struct link {
  const char *blob, *to;
  /* Where its bytes come from if the store has none of it; empty: it has. */
  const char *source;
  bool put;
  /* Of the link before the start. */
  struct stat before;
};

/* A file that the process is to write. */
struct output {
  const char *file;
  /* Where it is copied to; empty: nowhere. */
  const char *place;
  /* 0: that of a file which cannot be executed; one that can is left to the caller. */
  mode_t mode;
  /* False: all of it is left to the caller. */
  bool stored;
  /* New to the store. */
  bool added;
  bool placed;
  char digest[DIGEST_DIGITS + 1];
  off_t size;
  /* Of the place. */
  struct stat stat;
};

/* What is done around the process, in a sandbox of its own. */
struct errands {
  /* Folder of the blobs, and two for files that are not whole yet: on the store's file system, and on the place's. */
  const char *blobs, *scratch, *place_scratch;
  const char *work, *temporary;
  struct link *links;
  struct output *outputs;
  /* That `work` is to keep, relative to it. */
  const char **folders;
  int link_count, output_count, folder_count;
  /* Exit codes after which outputs are taken. */
  const int32_t *ok;
  int ok_count;
  /* Afterwards. */
  bool written, tidy;
};

struct child {
  /* Of all that have not ended, and of those that wait for a thread. */
  struct child *next, *queued;
  int32_t id;
  const char *program, *folder;
  char **argv, **envp;
  int out, err;
  struct errands errands;
  /* Bytes that the process wrote to `err`. */
  off_t log;
  /* When it was given to start_child, and seconds until a thread took it. */
  struct timespec asked;
  double waited;
  /* When it was started, as /proc counts: clock ticks since the machine's start. */
  unsigned long long started;
  /* 0 before the start, -1 after the end. */
  pid_t pid;
  /* A signal that came before the start. */
  int early;
  /* Errno of what could not be done before or at the start; then nothing was done. */
  int error;
  int status;
  struct rusage usage;
  /* What it left running was looked for. */
  bool swept;
  /* All that the pointers point to. */
  void *memory;
};

/* Called by a thread for each child that ended, or could not be started. */
typedef void (*child_report)(struct child *);

/*
 * Makes a child of a request: `numbers` are id, out, err, and the counts of arguments, variables, links, outputs,
 * folders and exit codes, then those codes; `texts` are NUL-ended: program and folder, arguments, variables, the five
 * folders of the errands, blob, to and source of each link, file, place and octal mode of each output, the folders.
 * NULL without memory, or when the request does not hold what it says.
 */
struct child *make_child(const int32_t *numbers, size_t count, const char *texts, size_t bytes);
void free_child(struct child *);

/*
 * Starts it when a thread is free, and adds one if none is; `ahead`: not while others have children to tend, so that it
 * starts the moment that one of those is over. Returns an errno; then the child is still the caller's.
 */
int start_child(struct child *, child_report, bool ahead);
/* While this is held none starts, and none that is over is waited for. */
void hold_children(void);
void release_children(void);
/* Whether there is one that has not ended for which `is` says so. */
bool any_child(bool (*is)(const struct child *, const void *), const void *about);
/* Sends a signal to its whole group; before its start, right after it. */
void kill_child(int32_t id, int signal);
/* To all groups, from a signal handler: without waiting for a lock that this very thread may hold. */
void end_children(int signal);

/* Lays the links; returns an errno, and then none is there. */
int lay_links(struct errands *);
/* Takes the outputs in, unless an input was written. */
void take_outputs(struct errands *);
/* Leaves nothing in the sandbox but the folders; `tidy` says whether that was done. */
void tidy_room(struct errands *);
/* Whether there is a SHA-256: the running program's. */
bool has_sha256(void);
void sha256(const void *bytes, size_t count, unsigned char digest[DIGEST_DIGITS / 2]);
/* Of a file; returns its size, or -1 when it cannot be read. */
off_t sha256_file(const char *path, unsigned char digest[DIGEST_DIGITS / 2]);

/* From now on orphans of this process' descendants become children of its main thread, or of init again. */
void adopt_orphans(bool);

/* signals.c: after Node's own handlers were set; and when JavaScript was told. */
void watch_signals(void);
void heard_signal(void);
/* Whether the calling thread may have any; true where it is not the main one. */
bool may_have_orphans(void);
/* Kills what an ended child left running outside of its group, then calls `done`: on another thread. Returns an errno. */
int sweep_strays(struct child *, child_report done);

/* A point where tests let the machine fail; see fault.ts. */
void fault_point(const char *name);

#endif
