/* One process from before its start until after its end: what `native.c` passes to the threads, and what they do with
 * it. */
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
  /* The file that its bytes come from if the store does not have the blob; empty: the store has it. */
  const char *source;
  bool put;
  /* Stat of the link before the start. */
  struct stat before;
};

/* A file that the process must write. */
struct output {
  const char *file;
  /* Path that it is copied to; empty: none. */
  const char *place;
  /* Mode; 0: that of a non-executable file, and an executable one is left to the caller. */
  mode_t mode;
  /* False: the output is left to the caller. */
  bool stored;
  /* The blob is new to the store. */
  bool added;
  bool placed;
  char digest[DIGEST_DIGITS + 1];
  off_t size;
  /* Stat of the copy at `place`. */
  struct stat stat;
};

/* The work around the process: preparing its sandbox before, taking its outputs after. */
struct errands {
  /* Folder of the blobs, and two folders for incomplete files: on the store's file system and on that of the places. */
  const char *blobs, *scratch, *place_scratch;
  const char *work, *temporary;
  struct link *links;
  struct output *outputs;
  /* Folders that `work` keeps, relative to it. */
  const char **folders;
  int link_count, output_count, folder_count;
  /* Exit codes with which outputs are collected. */
  const int32_t *ok;
  int ok_count;
  /* Results: an input was written; the sandbox was tidied. */
  bool written, tidy;
};

struct child {
  /* Links of two lists: all children that have not ended, and those that wait for a thread. */
  struct child *next, *queued;
  int32_t id;
  const char *program, *folder;
  char **argv, **envp;
  int out, err;
  struct errands errands;
  /* Bytes that the process wrote to `err`. */
  off_t log;
  /* When start_child was called, and seconds until a thread took the child. */
  struct timespec requested;
  double waited;
  /* Start time as /proc has it: clock ticks since the machine started. */
  unsigned long long started;
  /* 0 before the start, -1 after the end. */
  pid_t pid;
  /* A signal that arrived before the start. */
  int early;
  /* Errno of what failed before or at the start; then nothing was done. */
  int error;
  int status;
  struct rusage usage;
  /* arc has looked for processes that the child left running. */
  bool swept;
  /* One allocation for everything that the pointers refer to. */
  void *memory;
};

/* Called on a thread for each child that ended, or could not be started. */
typedef void (*child_report)(struct child *);

/*
 * Makes a child from a request. `numbers`: id, out, err, the counts of arguments, variables, links, outputs, folders
 * and exit codes, then those codes. `texts`, each ended by NUL: program and folder, arguments, variables, the five
 * folders of the errands, blob, to and source of each link, file, place and octal mode of each output, the folders.
 * Returns NULL when out of memory, or when the request is malformed.
 */
struct child *make_child(const int32_t *numbers, size_t count, const char *texts, size_t bytes);
void free_child(struct child *);

/*
 * Starts the child on a free thread, or on a new one if none is free. With `ahead` it waits while all threads are busy,
 * and starts the moment one of their children is over. Returns an errno; then the child still belongs to the caller.
 */
int start_child(struct child *, child_report, bool ahead);
/* While held, no child starts and none that ended is reaped. */
void hold_children(void);
void release_children(void);
/* Whether `is` holds for any child that has not ended. */
bool any_child(bool (*is)(const struct child *, const void *), const void *about);
/* Sends a signal to the child's whole group; if it has not started, right after its start. */
void kill_child(int32_t id, int signal);
/* Sends a signal to all groups. For signal handlers: takes no lock that the same thread may hold. */
void end_children(int signal);

/* Lays all links; returns an errno, and then none of them exists. */
int lay_links(struct errands *);
/* Sets `written` if the process wrote to a blob; gives blobs their mode back. */
void check_inputs(struct errands *);
void take_outputs(struct errands *);
/* Empties the sandbox except for the folders; sets `tidy` if that succeeded. */
void tidy_room(struct errands *);
/* Whether SHA-256 is available: it is taken from the running program. */
bool has_sha256(void);
void sha256(const void *bytes, size_t count, unsigned char digest[DIGEST_DIGITS / 2]);
/* Digest of a file; returns its size, or -1 when it cannot be read. */
off_t sha256_file(const char *path, unsigned char digest[DIGEST_DIGITS / 2]);
/* Whether a path is a file whose bytes have the digest that it is named after; if so, fills its time of last access. */
bool is_blob(const char *path, struct timespec *used);

/* Makes orphans of this process' descendants children of its main thread, or of init again. */
void adopt_orphans(bool);

/* signals.c: call the first after Node's own handlers were set, the second when JavaScript has received a signal. */
void watch_signals(void);
void heard_signal(void);
/* Whether the calling thread may have orphans; always true on other threads than the main one. */
bool may_have_orphans(void);
/* Kills what an ended child left running outside of its group, then calls `done`, all on another thread. Returns an
 * errno. */
int sweep_strays(struct child *, child_report done);

/* A point where tests let the machine fail; see fault.ts. */
void fault_point(const char *name);

#endif
