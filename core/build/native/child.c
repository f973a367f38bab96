/*
 * Child processes and the threads that tend them. Each thread serves one child from before its start until after its
 * end, so that JavaScript never blocks and children proceed in parallel. Linux only; glibc 2.29 or later.
 */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
/* All children that have not ended. */
static struct child *children;
static struct child *first, **last = &first;
static int waiting, idle, busy;
static child_report report;
/* Held for reading while a process already is a child of this one but its `pid` is not known yet, or not any more. */
static pthread_rwlock_t births = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

/* State of reading a request. */
struct reader {
  char *at, *end;
  bool whole;
};

static const char *next_text(struct reader *reader) {
  char *text = reader->at;
  char *end = text < reader->end ? memchr(text, 0, (size_t)(reader->end - text)) : NULL;
  if (end == NULL) {
    reader->whole = false;
    return "";
  }
  reader->at = end + 1;
  return text;
}

static char **next_texts(struct reader *reader, char **list, int count) {
  for (int at = 0; at < count; at++) list[at] = (char *)next_text(reader);
  list[count] = NULL;
  return list;
}

enum { ID, OUT, ERR, ARGUMENTS, VARIABLES, LINKS, OUTPUTS, FOLDERS, CODES, NUMBERS };

struct child *make_child(const int32_t *numbers, size_t count, const char *texts, size_t bytes) {
  if (count < NUMBERS || count != NUMBERS + (size_t)numbers[CODES]) return NULL;
  for (int at = ARGUMENTS; at <= CODES; at++)
    if (numbers[at] < 0 || (size_t)numbers[at] > bytes + count) return NULL;
  size_t arguments = (size_t)numbers[ARGUMENTS], variables = (size_t)numbers[VARIABLES];
  size_t pointers = arguments + variables + (size_t)numbers[FOLDERS] + 3;
  size_t links = (size_t)numbers[LINKS] * sizeof(struct link), outputs = (size_t)numbers[OUTPUTS] * sizeof(struct output);
  size_t codes = (size_t)numbers[CODES] * sizeof(int32_t);
  struct child *child = calloc(1, sizeof *child);
  /* The parts with the strictest alignment come first. */
  char *memory = calloc(1, outputs + links + pointers * sizeof(char *) + codes + bytes + 1);
  if (child == NULL || memory == NULL) {
    free(child);
    free(memory);
    return NULL;
  }
  struct errands *errands = &child->errands;
  child->memory = memory;
  errands->outputs = (struct output *)(void *)memory;
  errands->links = (struct link *)(void *)(memory + outputs);
  char **lists = (char **)(void *)(memory + outputs + links);
  int32_t *ok = (int32_t *)(void *)(lists + pointers);
  char *copy = (char *)ok + codes;
  if (codes > 0) memcpy(ok, numbers + NUMBERS, codes);
  if (bytes > 0) memcpy(copy, texts, bytes);
  struct reader reader = {copy, copy + bytes, true};
  child->id = numbers[ID];
  child->out = numbers[OUT];
  child->err = numbers[ERR];
  child->program = next_text(&reader);
  child->folder = next_text(&reader);
  child->argv = next_texts(&reader, lists, numbers[ARGUMENTS]);
  child->envp = next_texts(&reader, child->argv + arguments + 1, numbers[VARIABLES]);
  errands->ok = ok;
  errands->ok_count = numbers[CODES];
  errands->link_count = numbers[LINKS];
  errands->output_count = numbers[OUTPUTS];
  errands->folder_count = numbers[FOLDERS];
  errands->blobs = next_text(&reader);
  errands->scratch = next_text(&reader);
  errands->place_scratch = next_text(&reader);
  errands->work = next_text(&reader);
  errands->temporary = next_text(&reader);
  for (int at = 0; at < errands->link_count; at++) {
    struct link *it = &errands->links[at];
    it->blob = next_text(&reader);
    it->to = next_text(&reader);
    it->source = next_text(&reader);
  }
  for (int at = 0; at < errands->output_count; at++) {
    struct output *it = &errands->outputs[at];
    it->file = next_text(&reader);
    it->place = next_text(&reader);
    it->mode = (mode_t)strtol(next_text(&reader), NULL, 8);
  }
  errands->folders = (const char **)next_texts(&reader, child->envp + variables + 1, errands->folder_count);
  if (reader.whole && reader.at == reader.end) return child;
  free_child(child);
  return NULL;
}

