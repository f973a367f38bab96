/*
 * The caller's side of a resident compiler (cli/resident/server.ts); frames.ts has the form of what both say.
 *
 * Nobody else may answer, and no answer may be another than the caller's own process would give. So sockets are in a
 * folder of the user that nobody else may enter, and their names have all that a process inherits and a call cannot be
 * given: see add_surroundings. What depends on the caller's open files is not asked for. One call at a time is led to a
 * process, which the lock beside its socket says; further calls get processes of their own, as many as there are
 * processors. All that goes wrong ends in UNANSWERED.
 */
#define _GNU_SOURCE
#include "resident.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* From frames.ts. */
enum { STATUS = 3, BEGUN = 5, HEAD = 5 };
/* From call.ts. */
enum { FAILED = 1, INTERRUPTED = 130 };
enum { MOST_RESIDENTS = 16 };
/* How long one that does not begin a call, or does not end it after a signal, is waited for, in seconds. */
enum { PATIENCE = 2 };

static uint64_t hash_of(uint64_t hash, const void *bytes, size_t size) {
  for (size_t at = 0; at < size; at++) hash = (hash ^ ((const unsigned char *)bytes)[at]) * 0x100000001b3;
  return hash;
}

static uint64_t add_text(uint64_t hash, const char *text) {
  return text == NULL ? hash_of(hash, "\1", 2) : hash_of(hash, text, strlen(text) + 1);
}

/* Capabilities and filters of system calls. */
static uint64_t add_rights(uint64_t hash) {
  static const char *const lines[] = {"Cap", "NoNewPrivs", "Seccomp"};
  char line[256];
  FILE *status = fopen("/proc/self/status", "re");
  if (status == NULL) return hash;
  while (fgets(line, sizeof line, status) != NULL)
    for (size_t at = 0; at < sizeof lines / sizeof *lines; at++)
      if (strncmp(line, lines[at], strlen(lines[at])) == 0) hash = add_text(hash, line);
  fclose(status);
  return hash;
}

/* What a process inherits, so that a resident one that has it otherwise would not do the same. */
static uint64_t add_surroundings(uint64_t hash) {
  static const char *const variables[] = {"LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "LD_LIBRARY_PATH", "PATH"};
  static const char *const namespaces[] = {"mnt", "pid", "net", "user", "ipc", "uts", "cgroup", "time"};
  for (size_t at = 0; at < sizeof variables / sizeof *variables; at++) hash = add_text(hash, getenv(variables[at]));
  for (size_t at = 0; at < sizeof namespaces / sizeof *namespaces; at++) {
    char name[32], link[64] = "";
    snprintf(name, sizeof name, "/proc/self/ns/%s", namespaces[at]);
    if (readlink(name, link, sizeof link - 1) < 0) *link = '\0';
    hash = add_text(hash, link);
  }
  for (int limit = 0; limit < RLIM_NLIMITS; limit++) {
    struct rlimit found = {0, 0};
    getrlimit((__rlimit_resource_t)limit, &found);
    hash = hash_of(hash, &found, sizeof found);
  }
  gid_t groups[NGROUPS_MAX > 1024 ? 1024 : NGROUPS_MAX];
  int count = getgroups((int)(sizeof groups / sizeof *groups), groups);
  if (count > 0) hash = hash_of(hash, groups, (size_t)count * sizeof *groups);
  struct stat root;
  if (stat("/", &root) == 0) hash = hash_of(hash_of(hash, &root.st_dev, sizeof root.st_dev), &root.st_ino, sizeof root.st_ino);
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == 0) hash = hash_of(hash, &processors, sizeof processors);
  struct {
    unsigned user, group;
    int priority, policy;
  } own = {geteuid(), getegid(), getpriority(PRIO_PROCESS, 0), sched_getscheduler(0)};
  hash = hash_of(hash, &own, sizeof own);
  hash = add_rights(hash);
  char confined[512] = "";
  static const char *const files[] = {"/proc/self/attr/current", "/proc/self/cgroup"};
  for (size_t at = 0; at < sizeof files / sizeof *files; at++) {
    int file = open(files[at], O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, confined, sizeof confined);
    if (size > 0) hash = hash_of(hash, confined, (size_t)size);
    if (file >= 0) close(file);
  }
  return hash;
}

/* Whether only this process can do it: it would read or write what is open here, or what runs it is changed by variables
 * that are read while it is loaded. */
