/* ARC_FAULT for the native part: the same settings as in fault.ts, counted separately. */
#include "child.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *setting;
static size_t name_length;
static atomic_long countdown;
static int trace = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_setting(void) {
  setting = getenv("ARC_FAULT");
  if (setting == NULL) return;
  if (strncmp(setting, "trace:", 6) == 0) {
    trace = open(setting + 6, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    return;
  }
  const char *colon = strrchr(setting, ':');
  if (colon == NULL) return;
  name_length = (size_t)(colon - setting);
  atomic_store(&countdown, atol(colon + 1));
}

void fault_point(const char *name) {
  pthread_once(&once, read_setting);
  if (setting == NULL) return;
  if (trace >= 0) {
    char line[64];
    int length = snprintf(line, sizeof line, "%s\n", name);
    if (write(trace, line, (size_t)length) != length) return;
  } else if (strlen(name) == name_length && strncmp(name, setting, name_length) == 0 &&
             atomic_fetch_sub(&countdown, 1) == 1) {
    kill(getpid(), SIGKILL);
  }
}
