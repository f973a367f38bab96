/*
 * Finds processes that an action left running outside of its group (`setsid`). While actions run, this process is the
 * subreaper: orphans below it become children of its main thread, and one system call tells whether there are any. Only
 * then are all processes searched. An orphan's action is found by its TMPDIR or its folder; if it changed both, by
 * which actions ran when it was started. Linux only.
 */
#define _GNU_SOURCE
#include "child.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A killed orphan leaves its own children behind; this many generations are followed. */
#define GENERATIONS 64
/* How many orphans are handled at once; the others wait for the next round. */
#define MOST 256
/* How many bytes of an environment are read. */
#define LARGEST_ENVIRONMENT (256 * 1024)

struct process {
  pid_t pid, parent, group;
  char state;
  unsigned long long started;
  /* NULL if there is none. */
  char folder[PATH_MAX];
  const char *temporary;
};

void adopt_orphans(bool adopts) { prctl(PR_SET_CHILD_SUBREAPER, adopts ? 1 : 0, 0, 0, 0); }

bool may_have_orphans(void) {
  siginfo_t info;
  if (syscall(SYS_gettid) != getpid()) return true;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WNOTHREAD) == 0 || errno != ECHILD;
}

static ssize_t read_file(const char *path, char *to, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t count = 0;
  for (ssize_t got; count < size && (got = read(file, to + count, size - count)) > 0;) count += (size_t)got;
  close(file);
  return (ssize_t)count;
}

static bool read_process(pid_t pid, struct process *process) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  ssize_t size = read_file(path, text, sizeof text - 1);
  if (size <= 0) return false;
  text[size] = 0;
  /* The process name before it may contain any character. */
  const char *rest = strrchr(text, ')');
  int parent, group;
  process->pid = pid;
  if (rest == NULL || sscanf(rest + 1, " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                             &process->state, &parent, &group, &process->started) != 4)
    return false;
  process->parent = parent;
  process->group = group;
  return true;
}

/* Lists children of this process that are in other groups: orphans and actions. Its other children stay in its group. */
static int list_children(pid_t *pids) {
  int count = 0;
  DIR *folder = opendir("/proc");
  if (folder == NULL) return 0;
  for (struct dirent *entry; count < MOST && (entry = readdir(folder)) != NULL;) {
    struct process process;
    if (!isdigit((unsigned char)entry->d_name[0]) || !read_process((pid_t)atol(entry->d_name), &process)) continue;
    if (process.parent == getpid() && process.group != getpgrp()) pids[count++] = process.pid;
  }
  closedir(folder);
  return count;
}

static const char *variable(const char *at, const char *end, const char *name) {
  size_t length = strlen(name);
  for (; at < end; at += strlen(at) + 1)
    if (strncmp(at, name, length) == 0) return at + length;
  return NULL;
}

static const char *temporary_of(const struct child *child) {
  for (char **at = child->envp; *at != NULL; at++)
    if (strncmp(*at, "TMPDIR=", 7) == 0) return *at + 7;
  return NULL;
}

static void read_place(struct process *process, char *environment) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", (int)process->pid);
  ssize_t size = read_file(path, environment, LARGEST_ENVIRONMENT - 1);
  environment[size < 0 ? 0 : size] = 0;
  process->temporary = variable(environment, environment + (size < 0 ? 0 : size), "TMPDIR=");
  snprintf(path, sizeof path, "/proc/%d/cwd", (int)process->pid);
  ssize_t length = readlink(path, process->folder, sizeof process->folder - 1);
  process->folder[length < 0 ? 0 : length] = 0;
}

static bool has_its_temporary(const struct child *child, const void *about) {
  const struct process *process = about;
  const char *temporary = temporary_of(child);
  return temporary != NULL && process->temporary != NULL && strcmp(temporary, process->temporary) == 0;
}

static bool is_in_its_folder(const struct child *child, const void *about) {
  const struct process *process = about;
  size_t length = strlen(child->folder);
  return strncmp(child->folder, process->folder, length) == 0 &&
         (process->folder[length] == '/' || process->folder[length] == 0);
}

static bool ran_before(const struct child *child, const void *about) {
  const struct process *process = about;
  return child->pid > 0 && child->started <= process->started;
}

static bool is_its_process(const struct child *child, const void *about) {
  return child->pid == ((const struct process *)about)->pid;
}

/* Whether the process was left by this child: it belongs to no running one, and this child ran when it was started. */
static bool is_left_by(const struct child *child, const struct process *process) {
  if (any_child(has_its_temporary, process)) return false;
  if (has_its_temporary(child, process)) return true;
  if (any_child(is_in_its_folder, process)) return false;
  if (is_in_its_folder(child, process)) return true;
  return child->started <= process->started && !any_child(ran_before, process);
}

/* False: the kernel does not let go of the process. */
static bool wait_until_gone(pid_t pid) {
  for (long pause = 20 * 1000; pause < 500 * 1000 * 1000; pause *= 2) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG) < 0 || info.si_pid != 0) return true;
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
  }
  return false;
}

/* Whether something was killed and is gone. Its own children are then children of this process. */
static bool kill_generation(const struct child *child, char *environment) {
  static pid_t pids[MOST];
  pid_t killed[MOST];
  int count = list_children(pids), kills = 0;
  hold_children();
  for (int at = 0; at < count; at++) {
    struct process process;
    if (!read_process(pids[at], &process) || process.parent != getpid() || any_child(is_its_process, &process)) continue;
    if (process.state == 'Z') {
      waitid(P_PID, (id_t)process.pid, &(siginfo_t){.si_pid = 0}, WEXITED | WNOHANG);
      continue;
    }
    read_place(&process, environment);
    /* A process of another user is left alone. */
    if (is_left_by(child, &process) && kill(process.group == process.pid ? -process.pid : process.pid, SIGKILL) == 0)
      killed[kills++] = process.pid;
  }
  release_children();
  bool gone = false;
  for (int at = 0; at < kills; at++) gone |= wait_until_gone(killed[at]);
  return gone;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct child *first, **last = &first;
static child_report report;
static bool has_sweeper;

static void *sweep(void *unused) {
  (void)unused;
  static char environment[LARGEST_ENVIRONMENT];
  for (;;) {
    pthread_mutex_lock(&lock);
    while (first == NULL) pthread_cond_wait(&arrived, &lock);
    struct child *child = first;
    first = child->queued;
    if (first == NULL) last = &first;
    child_report done = report;
    pthread_mutex_unlock(&lock);
    for (int at = 0; at < GENERATIONS && kill_generation(child, environment); at++) continue;
    child->swept = true;
    done(child);
  }
  return NULL;
}

int sweep_strays(struct child *child, child_report done) {
  pthread_mutex_lock(&lock);
  int failed = 0;
  if (!has_sweeper) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&thread, NULL, sweep, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed == 0) pthread_detach(thread);
    has_sweeper = failed == 0;
  }
  if (failed == 0) {
    report = done;
    child->queued = NULL;
    *last = child;
    last = &child->queued;
  }
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&arrived);
  return failed;
}
