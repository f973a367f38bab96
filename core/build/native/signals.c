/*
 * Signals while JavaScript computes. Node delivers a signal when its event loop turns, which a long computation
 * prevents: SIGTERM would have no effect for minutes. If JavaScript does not hear of a signal for a while, the process
 * ends here. Having heard of it, JavaScript must repeat so until the process ends, as another computation may follow.
 */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* Exit status of an interrupted call; the same as in cli/call/call.ts. */
#define INTERRUPTED 130
/* In seconds. */
#define PATIENCE 2
/* Between SIGTERM and SIGKILL, in milliseconds. */
#define GRACE 300

static struct sigaction before[NSIG];
static atomic_bool pending;

static void give_up(int number) {
  (void)number;
  /* Running processes are signalled as JavaScript would do. Cleaning up is left to the next arc. */
  end_children(SIGTERM);
  nanosleep(&(struct timespec){.tv_nsec = GRACE * 1000 * 1000}, NULL);
  end_children(SIGKILL);
  _exit(INTERRUPTED);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  int kept = errno;
  /* A second signal ends the process at once. */
  if (atomic_exchange(&pending, true)) {
    end_children(SIGKILL);
    _exit(INTERRUPTED);
  }
  alarm(PATIENCE);
  const struct sigaction *to = &before[number];
  if (to->sa_flags & SA_SIGINFO) to->sa_sigaction(number, info, context);
  else if (to->sa_handler != SIG_IGN && to->sa_handler != SIG_DFL) to->sa_handler(number);
  errno = kept;
}

void watch_signals(void) {
  static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2, SIGVTALRM, SIGXCPU, SIGPWR, SIGIO};
  struct sigaction alarmed = {.sa_handler = give_up};
  sigaction(SIGALRM, &alarmed, NULL);
  for (size_t at = 0; at < sizeof watched / sizeof *watched; at++) {
    struct sigaction now;
    int number = watched[at];
    if (sigaction(number, NULL, &now) != 0) continue;
    bool is_ours = (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == pass_on;
    if (is_ours || now.sa_handler == SIG_IGN || now.sa_handler == SIG_DFL) continue;
    before[number] = now;
    now.sa_sigaction = pass_on;
    now.sa_flags |= SA_SIGINFO;
    sigaction(number, &now, NULL);
  }
}

void heard_signal(void) {
  alarm(PATIENCE);
  atomic_store(&pending, false);
}
