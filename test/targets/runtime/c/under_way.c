/*
 * Launches without async that nobody waits for: they come before what is queued behind them, on whatever queue, and
 * are done before their results, or an address, are in the program's hands. `late`: no address is asked for.
 */
#include "check.h"

enum { length = 3000, rounds = 500 };
static int a[length], b[length], temporary[length];

static void add_each(int *p, int value, int async) {
  for (int i = 0; i < rounds; i++) add(p, length, value, async);
}

static void check_all(int *p, int wanted) {
  const arc_item out = {.name = "p", .host = p, .size = sizeof a, .map = ARC_UPDATE_SELF};
  arc_update(SITE("update"), ARC_SYNC, 1, &out);
  for (int j = 0; j < length; j++) CHECK(p[j] == wanted);
}

int main(int argc, char **argv) {
  (void)argv;
  const arc_item both[] = {ITEM(COPYIN, a, length), ITEM(COPYIN, b, length)};
  arc_enter_data(SITE("enter data"), ARC_SYNC, 2, both);

  add_each(a, 1, ARC_SYNC);
  check_all(a, rounds);

  /* Queues take turns. */
  for (int i = 0; i < 20; i++) {
    add(a, length, 2, ARC_SYNC);
    add(a, length, 3, 1);
    const int one = 1;
    arc_wait(SITE("wait"), ARC_SYNC, 1, &one);
    add(b, length, 1, ARC_SYNC);
  }
  check_all(a, rounds + 20 * 5);
  check_all(b, 20);

  /* Memory that is given back while a kernel may still use it is not what the next one gets. */
  for (int i = 0; i < 20; i++) {
    const arc_item own = ITEM(COPYIN, temporary, length);
    arc_data_begin(SITE("data"), ARC_SYNC, 1, &own);
    add(temporary, length, i, ARC_SYNC);
    arc_data_end(SITE("data"), ARC_SYNC, 1, &own);
  }
  for (int j = 0; j < length; j++) CHECK(temporary[j] == 0);

  if (argc < 2) {
    add_each(b, 1, ARC_SYNC);
    CHECK(arc_use_device(SITE("host_data"), b, "b", 0));
    add(b, length, 1, ARC_SYNC); /* the program has an address in it: from now on it is waited for */
    check_all(b, 20 + rounds + 1);
  }
  add(b, length, 1, ARC_SYNC);
  arc_wait(SITE("wait"), ARC_SYNC, 0, NULL);
  arc_exit_data(SITE("exit data"), ARC_SYNC, 2, both);
  puts("right");
  return 0;
}
