/* crash.c: a message for signals that kernels cause. The handler only makes async-signal-safe calls. */
#define _POSIX_C_SOURCE 200809L
#include "report/crash.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct arc_flight {
  atomic_bool taken, active;
  const char *device;
  arc_site site;
  const char *kernel;
};

static struct arc_flight flights[128];
static pthread_mutex_t watching = PTHREAD_MUTEX_INITIALIZER;

static struct {
  const int number;
  const char *const name;
  enum { unseen, the_programs, ours } state;
  struct sigaction next; /* what answers once the crash is told */
} watched[] = {{.number = SIGSEGV, .name = "SIGSEGV: an address outside of its memory"},
               {.number = SIGBUS, .name = "SIGBUS: an address outside of its memory"},
               {.number = SIGFPE, .name = "SIGFPE: a division by zero"},
               {.number = SIGILL, .name = "SIGILL: an instruction that this processor does not have"}};
enum { nwatched = sizeof watched / sizeof *watched };

static void say(const char *text) {
  size_t left = strlen(text);
  while (left) {
    ssize_t written = write(STDERR_FILENO, text, left);
    if (written <= 0) return;
    text += written;
    left -= (size_t)written;
  }
}

static void say_number(int number) {
  char digits[12], *at = digits + sizeof digits - 1;
  *at = 0;
  do *--at = (char)('0' + number % 10);
  while ((number /= 10) > 0 && at > digits);
  say(at);
}

static void say_flight(const struct arc_flight *flight, const char *signal_name) {
  if (flight->site.file) {
    say(flight->site.file);
    say(":");
    say_number(flight->site.line);
    say(": ");
  }
  say("error[kernel-crash]: ");
  if (flight->site.what) {
    say(flight->site.what);
    say(": ");
  }
  say("the program died while kernel ");
  say(flight->kernel);
  say(" ran on ");
  say(flight->device);
  say(" (");
  say(signal_name);
  say(")\n");
}

static void tell(const char *signal_name) {
  bool any = false;
  for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
    if (!atomic_load(&flights[i].active)) continue;
    say_flight(&flights[i], signal_name);
    any = true;
  }
  if (any)
    say("  help: look for an index outside of the kernel's arrays, or data that no clause put on the device; "
        "ARC_HOST_MEMORY=separate with -fsanitize=address on the host target shows the access\n");
}

/* The instruction is executed again afterwards, and the program dies as it would have. */
static void crashed(int number) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  static _Thread_local bool teller;
  if (teller) { /* the driver's handler gave the signal back */
    signal(number, SIG_DFL);
    return;
  }
  if (atomic_flag_test_and_set(&told)) {
    /* Another thread of the kernel reports it, and ends the program. */
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    signal(number, SIG_DFL);
    return;
  }
  teller = true;
  for (int i = 0; i < nwatched; i++) {
    if (watched[i].number != number) continue;
    tell(watched[i].name);
    sigaction(number, &watched[i].next, NULL);
  }
}

/*
 * Drivers replace this handler while they compile: LLVM's is removed after the first signal, and a second thread's
 * signal would then kill the program without a message. So this handler is installed again over theirs.
 */
void arc_crash_watch(void) {
  pthread_mutex_lock(&watching);
  for (int i = 0; i < nwatched; i++) {
    struct sigaction found, action;
    if (sigaction(watched[i].number, NULL, &found) != 0) continue;
    bool own = !(found.sa_flags & SA_SIGINFO) && found.sa_handler == crashed;
    bool none = !(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_DFL;
    if (watched[i].state == unseen) watched[i].state = none ? ours : the_programs;
    if (watched[i].state == the_programs || own) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = crashed;
    watched[i].next = found;
    sigaction(watched[i].number, &action, NULL);
  }
  pthread_mutex_unlock(&watching);
}

struct arc_flight *arc_crash_open(const char *device_name) {
  for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
    if (atomic_exchange(&flights[i].taken, true)) continue;
    flights[i].device = device_name;
    return &flights[i];
  }
  return NULL;
}

void arc_crash_close(struct arc_flight *flight) {
  if (!flight) return;
  atomic_store(&flight->active, false);
  atomic_store(&flight->taken, false);
}

void arc_crash_begin(struct arc_flight *flight, const arc_site *site, const char *kernel) {
  if (!flight) return;
  flight->site = site ? *site : (arc_site){0};
  flight->kernel = kernel;
  atomic_store(&flight->active, true);
}

void arc_crash_end(struct arc_flight *flight) {
  if (flight) atomic_store(&flight->active, false);
}
