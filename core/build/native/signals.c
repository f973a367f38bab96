/*
 * Signals while JavaScript computes. Node tells of a signal when its event loop comes round, which a long computation keeps
 * it from: SIGTERM would be without effect for minutes. Where nobody heard of one for a while, the process ends here. Who
 * has heard of one says so again and again until the process ends: a computation may begin after it.
 */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* As cli/call/call.ts says of a call that was interrupted. */
#define INTERRUPTED 130
/* Seconds. */
#define PATIENCE 2

static struct sigaction before[NSIG];
static atomic_bool unheard;

static void give_up(int number) {
  (void)number;
  /* What runs is told, as it is when JavaScript hears of a signal. Its cleaning up is left to the next arc. */
  end_children(SIGTERM);
  _exit(INTERRUPTED);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  int kept = errno;
  /* The second time it is meant. */
  if (atomic_exchange(&unheard, true)) give_up(number);
  alarm(PATIENCE);
  const struct sigaction *to = &before[number];
  if (to->sa_flags & SA_SIGINFO) to->sa_sigaction(number, info, context);
  else if (to->sa_handler != SIG_IGN && to->sa_handler != SIG_DFL) to->sa_handler(number);
  errno = kept;
}

void watch_signals(void) {
  static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
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
  atomic_store(&unheard, false);
}
