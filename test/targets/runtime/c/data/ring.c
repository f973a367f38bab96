/*
 * Large transfers both ways, of all sizes and places, on several queues, with kernels between them: every element is where
 * it was sent. With ARC_COPY_FROM=1 all of them go through the ring of pinned buffers; `taken`: an update to the device is done with
 * the host's memory when it returns, as the ring is.
 */
#include "check.h"

enum { most = 2 << 20, rounds = 15 };
static int a[most], b[most];

static unsigned state = 12345;
static unsigned pick(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static void update(int *p, int from, int count, enum arc_map map, int async) {
  const arc_item item = {
      .name = "p", .host = p + from, .size = (size_t)count * sizeof *p, .map = map};
  arc_update(SITE("update"), async, 1, &item);
}

int main(int argc, char **argv) {
  (void)argv;
  const arc_item both[] = {ITEM(COPYIN, a, most), ITEM(COPYIN, b, most)};
  for (int i = 0; i < most; i++) a[i] = i, b[i] = -i;
  arc_enter_data(SITE("enter data"), ARC_SYNC, 2, both);
  for (int i = 0; i < most; i++) a[i] = b[i] = 7;
  update(a, 0, most, ARC_UPDATE_SELF, ARC_SYNC);
  update(b, 0, most, ARC_UPDATE_SELF, 1);
  arc_wait(SITE("wait"), ARC_SYNC, 0, NULL);
  for (int i = 0; i < most; i++) CHECK(a[i] == i && b[i] == -i);

  for (int round = 0; round < rounds; round++) {
    int *p = round % 2 ? a : b;
    const int from = (int)pick(most), async = round % 3 ? (int)pick(3) : ARC_SYNC;
    const int count = round % 5 ? 1 + (int)pick((unsigned)(most - from)) : 1 + (int)pick(3000) % (most - from);
    for (int i = from; i < from + count; i++) p[i] = i ^ round;
    update(p, from, count, ARC_UPDATE_DEVICE, async);
    for (int i = from; argc > 1 && i < from + count; i++) p[i] = -1;
    add(p + from, count, round, async);
    update(p, from, count, ARC_UPDATE_SELF, async);
    if (async != ARC_SYNC) arc_wait(SITE("wait"), ARC_SYNC, 1, &async);
    for (int i = from; i < from + count; i++) CHECK(p[i] == (i ^ round) + round);
  }
  arc_exit_data(SITE("exit data"), ARC_SYNC, 2, both);
  puts("right");
  return 0;
}