void free_child(struct child *child) {
  free(child->memory);
  free(child);
}

/* A script without an interpreter line is run by the shell, as execvp() does. */
static int spawn_script(const struct child *child, pid_t *pid, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes) {
  size_t count = 0;
  while (child->argv[count] != NULL) count++;
  char **argv = calloc(count + 3, sizeof *argv);
  if (argv == NULL) return ENOMEM;
  argv[0] = "/bin/sh";
  argv[1] = (char *)child->program;
  for (size_t at = 1; at < count; at++) argv[at + 1] = child->argv[at];
  int failed = posix_spawn(pid, argv[0], actions, attributes, argv, child->envp);
  free(argv);
  return failed;
}

/* Under which permissions actions run, whoever starts arc: ACTION_UMASK of variables.ts. */
#define ACTION_UMASK 022

/* The mask of the process, as it was when the first child was requested. All files of arc's own are made with it. */
static mode_t process_mask;
/* Whether this thread may change its mask without changing that of others. */
static __thread bool has_own_mask;

/* As process-limits.ts does it: a shell sets the mask. */
static int spawn_masked(const struct child *child, pid_t *pid, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes) {
  size_t count = 0;
  while (child->argv[count] != NULL) count++;
  char **argv = calloc(count + 5, sizeof *argv), shell[] = "sh", flag[] = "-c", script[] = "umask 022 && exec \"$@\"";
  if (argv == NULL) return ENOMEM;
  char *first[] = {shell, flag, script, shell, (char *)child->program};
  memcpy(argv, first, sizeof first);
  for (size_t at = 1; at < count; at++) argv[at + 4] = child->argv[at];
  int failed = posix_spawn(pid, "/bin/sh", actions, attributes, argv, child->envp);
  free(argv);
  return failed;
}

static int spawn_child(struct child *child, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, child->out, 1);
  posix_spawn_file_actions_adddup2(&actions, child->err, 2);
  posix_spawn_file_actions_addchdir_np(&actions, child->folder);
  /* Node ignores SIGPIPE; children must not inherit that. */
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  int failed;
  if (has_own_mask || process_mask == ACTION_UMASK) {
    if (has_own_mask) umask(ACTION_UMASK);
    failed = posix_spawn(pid, child->program, &actions, &attributes, child->argv, child->envp);
    if (failed == ENOEXEC) failed = spawn_script(child, pid, &actions, &attributes);
    if (has_own_mask) umask(process_mask);
  } else {
    failed = spawn_masked(child, pid, &actions, &attributes);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

/*
 * Waits until the processes killed with their group's leader are gone: only then have all their orphans been adopted.
 * Does not wait for a process that the kernel does not let go of (a dead disk).
 */
static void wait_for_group(pid_t group) {
  for (long pause = 20 * 1000; pause < 500 * 1000 * 1000; pause *= 2) {
    siginfo_t info;
    for (;;) {
      info.si_pid = 0;
      if (waitid(P_PGID, (id_t)group, &info, WEXITED | WNOHANG) < 0) return;
      if (info.si_pid == 0) break;
    }
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
  }
}

static void wait_for(struct child *child, pid_t pid) {
  siginfo_t info;
  while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
  /* Descendants that outlive the process would write into a finished action. It was not reaped yet, so its number
   * cannot belong to another process. */
  kill(-pid, SIGKILL);
  pthread_rwlock_rdlock(&births);
  pthread_mutex_lock(&lock);
  child->pid = -1;
  pthread_mutex_unlock(&lock);
  while (wait4(pid, &child->status, 0, &child->usage) < 0 && errno == EINTR) continue;
  pthread_rwlock_unlock(&births);
  wait_for_group(pid);
}

static bool is_ok(const struct child *child) {
  if (!WIFEXITED(child->status)) return false;
  for (int at = 0; at < child->errands.ok_count; at++)
    if (child->errands.ok[at] == WEXITSTATUS(child->status)) return true;
  return false;
}

static unsigned long long ticks_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  unsigned long long rate = (unsigned long long)sysconf(_SC_CLK_TCK);
  return (unsigned long long)now.tv_sec * rate + (unsigned long long)now.tv_nsec * rate / 1000000000;
}