static bool is_own(char **arguments) {
  static const char *const loaded[] = {"LD_PRELOAD", "LD_AUDIT", "NODE_OPTIONS", "NODE_V8_COVERAGE", "ARC_NATIVE", "ARC_FAULT",
                                       "ARC_RESIDENT_SOCKET"};
  for (size_t at = 0; at < sizeof loaded / sizeof *loaded; at++) if (getenv(loaded[at]) != NULL) return true;
  for (char **at = arguments; *at != NULL; at++) {
    if (strcmp(*at, "-") == 0 || **at == '@') return true;
    if (strstr(*at, "/proc/") != NULL) return true;
    const char *device = strstr(*at, "/dev/");
    if (device != NULL && strcmp(device, "/dev/null") != 0) return true;
  }
  return false;
}

/* A folder of this user's that nobody else may enter, made if it is not there. */
static bool open_to_own_user_only(const char *folder) {
  struct stat found;
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) return false;
  return lstat(folder, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
}

static bool find_folder(char folder[PATH_MAX]) {
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  int size = runtime != NULL && *runtime == '/' ? snprintf(folder, PATH_MAX, "%s/arc", runtime)
                                                : snprintf(folder, PATH_MAX, "/tmp/arc-%u", (unsigned)geteuid());
  return size < PATH_MAX && open_to_own_user_only(folder);
}

/* -1 if another process has it. */
static int take_lock(const char *path) {
  int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  if (lock >= 0) close(lock);
  return -1;
}

static int reach(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int there = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (there < 0) return -1;
  if (connect(there, (struct sockaddr *)&address, sizeof address) == 0 && getsockopt(there, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
      peer.uid == geteuid()) return there;
  close(there);
  return -1;
}

/* Closes all but the standard streams. */
static void close_rest(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3, ~0U, 0) == 0) return;
#endif
  for (int file = 3; file < 65536; file++) close(file);
}

/* Starts one beside this process, in a session of its own, with none of its files; it keeps the lock for its life. */
static void start_beside(const char *socket, const char *life, void (*start)(char *script), char *script) {
  pid_t child = fork();
  if (child != 0) {
    if (child > 0) while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return;
  }
  setsid();
  if (fork() != 0) _exit(0);
  int null = open("/dev/null", O_RDWR);
  for (int stream = 0; stream <= 2; stream++) if (dup2(null, stream) < 0) _exit(1);
  close_rest();
  int lock = take_lock(life);
  if (lock < 0 || fcntl(lock, F_SETFD, 0) != 0 || chdir("/") != 0) _exit(0);
  setenv("ARC_RESIDENT_SOCKET", socket, 1);
  for (int signal_number = 1; signal_number < NSIG; signal_number++) signal(signal_number, SIG_DFL);
  start(script);
  _exit(1);
}

static bool send_all(int there, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t sent = send(there, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    size -= (size_t)sent;
  }
  return true;
}

static void add_field(FILE *out, const char *text) { fwrite(text, strlen(text) + 1, 1, out); }

/* The size of a terminal, empty for anything else. */
static void add_terminal(FILE *out, int stream) {
  struct winsize size = {0};
  char text[32] = "";
  if (isatty(stream) && ioctl(stream, TIOCGWINSZ, &size) == 0) snprintf(text, sizeof text, "%ux%u", size.ws_col, size.ws_row);
  else if (isatty(stream)) strcpy(text, "0x0");
  add_field(out, text);
}

static bool send_request(int there, char **arguments) {
  char cwd[PATH_MAX], number[16], *bytes = NULL;
  size_t size = 0;
  uint32_t length = 0;
  FILE *out = open_memstream(&bytes, &size);
  if (out == NULL || getcwd(cwd, sizeof cwd) == NULL || *cwd != '/') return false;
  fwrite(&length, sizeof length, 1, out);
  mode_t mask = umask(0);
  umask(mask);
  snprintf(number, sizeof number, "%o", (unsigned)mask);
  add_field(out, number);
  add_terminal(out, STDOUT_FILENO);
  add_terminal(out, STDERR_FILENO);
  add_field(out, cwd);
  int count = 0;
  while (arguments[count] != NULL) count++;
  snprintf(number, sizeof number, "%d", count);
  add_field(out, number);
  for (char **at = arguments; *at != NULL; at++) add_field(out, *at);
  for (char **at = environ; *at != NULL; at++) add_field(out, *at);
  if (fclose(out) != 0) return false;
  length = (uint32_t)(size - sizeof length);
  memcpy(bytes, &length, sizeof length);
  return send_all(there, bytes, size);
}

static int asked = -1;
static volatile sig_atomic_t interruptions;

/* The first signal interrupts the call there. A second one ends this process at once, as in main.ts, and so does the clock
 * where that is busy with something else, as in native/signals.c. */
