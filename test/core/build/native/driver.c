/*
 * Children and errands without JavaScript, for the sanitizers: `driver FOLDER` runs actions in four sandboxes at once, some
 * of which fail, are killed or leave what they should not, then gives requests that lie. Aborts when something is wrong.
 */
#define _GNU_SOURCE
#include "../../../../core/build/native/child.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SANDBOXES 4
#define ROUNDS 40
/* Of "input\n". */
#define SOURCE_DIGEST "7d3f9b6284c6f36e77b425cac882e8fbbcc97a4727ec20790853076d0f463453"

static void check(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct child *ended[SANDBOXES];

static void on_end(struct child *child) {
  pthread_mutex_lock(&lock);
  ended[child->id % SANDBOXES] = child;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static char text[65536];
static size_t length;

static void add(const char *words) {
  size_t size = strlen(words) + 1;
  memcpy(text + length, words, size);
  length += size;
}

static void add_in(const char *folder, int sandbox, const char *inside) {
  char path[4096];
  snprintf(path, sizeof path, "%s/sandbox%d%s", folder, sandbox, inside);
  add(path);
}

enum kind { PLAIN, NO_PROGRAM, NO_SOURCE, KILLED, WRITES_INPUT, LARGE, UNTIDY, FAILS, LEAVES, KINDS };

static const char *const scripts[KINDS] = {
    [PLAIN] = "cat in/a > o; echo $$ >> o",
    [NO_PROGRAM] = "",
    [NO_SOURCE] = "echo > o",
    [KILLED] = "sleep 1000",
    [WRITES_INPUT] = "chmod u+w in/a; echo bad > in/a; echo > o",
    [LARGE] = "head -c 200000 /dev/zero > o",
    [UNTIDY] = "mkdir new; echo > new/x; echo $$ > o",
    [FAILS] = "exit 3",
    [LEAVES] = "setsid sh -c 'echo $$ > ../left; exec sleep 1000' & until test -s ../left; do :; done; cp ../left o; rm ../left",
};

static struct child *request(const char *folder, int id, enum kind kind, int log) {
  int sandbox = id % SANDBOXES;
  char path[4096];
  int32_t numbers[] = {id, log, log, 3, 1, 1, 1, 1, 1, 0};
  length = 0;
  add(kind == NO_PROGRAM ? "/no/program" : "/bin/sh");
  add_in(folder, sandbox, "/work");
  add("sh");
  add("-c");
  add(scripts[kind]);
  add("PATH=/usr/bin:/bin");
  snprintf(path, sizeof path, "%s/cas/", folder);
  add(path);
  snprintf(path, sizeof path, "%s/scratch", folder);
  add(path);
  add(path);
  add_in(folder, sandbox, "/work");
  add_in(folder, sandbox, "/tmp");
  /* What writes to its input has one of its own, so that it spoils nobody else's. */
  snprintf(path, sizeof path, "%s/%s%.2s/%s", folder,
           kind == WRITES_INPUT ? "own/" : kind == NO_SOURCE ? "none/" : "cas/", SOURCE_DIGEST, SOURCE_DIGEST);
  add(path);
  add_in(folder, sandbox, "/work/in/a");
  snprintf(path, sizeof path, "%s/%s", folder, kind == NO_SOURCE ? "none" : "source");
  add(path);
  add_in(folder, sandbox, "/work/o");
  snprintf(path, sizeof path, "%s/places/%d", folder, id);
  add(path);
  add("644");
  add("in");
  return make_child(numbers, sizeof numbers / sizeof *numbers, text, length);
}

static pid_t left_by(const char *place) {
  char digits[32] = "";
  int file = open(place, O_RDONLY | O_CLOEXEC);
  check(file >= 0 && read(file, digits, sizeof digits - 1) > 0, "what is left is told");
  close(file);
  return (pid_t)atol(digits);
}

static void examine(const struct child *child, enum kind kind) {
  const struct output *output = &child->errands.outputs[0];
  const struct errands *errands = &child->errands;
  int clean = WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
  switch (kind) {
    case PLAIN:
      check(child->error == 0 && clean && output->stored && output->placed && errands->tidy, "a plain action is done whole");
      break;
    case NO_PROGRAM:
    case NO_SOURCE:
      check(child->error != 0 && access(errands->links[0].to, F_OK) != 0, "what cannot start leaves nothing");
      break;
    case KILLED:
      check(child->error == 0 && WIFSIGNALED(child->status) && !output->stored, "a killed action has no outputs");
      break;
    case WRITES_INPUT:
      check(errands->written && !output->stored, "a written input is seen");
      break;
    case LARGE:
      check(clean && !output->stored && !errands->tidy, "a large output is left");
      break;
    case UNTIDY:
      check(clean && output->stored && output->placed && !errands->tidy, "an unknown folder is left");
      break;
    case LEAVES:
      check(clean && output->placed, "an action that leaves a process is done whole");
      /* Where that of another one had not found it before. */
      check(kill(left_by(output->place), 0) != 0, "nothing is left");
      break;
    default:
      check(WEXITSTATUS(child->status) == 3 && !output->stored, "a failure has no outputs");
  }
}

static void sweep(const char *folder, int sandbox) {
  char command[8192];
  snprintf(command, sizeof command, "cd '%s/sandbox%d' && rm -rf work tmp && mkdir -p work/in tmp", folder, sandbox);
  check(system(command) == 0, "a sandbox is made");
}

static void lie(const char *folder, int log) {
  struct child *child = request(folder, 0, PLAIN, log);
  check(child != NULL, "a request is understood");
  free_child(child);
  int32_t numbers[] = {0, log, log, 3, 1, 1, 1, 1, 1, 0};
  size_t count = sizeof numbers / sizeof *numbers;
  for (size_t bytes = 0; bytes < length; bytes++) check(make_child(numbers, count, text, bytes) == NULL, "cut texts are refused");
  check(make_child(numbers, count - 1, text, length) == NULL, "cut numbers are refused");
  for (size_t at = 3; at < count - 1; at++) {
    int32_t before = numbers[at];
    for (int32_t wrong = -2; wrong < 300; wrong++) {
      numbers[at] = wrong;
      if (wrong != before) check(make_child(numbers, count, text, length) == NULL, "wrong counts are refused");
    }
    numbers[at] = INT32_MAX;
    check(make_child(numbers, count, text, length) == NULL, "counts without end are refused");
    numbers[at] = before;
  }
}

int main(int argc, char **argv) {
  check(argc == 2 && has_sha256(), "a folder, and SHA-256");
  const char *folder = argv[1];
  char path[4096];
  for (int sandbox = 0; sandbox < SANDBOXES; sandbox++) {
    snprintf(path, sizeof path, "%s/sandbox%d", folder, sandbox);
    check(mkdir(path, 0777) == 0, "a folder is made");
  }
  adopt_orphans(true);
  int log = open("/dev/null", O_WRONLY | O_CLOEXEC);
  lie(folder, log);
  int started[SANDBOXES] = {0}, running = 0;
  enum kind kinds[SANDBOXES] = {PLAIN};
  for (int done = 0; done < SANDBOXES * ROUNDS;) {
    for (int sandbox = 0; sandbox < SANDBOXES; sandbox++) {
      if (started[sandbox] == ROUNDS || kinds[sandbox] == KINDS) continue;
      sweep(folder, sandbox);
      enum kind kind = (enum kind)((started[sandbox] + sandbox) % KINDS);
      int id = started[sandbox] * SANDBOXES + sandbox;
      struct child *child = request(folder, id, kind, log);
      check(child != NULL && start_child(child, on_end, false) == 0, "a child starts");
      if (kind == KILLED) kill_child(id, SIGKILL);
      started[sandbox]++;
      running++;
      kinds[sandbox] = KINDS;
    }
    pthread_mutex_lock(&lock);
    struct child *child = NULL;
    while (child == NULL) {
      for (int sandbox = 0; sandbox < SANDBOXES && child == NULL; sandbox++) {
        child = ended[sandbox];
        ended[sandbox] = NULL;
      }
      if (child == NULL) pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    /* As native.c does. */
    if (child->error == 0 && !child->swept && may_have_orphans() && sweep_strays(child, on_end) == 0) continue;
    int sandbox = child->id % SANDBOXES;
    examine(child, (enum kind)((child->id / SANDBOXES + sandbox) % KINDS));
    free_child(child);
    kinds[sandbox] = PLAIN;
    running--;
    done++;
  }
  check(running == 0, "all ended");
  puts("ok");
  return 0;
}
