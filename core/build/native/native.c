/*
 * What the engine does often enough that JavaScript's way is too slow: stat many paths, start processes.
 * Optional: `native.ts` does without it. Linux only; glibc 2.29 or later.
 *
 * Node-API is a stable ABI, so the few functions used are declared here and no headers of Node are needed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct napi_env_s *napi_env;
typedef struct napi_value_s *napi_value;
typedef struct napi_callback_info_s *napi_callback_info;
typedef struct napi_tsfn_s *napi_threadsafe_function;
typedef int napi_status;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_call_js)(napi_env, napi_value callback, void *context, void *data);

extern napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
extern napi_status napi_get_buffer_info(napi_env, napi_value, void **, size_t *);
extern napi_status napi_get_typedarray_info(napi_env, napi_value, int *, size_t *, void **, napi_value *, size_t *);
extern napi_status napi_get_value_int32(napi_env, napi_value, int32_t *);
extern napi_status napi_create_int32(napi_env, int32_t, napi_value *);
extern napi_status napi_create_double(napi_env, double, napi_value *);
extern napi_status napi_create_string_utf8(napi_env, const char *, size_t, napi_value *);
extern napi_status napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);
extern napi_status napi_get_undefined(napi_env, napi_value *);
extern napi_status napi_call_function(napi_env, napi_value, napi_value, size_t, const napi_value *, napi_value *);
extern napi_status napi_create_threadsafe_function(napi_env, napi_value, napi_value, napi_value, size_t, size_t, void *,
                                                   void *, void *, napi_call_js, napi_threadsafe_function *);
extern napi_status napi_call_threadsafe_function(napi_threadsafe_function, void *, int);
extern napi_status napi_ref_threadsafe_function(napi_env, napi_threadsafe_function);
extern napi_status napi_unref_threadsafe_function(napi_env, napi_threadsafe_function);

static double milliseconds(struct timespec time) {
  /* The arithmetic of fs.Stats, so that both give the same doubles. */
  return (double)time.tv_sec * 1000.0 + (double)time.tv_nsec / 1e6;
}

/* statAll(text, rows): rows (mtime ms, ctime ms, size, inode) for NUL-ended paths; see uptodate.ts. */
static napi_value stat_all(napi_env env, napi_callback_info info) {
  size_t argc = 2, bytes = 0, rows = 0;
  napi_value argv[2], undefined;
  void *text = NULL, *data = NULL;
  napi_get_undefined(env, &undefined);
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  if (napi_get_buffer_info(env, argv[0], &text, &bytes) != 0) return undefined;
  if (napi_get_typedarray_info(env, argv[1], NULL, &rows, &data, NULL, NULL) != 0) return undefined;
  double *row = data, *end = row + rows;
  for (char *path = text, *last = path + bytes; path < last && row < end; path += strlen(path) + 1, row += 4) {
    struct stat stat_;
    if (stat(path, &stat_) == 0) {
      row[0] = milliseconds(stat_.st_mtim);
      row[1] = milliseconds(stat_.st_ctim);
      row[2] = (double)stat_.st_size;
      row[3] = (double)stat_.st_ino;
    } else {
      row[0] = row[1] = row[2] = 0;
      row[3] = errno == ENOENT || errno == ENOTDIR ? -1 : NAN;
    }
  }
  return undefined;
}

/*
 * One thread starts all children and waits for them, through their process descriptors: starting one takes
 * until the new program is loaded, for which JavaScript need not wait. Each end is reported to JavaScript.
 */

struct child {
  struct child *next;
  int32_t id;
  /* What to start: NUL-ended program and folder, arguments, environment. */
  char *texts[3];
  size_t sizes[3];
  int out, err;
  /* 0 before the start. */
  pid_t pid;
  /* A signal that came before the start. */
  int early;
  int descriptor;
  /* Of a start that failed. */
  int error;
  int status;
  struct rusage usage;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* All children that did not end, the not yet started ones first. */
static struct child *children;
static int poller = -1;
static int wake[2] = {-1, -1};
static napi_threadsafe_function reporter;
static int unreported;

/* Pointers to the NUL-ended strings in a text, then NULL; the caller frees it. */
static char **strings(char *text, size_t bytes) {
  size_t count = 0;
  for (size_t at = 0; at < bytes; at++) count += text[at] == 0;
  char **list = malloc((count + 1) * sizeof *list);
  if (list == NULL) return NULL;
  count = 0;
  for (char *at = text; at < text + bytes; at += strlen(at) + 1) list[count++] = at;
  list[count] = NULL;
  return list;
}

static int spawn_child(struct child *child, char **where, char **argv, char **envp, pid_t *pid) {
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
  posix_spawn_file_actions_addchdir_np(&actions, where[1]);
  /* Node ignores SIGPIPE; children must not inherit that. */
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  int failed = posix_spawn(pid, where[0], &actions, &attributes, argv, envp);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

/* Returns an errno. Called without the lock: only this thread touches a child that is not started. */
static int start(struct child *child) {
  char **where = strings(child->texts[0], child->sizes[0]);
  char **argv = strings(child->texts[1], child->sizes[1]);
  char **envp = strings(child->texts[2], child->sizes[2]);
  pid_t pid = 0;
  int failed = where == NULL || argv == NULL || envp == NULL ? ENOMEM : spawn_child(child, where, argv, envp, &pid);
  free(where);
  free(argv);
  free(envp);
  if (failed != 0) return failed;
  child->descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
  struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = child}};
  if (child->descriptor < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, child->descriptor, &event) != 0) {
    failed = errno;
    kill(-pid, SIGKILL);
    waitpid(pid, NULL, 0);
    if (child->descriptor >= 0) close(child->descriptor);
    return failed;
  }
  pthread_mutex_lock(&lock);
  child->pid = pid;
  int early = child->early;
  pthread_mutex_unlock(&lock);
  if (early != 0) kill(-pid, early);
  return 0;
}

