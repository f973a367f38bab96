/*
 * Operations that the engine does too often for JavaScript: stat many paths, map files, run small actions. This file is
 * the interface to JavaScript; the others do not know of it. Optional: `native.ts` works without it.
 *
 * Node-API is a stable ABI, so the few functions used are declared here and no headers of Node are needed.
 */
#define _GNU_SOURCE
#include "child.h"

#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "stat-row.h"
#include "word-sum.h"

typedef struct napi_env_s *napi_env;
typedef struct napi_value_s *napi_value;
typedef struct napi_callback_info_s *napi_callback_info;
typedef struct napi_ref_s *napi_ref;
typedef struct napi_tsfn_s *napi_threadsafe_function;
typedef int napi_status;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_call_js)(napi_env, napi_value callback, void *context, void *data);

extern napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
extern napi_status napi_get_buffer_info(napi_env, napi_value, void **, size_t *);
extern napi_status napi_get_typedarray_info(napi_env, napi_value, int *, size_t *, void **, napi_value *, size_t *);
extern napi_status napi_get_value_string_utf8(napi_env, napi_value, char *, size_t, size_t *);
extern napi_status napi_get_value_double(napi_env, napi_value, double *);
extern napi_status napi_get_value_int32(napi_env, napi_value, int32_t *);
extern napi_status napi_get_value_bool(napi_env, napi_value, bool *);
extern napi_status napi_create_int32(napi_env, int32_t, napi_value *);
extern napi_status napi_create_double(napi_env, double, napi_value *);
extern napi_status napi_create_reference(napi_env, napi_value, uint32_t, napi_ref *);
extern napi_status napi_create_string_utf8(napi_env, const char *, size_t, napi_value *);
extern napi_status napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);
extern napi_status napi_create_external_arraybuffer(napi_env, void *, size_t, void (*)(napi_env, void *, void *), void *,
                                                    napi_value *);
extern napi_status napi_get_undefined(napi_env, napi_value *);
extern napi_status napi_call_function(napi_env, napi_value, napi_value, size_t, const napi_value *, napi_value *);
extern napi_status napi_create_threadsafe_function(napi_env, napi_value, napi_value, napi_value, size_t, size_t, void *,
                                                   void *, void *, napi_call_js, napi_threadsafe_function *);
extern napi_status napi_call_threadsafe_function(napi_threadsafe_function, void *, int);
extern napi_status napi_ref_threadsafe_function(napi_env, napi_threadsafe_function);
extern napi_status napi_unref_threadsafe_function(napi_env, napi_threadsafe_function);

/* The arguments of what fills numbers for NUL-ended texts; false for others. */
static bool texts_and_numbers(napi_env env, napi_callback_info info, char **text, char **last, double **first,
                              double **end) {
  size_t argc = 2, bytes = 0, numbers = 0;
  napi_value argv[2];
  void *buffer = NULL, *data = NULL;
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  if (napi_get_buffer_info(env, argv[0], &buffer, &bytes) != 0) return false;
  if (napi_get_typedarray_info(env, argv[1], NULL, &numbers, &data, NULL, NULL) != 0) return false;
  *text = buffer;
  *last = *text + bytes;
  *first = data;
  *end = *first + numbers;
  return true;
}

/* statAll(text, rows): fills rows (mtime ms, ctime ms, size, inode) for NUL-ended paths; see up-to-date.ts. */
static napi_value stat_all(napi_env env, napi_callback_info info) {
  napi_value undefined;
  char *path, *last;
  double *row, *end;
  napi_get_undefined(env, &undefined);
  if (!texts_and_numbers(env, info, &path, &last, &row, &end)) return undefined;
  for (; path < last && row < end; path += strlen(path) + 1, row += 4) stat_row(AT_FDCWD, path, row);
  return undefined;
}

/* wordSum(words, seed) */
static napi_value sum_words(napi_env env, napi_callback_info info) {
  size_t argc = 2, count = 0;
  napi_value argv[2], result;
  void *words = NULL;
  double seed = 0;
  napi_get_undefined(env, &result);
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  if (napi_get_typedarray_info(env, argv[0], NULL, &count, &words, NULL, NULL) != 0) return result;
  if (napi_get_value_double(env, argv[1], &seed) != 0) return result;
  napi_create_double(env, (double)word_sum(words, 4 * count, (uint32_t)seed), &result);
  return result;
}

