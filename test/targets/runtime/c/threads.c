/* Host threads that map, launch and update at the same time, each on its own data and on data they share. */
#include "check.h"
#include <pthread.h>

enum { threads = 4, rounds = 60, length = 500 };
static int shared[threads * length];

static void *work(void *argument) {
  int me = *(int *)argument;
  int mine[length] = {0};
  for (int i = 0; i < rounds; i++) {
    int async = i % 2 ? me : ARC_SYNC;
    const arc_item items[] = {ITEM(COPY, mine, length), ITEM(PRESENT, shared, threads * length)};
    arc_data_begin(SITE("data"), async, 2, items);
    add(mine, length, me, async);
    add(shared + me * length, length, 1, async);
    arc_data_end(SITE("data"), async, 2, items);
    if (async != ARC_SYNC) arc_wait(SITE("wait"), ARC_SYNC, 1, &async);
    for (int j = 0; j < length; j++) CHECK(mine[j] == (i + 1) * me);
  }
  return NULL;
}

int main(void) {
  acc_copyin(shared, sizeof shared);
  pthread_t handles[threads];
  int numbers[threads];
  for (int i = 0; i < threads; i++) {
    numbers[i] = i;
    pthread_create(&handles[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
  acc_copyout(shared, sizeof shared);
  for (int i = 0; i < threads * length; i++) CHECK(shared[i] == rounds);
  puts("right");
  return 0;
}
