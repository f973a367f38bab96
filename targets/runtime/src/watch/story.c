/* story.c: the tasks in ARC_TRACE. */
#define _POSIX_C_SOURCE 200809L
#include "watch/story.h"
#include "report/trace.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct arc_task_story {
  uint64_t number; /* among all of the program's, from 1 */
  double created;
  double begin, end; /* its body; `end` is 0 before that has run */
  double earliest; /* when the last one ended that it waited for */
  const struct arc_thread *thread;
  const arc_task_version *version;
  const struct arc_device *device;
  struct arc_text after; /* numbers of the tasks that it waited for */
};

/* Tasks that a task waited for may complete at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* After the rows of queues. */
enum { FIRST_ROW = 100000 };

static int row(const struct arc_thread *thread) { return FIRST_ROW + (int)thread->index; }

void arc_story_open(struct arc_task *task) {
  static _Atomic uint64_t count;
  if (!arc_tracing()) return;
  task->story = arc_allocate(sizeof *task->story);
  task->story->number = ++count;
  task->story->created = arc_trace_now();
}

void arc_story_close(struct arc_task *task) {
  if (!task->story) return;
  arc_text_free(&task->story->after);
  free(task->story);
}

static void add_arrow(struct arc_text *text, const char *end, const char *more, uint64_t from, uint64_t to, int row,
                      double time) {
  arc_text_add(text,
               "{\"ph\":\"%s\"%s,\"cat\":\"dependence\",\"name\":\"dependence\",\"id\":\"%" PRIu64 ">%" PRIu64
               "\",\"pid\":%ld,\"tid\":%d,\"ts\":%.3f}",
               end, more, from, to, (long)getpid(), row, time);
}

void arc_story_after(const struct arc_task *task, const struct arc_task *later) {
  const struct arc_task_story *story = task->story;
  if (!story || !later->story) return;
  struct arc_text arrow = {0};
  add_arrow(&arrow, "s", "", story->number, later->story->number, row(story->thread), story->end);
  arc_trace_event(&arrow);
  pthread_mutex_lock(&lock);
  struct arc_text *after = &later->story->after;
  arc_text_add(after, "%s%" PRIu64, after->length ? "," : "", story->number);
  if (later->story->earliest < story->end) later->story->earliest = story->end;
  pthread_mutex_unlock(&lock);
}

/* By the thread itself. */
static void name_row(const struct arc_thread *thread) {
  static _Thread_local bool named;
  if (named) return;
  named = true;
  struct arc_text text = {0};
  arc_text_add(&text,
               "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%ld,\"tid\":%d,\"args\":{\"name\":\"tasks, thread %u\"}}",
               (long)getpid(), row(thread), thread->index);
  arc_trace_event(&text);
}

/* Ends of arrows: the body has begun after all that it waited for. */
static void end_arrows(const struct arc_thread *thread, const struct arc_task_story *story, double begin) {
  const char *after = arc_text_string(&story->after);
  for (char *end; *after; after = *end ? end + 1 : end) {
    uint64_t from = strtoull(after, &end, 10);
    struct arc_text arrow = {0};
    add_arrow(&arrow, "f", ",\"bp\":\"e\"", from, story->number, row(thread), begin);
    arc_trace_event(&arrow);
  }
}

static const char *const modes[] = {"", "in", "out", "inout", "concurrent", "commutative", "reduction"};

void arc_story_ran(const struct arc_thread *thread, const struct arc_task *task, const arc_task_version *version,
                   const struct arc_device *device, double begin) {
  struct arc_task_story *story = task->story;
  if (!story) return;
  name_row(thread);
  story->thread = thread;
  story->version = version;
  story->device = device;
  story->begin = begin;
  story->end = arc_trace_now();
}

void arc_story_ended(const struct arc_task *task) {
  struct arc_task_story *story = task->story;
  if (!story) return;
  const struct arc_thread *thread = story->thread;
  if (story->begin < story->earliest) story->begin = story->earliest;
  if (story->end < story->begin) story->end = story->begin;
  end_arrows(thread, story, story->begin);
  const arc_site *site = &task->type->site;
  struct arc_text text = {0};
  arc_text_add(&text, "{\"ph\":\"X\",\"cat\":\"task\",\"name\":");
  arc_trace_add_string(&text, story->version->label);
  arc_text_add(&text, ",\"pid\":%ld,\"tid\":%d,\"args\":{\"task\":%" PRIu64, (long)getpid(), row(thread), story->number);
  if (task->parent && task->parent->story) arc_text_add(&text, ",\"parent\":%" PRIu64, task->parent->story->number);
  arc_text_add(&text, ",\"after\":[%s],\"waited\":%.3f,\"line\":%d,\"file\":", arc_text_string(&story->after),
               story->begin - story->created, site->line);
  arc_trace_add_string(&text, site->file);
  arc_text_add(&text, ",\"device\":");
  arc_trace_add_string(&text, story->device ? story->device->name : "host");
  arc_text_add(&text, ",\"memory\":[");
  for (unsigned i = 0; i < task->part_count; i++) {
    struct arc_text part = {0};
    arc_text_add(&part, "%s %s", modes[task->parts[i].mode], task->parts[i].name);
    if (i) arc_text_append(&text, ",", 1);
    arc_trace_add_string(&text, part.bytes);
    arc_text_free(&part);
  }
  arc_text_append(&text, "]", 1);
  arc_trace_write(&text, story->begin, story->end);
}

void arc_story_idle(const struct arc_thread *thread, double begin) {
  if (!arc_tracing()) return;
  name_row(thread);
  struct arc_text text = {0};
  arc_text_add(&text, "{\"ph\":\"X\",\"cat\":\"idle\",\"name\":\"idle\",\"pid\":%ld,\"tid\":%d,\"args\":{\"thread\":%u",
               (long)getpid(), row(thread), thread->index);
  arc_trace_write(&text, begin, arc_trace_now());
}
