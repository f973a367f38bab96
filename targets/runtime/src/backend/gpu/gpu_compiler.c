/* gpu_compiler.c: compiles kernels from source text with the vendor's compiler. */
#define _POSIX_C_SOURCE 200809L
#include "backend/gpu/gpu_compiler.h"
#include "report/error.h"
#include "report/text.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct rtc_program *rtc_program;

#define RTC_FUNCTIONS(F)                                                                                          \
  F(create, "CreateProgram", (rtc_program *, const char *, const char *, int, const char *const *, const char *const *)) \
  F(destroy, "DestroyProgram", (rtc_program *))                                                                   \
  F(want, "AddNameExpression", (rtc_program, const char *))                                                       \
  F(compile, "CompileProgram", (rtc_program, int, const char *const *))                                           \
  F(log_size, "GetProgramLogSize", (rtc_program, size_t *))                                                       \
  F(log, "GetProgramLog", (rtc_program, char *))                                                                  \
  F(name, "GetLoweredName", (rtc_program, const char *, const char **))

#define RTC_POINTER(name, suffix, parameters) int(*name) parameters;
struct calls {
  RTC_FUNCTIONS(RTC_POINTER)
  int (*code_size)(rtc_program, size_t *);
  int (*code)(rtc_program, char *);
};

static void *open_library(const struct arc_gpu_compiler_maker *maker) {
  const char *own = getenv(maker->variable);
  const char *const named[] = {own, NULL};
  bool first = true;
  for (const char *const *file = own && *own ? named : maker->files; *file; file++) {
    void *library = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
    if (first) arc_because("%s compiles kernels from text, and cannot be used: %s", maker->title, dlerror());
    first = false;
  }
  return NULL;
}

static void *find(void *library, const char *prefix, const char *suffix, const char *more) {
  char name[80];
  snprintf(name, sizeof name, "%s%s%s", prefix, suffix, more);
  void *symbol = dlsym(library, name);
  if (!symbol) arc_because("%s is missing in the library that compiles kernels from text", name);
  return symbol;
}

/* The library stays open: it is used for every kernel. */
static bool find_calls(const struct arc_gpu_compiler_maker *maker, struct calls *calls) {
  void *library = open_library(maker);
  if (!library) return false;
  char get[40];
  void *symbol;
  snprintf(get, sizeof get, "Get%s", maker->code);
#define RTC_FIND(member, suffix, more)                                      \
  if (!(symbol = find(library, maker->prefix, suffix, more))) return false; \
  memcpy(&calls->member, &symbol, sizeof symbol);
#define RTC_FIND_ONE(member, suffix, parameters) RTC_FIND(member, suffix, "")
  RTC_FUNCTIONS(RTC_FIND_ONE)
  RTC_FIND(code_size, get, "Size")
  RTC_FIND(code, get, "")
  return true;
}

enum { MOST_OPTIONS = 64 };

struct options {
  const char *list[MOST_OPTIONS];
  int count;
  struct arc_text owned[3];
};

/* The vendor's headers, which kernel files often include out of habit. */
static void add_home(const struct arc_gpu_compiler_maker *maker, struct options *options) {
  for (const char *const *home = maker->homes; *home; home++) {
    const char *folder = **home == '/' ? *home : getenv(*home);
    if (!folder || !*folder) continue;
    arc_text_add(&options->owned[1], "%s/include", folder);
    if (access(options->owned[1].bytes, R_OK) == 0) {
      arc_text_free(&options->owned[1]);
      arc_text_add(&options->owned[1], "-I%s/include", folder);
      options->list[options->count++] = options->owned[1].bytes;
      return;
    }
    arc_text_free(&options->owned[1]);
  }
}

static bool make_options(const struct arc_gpu_compiler_maker *maker, const char *architecture, struct options *options) {
  if (maker->architecture) {
    arc_text_add(&options->owned[0], "%s%s", maker->architecture, architecture);
    options->list[options->count++] = options->owned[0].bytes;
  }
  add_home(maker, options);
  const char *more = getenv(maker->options);
  if (!more) return true;
  arc_text_add(&options->owned[2], "%s", more);
  char *rest = NULL;
  for (char *word = strtok_r(options->owned[2].bytes, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (options->count == MOST_OPTIONS) return arc_because("%s has more than %d options", maker->options, MOST_OPTIONS);
    options->list[options->count++] = word;
  }
  return true;
}

static bool explain(const struct calls *calls, rtc_program program, const char *title, const struct options *options) {
  size_t size = 0;
  calls->log_size(program, &size);
  char *log = arc_allocate(size + 1);
  if (size) calls->log(program, log);
  struct arc_text words = {0};
  for (int i = 0; i < options->count; i++) arc_text_add(&words, "%s%s", i ? " " : "", options->list[i]);
  arc_because("it does not compile by %s with the options '%s':\n%s", title, words.bytes ? words.bytes : "", log);
  arc_text_free(&words);
  free(log);
  return false;
}

static bool compile(const struct arc_gpu_compiler_maker *maker, const struct calls *calls, rtc_program program,
                    const char *kernel, const struct options *options, struct arc_gpu_compiled *compiled) {
  if (calls->want(program, kernel) != 0) return arc_because("%s does not take '%s' as a name", maker->title, kernel);
  if (calls->compile(program, options->count, options->list) != 0)
    return explain(calls, program, maker->title, options);
  const char *name = NULL;
  if (calls->name(program, kernel, &name) != 0 || !name)
    return arc_because("%s has not made a kernel '%s' of it", maker->title, kernel);
  if (calls->code_size(program, &compiled->size) != 0 || compiled->size == 0)
    return arc_because("%s has made no code of it", maker->title);
  compiled->code = arc_allocate(compiled->size);
  compiled->name = arc_copy_string(name);
  return calls->code(program, compiled->code) == 0 || arc_because("%s has made no code of it", maker->title);
}

bool arc_gpu_compile(const struct arc_gpu_compiler_maker *maker, const char *architecture, const char *source,
                     const char *file, const char *kernel, struct arc_gpu_compiled *compiled) {
  /* One at a time: the compilers use much memory, and some versions are not thread-safe. */
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct calls calls = {0};
  struct options options = {0};
  rtc_program program = NULL;
  *compiled = (struct arc_gpu_compiled){0};
  pthread_mutex_lock(&lock);
  bool good = find_calls(maker, &calls) && make_options(maker, architecture, &options);
  if (good && calls.create(&program, source, file, 0, NULL, NULL) != 0)
    good = arc_because("%s does not take the text", maker->title);
  if (good) good = compile(maker, &calls, program, kernel, &options, compiled);
  if (program) calls.destroy(&program);
  pthread_mutex_unlock(&lock);
  for (size_t i = 0; i < sizeof options.owned / sizeof options.owned[0]; i++) arc_text_free(&options.owned[i]);
  return good;
}