static void forget(struct child *child) {
  pthread_mutex_lock(&lock);
  for (struct child **at = &children; *at != NULL; at = &(*at)->next) {
    if (*at == child) {
      *at = child->next;
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  napi_call_threadsafe_function(reporter, child, 0);
}

static void end(struct child *child) {
  /* Descendants that outlive it would write into a finished action. Not reaped yet, its number is its own. */
  kill(-child->pid, SIGKILL);
  while (wait4(child->pid, &child->status, 0, &child->usage) < 0 && errno == EINTR) continue;
  epoll_ctl(poller, EPOLL_CTL_DEL, child->descriptor, NULL);
  close(child->descriptor);
  forget(child);
}

static void *tend_children(void *unused) {
  (void)unused;
  for (;;) {
    struct epoll_event event;
    if (epoll_wait(poller, &event, 1, -1) != 1) continue;
    struct child *child = event.data.ptr;
    if (child != NULL) {
      end(child);
    } else if (read(wake[0], &child, sizeof child) == sizeof child) {
      /* A pipe of pointers: each is one child to start. */
      child->error = start(child);
      if (child->error != 0) forget(child);
    }
  }
  return NULL;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static void report(napi_env env, napi_value callback, void *context, void *data) {
  (void)context;
  struct child *child = data;
  if (env != NULL) {
    napi_value undefined, argv[5];
    napi_get_undefined(env, &undefined);
    napi_create_int32(env, child->id, &argv[0]);
    napi_create_int32(env, child->error, &argv[1]);
    napi_create_int32(env, WIFEXITED(child->status) ? WEXITSTATUS(child->status) : -1, &argv[2]);
    napi_create_int32(env, WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0, &argv[3]);
    napi_create_double(env, seconds(child->usage.ru_utime) + seconds(child->usage.ru_stime), &argv[4]);
    if (--unreported == 0) napi_unref_threadsafe_function(env, reporter);
    napi_call_function(env, undefined, callback, 5, argv, NULL);
  }
  for (int at = 0; at < 3; at++) free(child->texts[at]);
  free(child);
}

/* onEnd(callback): called with (id, errno of the start, code or -1, signal or 0, CPU seconds); once, before spawn. */
static napi_value on_end(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value argv[1], result, name;
  pthread_t thread;
  struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = NULL}};
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  napi_create_string_utf8(env, "arc children", (size_t)-1, &name);
  int failed = reporter != NULL || (poller = epoll_create1(EPOLL_CLOEXEC)) < 0 || pipe2(wake, O_CLOEXEC) != 0 ||
               epoll_ctl(poller, EPOLL_CTL_ADD, wake[0], &event) != 0 ||
               napi_create_threadsafe_function(env, argv[0], NULL, name, 0, 1, NULL, NULL, NULL, report, &reporter) != 0 ||
               napi_unref_threadsafe_function(env, reporter) != 0 ||
               pthread_create(&thread, NULL, tend_children, NULL) != 0;
  napi_create_int32(env, failed, &result);
  return result;
}

/* spawn(id, program and folder, argv, env, out, err): 0, or an errno. Texts are NUL-ended. */
static napi_value spawn(napi_env env, napi_callback_info info) {
  size_t argc = 6;
  napi_value argv[6], result;
  int failed = ENOMEM;
  struct child *child = calloc(1, sizeof *child);
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  bool whole = child != NULL;
  for (int at = 0; whole && at < 3; at++) {
    void *text = NULL;
    napi_get_buffer_info(env, argv[1 + at], &text, &child->sizes[at]);
    child->texts[at] = malloc(child->sizes[at] + 1);
    whole = child->texts[at] != NULL;
    if (whole && child->sizes[at] > 0) memcpy(child->texts[at], text, child->sizes[at]);
  }
  if (whole) {
    napi_get_value_int32(env, argv[0], &child->id);
    napi_get_value_int32(env, argv[4], &child->out);
    napi_get_value_int32(env, argv[5], &child->err);
    pthread_mutex_lock(&lock);
    child->next = children;
    children = child;
    pthread_mutex_unlock(&lock);
    failed = write(wake[1], &child, sizeof child) == sizeof child ? 0 : errno;
    if (failed == 0 && unreported++ == 0) napi_ref_threadsafe_function(env, reporter);
  }
  napi_create_int32(env, failed, &result);
  return result;
}

/* kill(id, signal): to the child's whole group; before its start, right after it. */
static napi_value kill_child(napi_env env, napi_callback_info info) {
  size_t argc = 2;
  napi_value argv[2], undefined;
  int32_t id = 0, signal = 0;
  napi_get_undefined(env, &undefined);
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  napi_get_value_int32(env, argv[0], &id);
  napi_get_value_int32(env, argv[1], &signal);
  pthread_mutex_lock(&lock);
  for (struct child *child = children; child != NULL; child = child->next) {
    if (child->id != id) continue;
    /* Under the lock it is not reaped and forgotten, so the number is still its own. */
    if (child->pid != 0) kill(-child->pid, signal);
    else child->early = signal;
  }
  pthread_mutex_unlock(&lock);
  return undefined;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  static const struct {
    const char *name;
    napi_callback function;
  } functions[] = {{"statAll", stat_all}, {"onEnd", on_end}, {"spawn", spawn}, {"kill", kill_child}};
  for (size_t at = 0; at < sizeof functions / sizeof functions[0]; at++) {
    napi_value function;
    napi_create_function(env, functions[at].name, (size_t)-1, functions[at].function, NULL, &function);
    napi_set_named_property(env, exports, functions[at].name, function);
  }
  return exports;
}