/* sha256(bytes, digest) */
static napi_value digest_bytes(napi_env env, napi_callback_info info) {
  size_t argc = 2, count = 0, capacity = 0;
  napi_value argv[2], undefined;
  void *bytes = NULL, *digest = NULL;
  napi_get_undefined(env, &undefined);
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  if (napi_get_buffer_info(env, argv[0], &bytes, &count) != 0) return undefined;
  if (napi_get_buffer_info(env, argv[1], &digest, &capacity) != 0 || capacity < DIGEST_DIGITS / 2) return undefined;
  sha256(bytes, count, digest);
  return undefined;
}

/* sha256File(path, digest): the file's size, or -1 when it cannot be read. */
static napi_value digest_file(napi_env env, napi_callback_info info) {
  size_t argc = 2, length = 0, capacity = 0;
  napi_value argv[2], result;
  char path[PATH_MAX];
  void *digest = NULL;
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  bool fits = napi_get_value_string_utf8(env, argv[0], path, sizeof path, &length) == 0 && length < sizeof path - 1 &&
              strlen(path) == length && napi_get_buffer_info(env, argv[1], &digest, &capacity) == 0 && capacity >= DIGEST_DIGITS / 2;
  napi_create_double(env, fits ? (double)sha256_file(path, digest) : -1, &result);
  return result;
}

/* checkBlobs(text, times): for each NUL-ended path its file's access time in ms, or -1; see native.ts. */
static napi_value check_blobs(napi_env env, napi_callback_info info) {
  napi_value undefined;
  char *path, *last;
  double *time, *end;
  napi_get_undefined(env, &undefined);
  if (!texts_and_numbers(env, info, &path, &last, &time, &end)) return undefined;
  for (; path < last && time < end; path += strlen(path) + 1, time++) {
    struct timespec used;
    *time = is_blob(path, &used) ? milliseconds(used) : -1;
  }
  return undefined;
}

static void unmap(napi_env env, void *data, void *size) {
  (void)env;
  munmap(data, (size_t)size);
}

/* map(descriptor): maps a file privately: pages are read on access, and writes stay in memory. */
static napi_value map_file(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value argv[1], result;
  int32_t file = -1;
  struct stat found;
  napi_get_undefined(env, &result);
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  if (napi_get_value_int32(env, argv[0], &file) != 0 || fstat(file, &found) != 0 || found.st_size <= 0) return result;
  size_t size = (size_t)found.st_size;
  void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (data == MAP_FAILED) return result;
  napi_value made;
  if (napi_create_external_arraybuffer(env, data, size, unmap, (void *)size, &made) == 0) return made;
  munmap(data, size);
  return result;
}

/* Report about a child that ended: numbers, then DIGEST_DIGITS characters for each output. See native.ts. */
static double *report_numbers;
static char *report_digests;
static size_t report_outputs, report_links;

static napi_threadsafe_function reporter;
static int unreported;

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static double *put_stat(double *to, const struct stat *stat) {
  *to++ = milliseconds(stat->st_mtim);
  *to++ = milliseconds(stat->st_ctim);
  *to++ = (double)stat->st_size;
  *to++ = (double)stat->st_ino;
  return to;
}

enum { HEADER = 8, OUTPUT = 8 };

static void tell(const struct child *child) {
  const struct errands *errands = &child->errands;
  double *to = report_numbers;
  *to++ = child->error;
  *to++ = WIFEXITED(child->status) ? WEXITSTATUS(child->status) : -1;
  *to++ = WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;
  *to++ = seconds(child->usage.ru_utime) + seconds(child->usage.ru_stime);
  *to++ = (double)child->log;
  *to++ = errands->written;
  *to++ = errands->tidy;
  *to++ = child->waited;
  for (int at = 0; at < errands->output_count; at++) {
    const struct output *output = &errands->outputs[at];
    *to++ = output->stored;
    *to++ = output->added;
    *to++ = (double)output->size;
    *to++ = output->placed;
    to = put_stat(to, &output->stat);
    memcpy(report_digests + DIGEST_DIGITS * (size_t)at, output->digest, DIGEST_DIGITS);
  }
  for (int at = 0; at < errands->link_count; at++) *to++ = errands->links[at].put ? (double)errands->links[at].before.st_size : -1;
}

static void ended(struct child *child) { napi_call_threadsafe_function(reporter, child, 0); }

static void report(napi_env env, napi_value callback, void *context, void *data) {
  (void)context;
  struct child *child = data;
  if (env != NULL && child->error == 0 && !child->swept && may_have_orphans() && sweep_strays(child, ended) == 0) return;
  if (env != NULL) {
    napi_value undefined, id;
    napi_get_undefined(env, &undefined);
    napi_create_int32(env, child->id, &id);
    tell(child);
    if (--unreported == 0) {
      adopt_orphans(false);
      napi_unref_threadsafe_function(env, reporter);
    }
    napi_call_function(env, undefined, callback, 1, &id, NULL);
  }
  free_child(child);
}

