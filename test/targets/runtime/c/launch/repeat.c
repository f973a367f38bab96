/*
 * Launches by the hundred with little between them, which a back end may give to its driver many at a time. `left`: ends
 * the process without waiting for those that it made. `shown`: the program has the stream of the queue. ROUNDS says how many on each queue.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { length = 300, rounds = 700 };
static int a[length], b[length], c[length];

static int first(int *p) {
  const arc_item out = {.name = "p", .host = p, .size = sizeof a, .map = ARC_UPDATE_SELF};
  arc_update(SITE("update"), ARC_SYNC, 1, &out);
  for (int i = 0; i < length; i++) CHECK(p[i] == p[i < 10 ? 0 : 10]);
  return *p;
}

static void *more(void *p) {
  for (int i = 0; i < rounds; i++) add(p, length, 1, 3);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  const arc_item all[] = {ITEM(COPYIN, a, length), ITEM(COPYIN, b, length), ITEM(COPYIN, c, length)};
  arc_enter_data(SITE("enter data"), ARC_SYNC, 3, all);

  if (argc > 1 && strcmp(argv[1], "shown") == 0) {
    CHECK(acc_get_cuda_stream(1) != NULL);
    for (int i = 0; i < rounds; i++) add(a, length, 1, 1);
    arc_wait(SITE("wait"), ARC_SYNC, 1, (const int[]){1});
    CHECK(first(a) == rounds);
    puts("right");
    return 0;
  }
  if (argc > 1) {
    for (int i = 0; i < 150; i++) add(a, length, 1, 1);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    _exit(0);
  }

  /* Arguments that change, and shapes that do. */
  int sum = 0;
  for (int i = 0; i < rounds; i++) {
    add(a, i % 7 ? length : 10, i, ARC_SYNC);
    if (i % 7) sum += i;
  }
  CHECK(first(a) == rounds * (rounds - 1) / 2);
  CHECK(a[length - 1] == sum);

  /* Queues that hand on to each other in the middle of a sequence. */
  const int one = 1, two = 2;
  for (int i = 0; i < rounds; i++) {
    add(b, length, 1, 1);
    if (i % 200 != 150) continue;
    arc_wait(SITE("wait"), 2, 1, &one);
    add(b, length, 1, 2);
    arc_wait(SITE("wait"), 1, 1, &two);
  }
  arc_wait(SITE("wait"), ARC_SYNC, 0, NULL);
  CHECK(first(b) == rounds + 3);

  /* Several threads on one queue, and a test of what is left. */
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, more, c) == 0);
  more(c);
  pthread_join(thread, NULL);
  while (!acc_async_test(3)) continue;
  CHECK(first(c) == 2 * rounds);

  /* An address of device memory that the program asks for: whatever was put off is under way. */
  for (int i = 0; i < 100; i++) add(c, length, 1, 3);
  CHECK(arc_use_device(SITE("host_data"), c, "c", 0));
  add(c, length, 1, 3);
  arc_wait(SITE("wait"), ARC_SYNC, 0, NULL);
  CHECK(first(c) == 2 * rounds + 101);
  arc_exit_data(SITE("exit data"), ARC_SYNC, 3, all);
  puts("right");
  return 0;
}