static void interrupt(int signal_number) {
  (void)signal_number;
  if (interruptions++ > 0) _exit(INTERRUPTED);
  shutdown(asked, SHUT_WR);
  alarm(PATIENCE);
}

/* False if the other side is gone. */
static bool receive_all(int there, void *to, size_t size) {
  char *bytes = to;
  while (size > 0) {
    ssize_t got = recv(there, bytes, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= (size_t)got;
  }
  return true;
}

/* Writes what was printed; false if the reader is gone. */
static bool print_all(int stream, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(stream, bytes, size);
    if (written >= 0) {
      bytes += written;
      size -= (size_t)written;
    } else if (errno == EAGAIN) {
      struct pollfd slow = {.fd = stream, .events = POLLOUT};
      poll(&slow, 1, -1);
    } else if (errno != EINTR) return false;
  }
  return true;
}

/* Whether it takes the call: one that was stopped, or is not through with an interrupted call, does not. */
static bool has_begun(int there) {
  struct pollfd answer = {.fd = there, .events = POLLIN};
  unsigned char head[HEAD];
  int found;
  do found = poll(&answer, 1, PATIENCE * 1000);
  while (found < 0 && errno == EINTR && interruptions == 0);
  return found > 0 && receive_all(there, head, sizeof head) && *head == BEGUN;
}

/* Told only when the call has ended: if it ends otherwise the caller runs it, as if nothing had been. */
static int receive_answer(int there) {
  struct printed {
    struct printed *next;
    int stream;
    uint32_t size;
    char bytes[];
  } *first = NULL, **last = &first;
  for (;;) {
    unsigned char head[HEAD];
    uint32_t size;
    if (!receive_all(there, head, sizeof head)) return UNANSWERED;
    memcpy(&size, head + 1, sizeof size);
    if (*head == STATUS) {
      int32_t status;
      if (size != sizeof status || !receive_all(there, &status, sizeof status)) return UNANSWERED;
      for (const struct printed *at = first; at != NULL; at = at->next) if (!print_all(at->stream, at->bytes, at->size)) return FAILED;
      return status;
    }
    if (*head != STDOUT_FILENO && *head != STDERR_FILENO) return UNANSWERED;
    struct printed *next = malloc(sizeof *next + size);
    if (next == NULL) return UNANSWERED;
    *next = (struct printed){.stream = *head, .size = size};
    if (!receive_all(there, next->bytes, size)) return UNANSWERED;
    *last = next;
    last = &next->next;
  }
}

static int ask(int there, char **arguments) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM};
  struct sigaction action = {.sa_handler = interrupt}, before[sizeof signals / sizeof *signals];
  asked = there;
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) {
    sigaction(signals[at], NULL, &before[at]);
    sigaction(signals[at], &action, NULL);
  }
  signal(SIGPIPE, SIG_IGN);
  int status = send_request(there, arguments) && has_begun(there) ? receive_answer(there) : UNANSWERED;
  if (status == UNANSWERED && interruptions > 0) return INTERRUPTED;
  signal(SIGPIPE, SIG_DFL);
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) sigaction(signals[at], &before[at], NULL);
  close(there);
  return status;
}

int ask_resident(const char *script, char **arguments, void (*start)(char *script)) {
  const char *wanted = getenv("ARC_RESIDENT");
  if (wanted == NULL || strcmp(wanted, "1") != 0 || is_own(arguments)) return UNANSWERED;
  char folder[PATH_MAX], *where = realpath(script, NULL);
  if (where == NULL || !find_folder(folder)) return UNANSWERED;
  uint64_t name = add_surroundings(add_text(add_text(0xcbf29ce484222325, ARC_BUILD), where));
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  for (long at = 0; at < (processors < MOST_RESIDENTS ? processors : MOST_RESIDENTS); at++) {
    char socket[PATH_MAX], lock[PATH_MAX], life[PATH_MAX];
    const char *const ends[] = {"", ".lock", ".life"};
    char *const paths[] = {socket, lock, life};
    for (size_t one = 0; one < 3; one++)
      if (snprintf(paths[one], PATH_MAX, "%s/%016llx-%ld%s", folder, (unsigned long long)name, at, ends[one]) >= PATH_MAX) return UNANSWERED;
    int held = take_lock(lock);
    if (held < 0) continue;
    int there = reach(socket);
    if (there < 0) {
      start_beside(socket, life, start, where);
      close(held);
      return UNANSWERED;
    }
    int status = ask(there, arguments);
    close(held);
    return status;
  }
  return UNANSWERED;
}