/*
 * onEnd(callback, report, digests): calls `callback` with the id of each child that ended, after its report was written
 * to the two arrays. Must be called once, before spawn. Returns how many links a request may have, or -1; it may have as
 * many outputs as `digests` has room for.
 */
static napi_value on_end(napi_env env, napi_callback_info info) {
  size_t argc = 3, numbers = 0, digits = 0;
  napi_value argv[3], result, name;
  napi_ref kept;
  void *to = NULL, *digests = NULL;
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  napi_create_string_utf8(env, "arc children", (size_t)-1, &name);
  int failed = reporter != NULL || napi_get_typedarray_info(env, argv[1], NULL, &numbers, &to, NULL, NULL) != 0 ||
               napi_get_buffer_info(env, argv[2], &digests, &digits) != 0 ||
               numbers < HEADER + OUTPUT * (digits / DIGEST_DIGITS) ||
               napi_create_reference(env, argv[1], 1, &kept) != 0 || napi_create_reference(env, argv[2], 1, &kept) != 0 ||
               napi_create_threadsafe_function(env, argv[0], NULL, name, 0, 1, NULL, NULL, NULL, report, &reporter) != 0 ||
               napi_unref_threadsafe_function(env, reporter) != 0;
  if (!failed) {
    report_numbers = to;
    report_digests = digests;
    report_outputs = digits / DIGEST_DIGITS;
    report_links = numbers - HEADER - OUTPUT * report_outputs;
  }
  napi_create_int32(env, failed ? -1 : has_sha256() ? (int32_t)report_links : 0, &result);
  return result;
}

/* spawn(numbers, texts): starts a child from a request in the form of `make_child`. Returns 0 or an errno. */
static napi_value spawn(napi_env env, napi_callback_info info) {
  size_t argc = 3, count = 0, bytes = 0;
  napi_value argv[3], result;
  void *numbers = NULL, *texts = NULL;
  bool ahead = false;
  int failed = EINVAL;
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  if (napi_get_typedarray_info(env, argv[0], NULL, &count, &numbers, NULL, NULL) == 0 &&
      napi_get_buffer_info(env, argv[1], &texts, &bytes) == 0 && napi_get_value_bool(env, argv[2], &ahead) == 0) {
    struct child *child = make_child(numbers, count, texts, bytes);
    if (child != NULL) {
      const struct errands *errands = &child->errands;
      bool fits = (size_t)errands->output_count <= report_outputs && (size_t)errands->link_count <= report_links;
      if (unreported == 0) adopt_orphans(true);
      failed = fits ? start_child(child, ended, ahead) : E2BIG;
      if (failed != 0) free_child(child);
      else if (unreported++ == 0) napi_ref_threadsafe_function(env, reporter);
    }
  }
  napi_create_int32(env, failed, &result);
  return result;
}

/* kill(id, signal): signals the child's whole group; if it has not started, right after its start. */
static napi_value kill_group(napi_env env, napi_callback_info info) {
  size_t argc = 2;
  napi_value argv[2], undefined;
  int32_t id = 0, signal = 0;
  napi_get_undefined(env, &undefined);
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  napi_get_value_int32(env, argv[0], &id);
  napi_get_value_int32(env, argv[1], &signal);
  kill_child(id, signal);
  return undefined;
}

/* watchSignals(): see signals.c. */
static napi_value watch(napi_env env, napi_callback_info info) {
  napi_value undefined;
  (void)info;
  napi_get_undefined(env, &undefined);
  watch_signals();
  return undefined;
}

/* heardSignal(): JavaScript has received a signal. */
static napi_value heard(napi_env env, napi_callback_info info) {
  napi_value undefined;
  (void)info;
  napi_get_undefined(env, &undefined);
  heard_signal();
  return undefined;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  static const struct {
    const char *name;
    napi_callback function;
  } functions[] = {
      {"statAll", stat_all},  {"map", map_file},        {"onEnd", on_end},           {"spawn", spawn},
      {"kill", kill_group},   {"sha256", digest_bytes}, {"sha256File", digest_file},
      {"wordSum", sum_words}, {"watchSignals", watch},  {"heardSignal", heard},        {"checkBlobs", check_blobs},
  };
  for (size_t at = 0; at < sizeof functions / sizeof functions[0]; at++) {
    napi_callback called = functions[at].function;
    bool digests = called == digest_bytes || called == digest_file || called == check_blobs;
    if (digests && !has_sha256()) continue;
    napi_value function;
    napi_create_function(env, functions[at].name, (size_t)-1, functions[at].function, NULL, &function);
    napi_set_named_property(env, exports, functions[at].name, function);
  }
  return exports;
}
