/* error.c: messages, and ending the program in order. */
#define _POSIX_C_SOURCE 200809L
#include "report/error.h"
#include "report/text.h"
#include "report/tool.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local struct arc_text reason_text;
static atomic_int verbosity = -1;
static atomic_flag failed = ATOMIC_FLAG_INIT;
static atomic_bool failing, exiting;
static _Thread_local bool failing_here;
static _Thread_local const struct arc_device *fails;
static pthread_key_t reason_key;
static pthread_once_t reason_once = PTHREAD_ONCE_INIT;

int arc_verbosity(void) {
  int level = atomic_load(&verbosity);
  if (level < 0) {
    const char *text = getenv("ARC_VERBOSE");
    level = text ? atoi(text) : 0;
    if (level < 0) level = 0;
    atomic_store(&verbosity, level);
  }
  return level;
}

bool arc_failing(void) { return atomic_load(&failing); }
void arc_exiting(void) { atomic_store(&exiting, true); }

static void print_site(struct arc_text *text, const arc_site *site, const char *severity, const char *code) {
  if (site && site->file)
    arc_text_add(text, "%s:%d: ", site->file, site->line);
  else
    arc_text_add(text, "arc: ");
  arc_text_add(text, "%s[%s]: ", severity, code);
  if (site && site->what) arc_text_add(text, "%s: ", site->what);
}

/* One write, so that messages of several threads do not mix. */
static void print(struct arc_text *text) {
  fflush(stdout);
  fwrite(text->bytes, 1, text->length, stderr);
  fflush(stderr);
  arc_text_free(text);
}

void arc_fails(const struct arc_device *device) { fails = device; }

void arc_fail(const arc_site *site, const char *code, const char *remedy, const char *format, ...) {
  if (atomic_flag_test_and_set(&failed)) {
    /*
     * exit() must not be called twice: an exit handler leaves at once; another thread lets the first one finish its
     * orderly exit.
     */
    if (failing_here) _exit(1);
    for (;;) pause();
  }
  failing_here = true;
  atomic_store(&failing, true);
  struct arc_text text = {0}, message = {0};
  va_list arguments;
  va_start(arguments, format);
  arc_text_addv(&message, format, arguments);
  va_end(arguments);
  print_site(&text, site, "error", code);
  arc_text_add(&text, "%s\n", arc_text_string(&message));
  if (remedy) arc_text_add(&text, "  help: %s\n", remedy);
  print(&text);
  arc_tool_error((struct arc_tool_place){.device = fails, .site = site}, code, arc_text_string(&message));
  if (atomic_load(&exiting)) {
    fflush(NULL);
    _exit(1);
  }
  exit(1);
}

void arc_warn(const arc_site *site, const char *code, const char *format, ...) {
  struct arc_text text = {0};
  print_site(&text, site, "warning", code);
  va_list arguments;
  va_start(arguments, format);
  arc_text_addv(&text, format, arguments);
  va_end(arguments);
  arc_text_add(&text, "\n");
  print(&text);
}

void arc_note(const char *format, ...) {
  if (arc_verbosity() < 1) return;
  struct arc_text text = {0};
  arc_text_add(&text, "arc: ");
  va_list arguments;
  va_start(arguments, format);
  arc_text_addv(&text, format, arguments);
  va_end(arguments);
  arc_text_add(&text, "\n");
  print(&text);
}

static void free_reason(void *text) { arc_text_free(text); }
static void make_reason_key(void) { pthread_key_create(&reason_key, free_reason); }

bool arc_because(const char *format, ...) {
  pthread_once(&reason_once, make_reason_key);
  pthread_setspecific(reason_key, &reason_text);
  struct arc_text text = {0}; /* the old reason may be an argument of the new one */
  va_list arguments;
  va_start(arguments, format);
  arc_text_addv(&text, format, arguments);
  va_end(arguments);
  arc_text_free(&reason_text);
  reason_text = text;
  return false;
}

const char *arc_reason(void) { return arc_text_string(&reason_text); }

static _Noreturn void no_host_memory(size_t bytes) {
  fprintf(stderr, "arc: error[host-memory]: the host has no %zu bytes left\n", bytes);
  exit(1);
}

void *arc_allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) no_host_memory(bytes);
  return memory;
}

void *arc_resize(void *old, size_t bytes) {
  void *memory = realloc(old, bytes ? bytes : 1);
  if (!memory) no_host_memory(bytes);
  return memory;
}

char *arc_copy_string(const char *string) {
  size_t bytes = strlen(string) + 1;
  return memcpy(arc_allocate(bytes), string, bytes);
}
