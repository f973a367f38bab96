/* A directive without async that moves little does not wait; nobody can tell. */
#include "check.h"
#include <stdbool.h>
#include <string.h>

enum { length = 64, rounds = 300 };

int main(void) {
  static int a[length], back[length];
  bool shared = acc_get_property(0, acc_device_current, acc_property_shared_memory_support);
  for (int i = 0; i < rounds; i++) {
    /* The host may change its data as soon as the directive is done; other queues come after it. */
    int queue = i % 3;
    for (int j = 0; j < length; j++) a[j] = i;
    const arc_item item = ITEM(COPYIN, a, length);
    arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &item);
    if (!shared) memset(a, 0, sizeof a);
    add(a, length, 1, queue);
    const arc_item out = ITEM(UPDATE_SELF, a, length);
    arc_update(SITE("update"), queue, 1, &out);
    acc_wait(queue);
    CHECK(a[0] == i + 1 && a[length - 1] == i + 1);

    /* An address goes to others, who know nothing of queues. */
    acc_delete(a, sizeof a);
    int *device = acc_copyin(a, sizeof a);
    acc_memcpy_from_device_async(back, device, sizeof back, 5);
    acc_wait(5);
    CHECK(memcmp(a, back, sizeof a) == 0);
    acc_delete(a, sizeof a);
  }
  /* What is never waited for is not kept for ever. */
  for (int i = 0; i < 100 * rounds; i++) {
    const arc_item item = ITEM(COPYIN, a, length);
    arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &item);
    acc_delete(a, sizeof a);
  }
  puts("right");
  return 0;
}
