/* trace.c: writes Chrome trace events. Each event replaces the closing bracket of the document. */
#define _POSIX_C_SOURCE 200809L
#include "report/trace.h"
#include "image/images.h"
#include "report/text.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static off_t end; /* of the last event, in front of the closing bracket */

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

char *arc_trace_file_name(const char *pattern) {
  struct arc_text name = {0};
  for (; *pattern; pattern++) {
    if (pattern[0] == '%' && pattern[1] == 'p') {
      arc_text_add(&name, "%ld", (long)getpid());
      pattern++;
    } else {
      arc_text_append(&name, pattern, 1);
    }
  }
  return name.bytes;
}

static void open_trace(void) {
  const char *pattern = getenv("ARC_TRACE");
  if (!pattern || !*pattern) return;
  char *name = arc_trace_file_name(pattern);
  file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    arc_fail(NULL, "trace", "ARC_TRACE is the file to write", "ARC_TRACE=%s cannot be written: %s", name,
             strerror(errno));
  free(name);
  if (pwrite(file, "[\n]\n", 4, 0) == 4) end = 1;
}

bool arc_tracing(void) {
  pthread_once(&once, open_trace);
  return file >= 0;
}

double arc_trace_now(void) { return seconds_now() * 1e6; }

void arc_trace_add_string(struct arc_text *text, const char *string) {
  arc_text_append(text, "\"", 1);
  for (; string && *string; string++) {
    unsigned char c = (unsigned char)*string;
    if (c == '"' || c == '\\') arc_text_append(text, "\\", 1);
    if (c < 0x20)
      arc_text_add(text, "\\u%04x", c);
    else
      arc_text_append(text, string, 1);
  }
  arc_text_append(text, "\"", 1);
}

static void add_field(struct arc_text *text, const char *key, const char *value) {
  arc_text_add(text, ",\"%s\":", key);
  arc_trace_add_string(text, value);
}

static void add_triple(struct arc_text *text, const char *key, const int64_t v[3]) {
  arc_text_add(text, ",\"%s\":[%" PRId64 ",%" PRId64 ",%" PRId64 "]", key, v[0], v[1], v[2]);
}

/*
 * Rows are numbered from 0, per back end: the synchronous queue, the default queue, the user's queues, then the lanes.
 */
static int row(const struct arc_device *device, const struct arc_queue *queue) {
  int backend = 0;
  while (arc_backends[backend] != device->backend) backend++;
  int async = queue ? queue->async : ARC_SYNC;
  if (async <= ARC_LANE(0)) async = arc_queue_numbers + ARC_LANE(0) - async;
  return 20000 * backend + 100 * device->ordinal + async - ARC_SYNC;
}

/* Opens an event up to and into its args. */
static struct arc_text begin_event(const char *category, const char *action, const char *name,
                                   const struct arc_device *device, const struct arc_queue *queue,
                                   const arc_site *site) {
  struct arc_text text = {0}, title = {0};
  arc_text_add(&title, "%s%s%s", action, name ? " " : "", name ? name : "");
  arc_text_add(&text, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":", category);
  arc_trace_add_string(&text, title.bytes);
  arc_text_free(&title);
  arc_text_add(&text, ",\"pid\":%ld,\"tid\":%d,\"args\":{\"device\":\"%s\",\"async\":%d", (long)getpid(),
               row(device, queue), device->backend->name, queue ? queue->async : ARC_SYNC);
  add_field(&text, "deviceName", device->name);
  if (site && site->file) arc_text_add(&text, ",\"line\":%d", site->line);
  if (site && site->file) add_field(&text, "file", site->file);
  if (site && site->what) add_field(&text, "directive", site->what);
  return text;
}

/* Appends a finished event in front of the closing bracket. */
static void write_event(struct arc_text *event) {
  pthread_mutex_lock(&lock);
  struct arc_text whole = {0};
  arc_text_add(&whole, "%s%s\n]\n", end > 1 ? ",\n" : "\n", event->bytes);
  if (pwrite(file, whole.bytes, whole.length, end) == (ssize_t)whole.length) end += (off_t)whole.length - 3;
  pthread_mutex_unlock(&lock);
  arc_text_free(&whole);
  arc_text_free(event);
}

static void end_event(struct arc_text *event, double begin, double stop) {
  arc_text_add(event, "},\"ts\":%.3f,\"dur\":%.3f}", begin, stop > begin ? stop - begin : 0);
  write_event(event);
}

void arc_trace_queue(const struct arc_device *device, const struct arc_queue *queue) {
  if (!arc_tracing()) return;
  struct arc_text text = {0}, name = {0};
  if (queue->async == ARC_SYNC)
    arc_text_add(&name, "%s synchronous", device->name);
  else if (queue->async == ARC_NOVAL)
    arc_text_add(&name, "%s async", device->name);
  else if (queue->async <= ARC_LANE(0))
    arc_text_add(&name, "%s tasks, lane %d", device->name, ARC_LANE(0) - queue->async);
  else
    arc_text_add(&name, "%s async(%d)", device->name, queue->async);
  arc_text_add(&text, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%ld,\"tid\":%d,\"args\":{\"name\":",
               (long)getpid(), row(device, queue));
  arc_trace_add_string(&text, name.bytes);
  arc_text_add(&text, "}}");
  arc_text_free(&name);
  write_event(&text);
}

/* ---- work on queues ---- */

struct arc_text arc_trace_transfer(const struct arc_device *device, const struct arc_queue *queue,
                                   const char *direction, const arc_site *site, const char *action,
                                   const char *name, size_t bytes, bool bounced) {
  struct arc_text text = begin_event("transfer", action, name, device, queue, site);
  add_field(&text, "variable", name);
  add_field(&text, "direction", direction);
  arc_text_add(&text, ",\"bytes\":%zu,\"bounced\":%s", bytes, bounced ? "true" : "false");
  return text;
}

struct arc_text arc_trace_launch(const struct arc_device *device, const struct arc_queue *queue,
                                 const arc_site *site, const char *region, const char *kernel,
                                 const int64_t grid[3], const int64_t group[3]) {
  struct arc_text text = begin_event("launch", kernel, NULL, device, queue, site);
  add_field(&text, "region", region);
  add_field(&text, "kernel", kernel);
  /* User-written kernels belong to no image. */
  if (device->images) add_field(&text, "target", device->images->target);
  if (device->images) add_field(&text, "variant", device->images->variant);
  add_triple(&text, "grid", grid);
  add_triple(&text, "group", group);
  return text;
}

void arc_trace_event(struct arc_text *event) { write_event(event); }

void arc_trace_write(struct arc_text *event, double begin, double stop) { end_event(event, begin, stop); }

/* ---- the calling thread ---- */

void arc_trace_allocation(struct arc_device *device, const arc_site *site, const char *name, size_t bytes,
                          bool reused) {
  if (!arc_tracing()) return;
  struct arc_text text = begin_event("allocation", "allocate", name, device, NULL, site);
  add_field(&text, "variable", name);
  arc_text_add(&text, ",\"bytes\":%zu,\"reused\":%s", bytes, reused ? "true" : "false");
  double now = arc_trace_now();
  end_event(&text, now, now);
}

void arc_trace_wait(struct arc_device *device, const struct arc_queue *queue, const arc_site *site,
                    double begin) {
  if (!arc_tracing()) return;
  struct arc_text text = begin_event("wait", "wait", NULL, device, queue, site);
  end_event(&text, begin, arc_trace_now());
}