static void tend(struct child *child) {
  struct errands *errands = &child->errands;
  child->error = lay_links(errands);
  if (child->error != 0) return;
  pid_t pid = 0;
  pthread_rwlock_rdlock(&births);
  child->started = ticks_now();
  child->error = spawn_child(child, &pid);
  pthread_mutex_lock(&lock);
  if (child->error == 0) child->pid = pid;
  int early = child->early;
  pthread_mutex_unlock(&lock);
  pthread_rwlock_unlock(&births);
  if (child->error != 0) {
    for (int at = 0; at < errands->link_count; at++) unlink(errands->links[at].to);
    return;
  }
  if (early != 0) kill(-pid, early);
  wait_for(child, pid);
  struct stat log;
  child->log = fstat(child->err, &log) == 0 ? log.st_size : -1;
  /* Whatever its end: other actions read the same blobs. */
  check_inputs(errands);
  if (!is_ok(child) || errands->written) return;
  take_outputs(errands);
  if (errands->output_count > 0) tidy_room(errands);
}

static void forget(struct child *child) {
  pthread_mutex_lock(&lock);
  busy--;
  struct child **at = &children;
  while (*at != child) at = &(*at)->next;
  *at = child->next;
  pthread_mutex_unlock(&lock);
}

static void *tend_children(void *unused) {
  (void)unused;
  /* Refused in some containers. */
  if (process_mask != ACTION_UMASK) has_own_mask = unshare(CLONE_FS) == 0;
  for (;;) {
    pthread_mutex_lock(&lock);
    idle++;
    while (first == NULL) pthread_cond_wait(&arrived, &lock);
    idle--;
    busy++;
    waiting--;
    struct child *child = first;
    first = child->queued;
    if (first == NULL) last = &first;
    pthread_mutex_unlock(&lock);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    child->waited = (double)(now.tv_sec - child->requested.tv_sec) + (double)(now.tv_nsec - child->requested.tv_nsec) / 1e9;
    tend(child);
    forget(child);
    report(child);
  }
  return NULL;
}

static int add_thread(void) {
  static bool has_looked;
  if (!has_looked) {
    has_looked = true;
    process_mask = umask(077);
    umask(process_mask);
  }
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  /* Room for paths, the buffer of errands.c, and some more. */
  pthread_attr_setstacksize(&attributes, 512 * 1024);
  /* Node handles signals; this thread blocks all of them. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&thread, &attributes, tend_children, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return failed;
}

int start_child(struct child *child, child_report to, bool ahead) {
  clock_gettime(CLOCK_MONOTONIC, &child->requested);
  pthread_mutex_lock(&lock);
  report = to;
  int failed = waiting >= idle && !(ahead && busy > 0) ? add_thread() : 0;
  if (failed == 0) {
    child->next = children;
    children = child;
    child->queued = NULL;
    *last = child;
    last = &child->queued;
    waiting++;
  }
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&arrived);
  return failed;
}

void hold_children(void) { pthread_rwlock_wrlock(&births); }

void release_children(void) { pthread_rwlock_unlock(&births); }

bool any_child(bool (*is)(const struct child *, const void *), const void *about) {
  pthread_mutex_lock(&lock);
  const struct child *child = children;
  while (child != NULL && !is(child, about)) child = child->next;
  pthread_mutex_unlock(&lock);
  return child != NULL;
}

void kill_child(int32_t id, int signal) {
  pthread_mutex_lock(&lock);
  for (struct child *child = children; child != NULL; child = child->next) {
    if (child->id != id) continue;
    /* Under the lock the process is not reaped, so its number cannot belong to another one. */
    if (child->pid > 0) kill(-child->pid, signal);
    else if (child->pid == 0) child->early = signal;
  }
  pthread_mutex_unlock(&lock);
}

void end_children(int signal) {
  if (pthread_mutex_trylock(&lock) != 0) return;
  for (struct child *child = children; child != NULL; child = child->next)
    if (child->pid > 0) kill(-child->pid, signal);
  pthread_mutex_unlock(&lock);
}
